import { DisputeRecord } from "@/components/orders/console/dispute-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findConsoleDispute } from "@/lib/orders/console/queries-disputes";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { mayStaff, staff } from "@/lib/staff/rules";

const ACCESS = staff("disputes.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.disputes" }))("title"),
  );

export default async function ConsoleDisputePage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/disputes/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const dispute = await findConsoleDispute(id);
  if (!dispute) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { roles } = page.viewer.staff;
  return (
    <DisputeRecord
      dispute={dispute}
      mayTake={mayStaff(roles, "disputes.evidence")}
      mayWrite={mayStaff(roles, "notes.write")}
    />
  );
}
