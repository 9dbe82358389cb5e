import { ConsoleHeader } from "@/components/console/page-header";
import { MERCHANT_STATES } from "@/lib/merchants/rules";
import { StateNotice } from "./state-notice";

/** Instead of a form: a suspended or ended merchant only reads. */
export function ReadOnlyScreen({ title, state }: { title: string; state: string }) {
  const known = MERCHANT_STATES.find((one) => one === state);
  return (
    <>
      <ConsoleHeader title={title} />
      {known && <StateNotice state={known} />}
    </>
  );
}
