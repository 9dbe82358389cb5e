import { DisputeRecord } from "@/components/orders/console/dispute-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findConsoleDispute } from "@/lib/orders/console/list-console-disputes";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { listMentionable } from "@/lib/staff/notes/list-mentionable";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("disputes.read"), {
  path: "/console/disputes/[id]",
  title: "console.disputes.title",
  read: findConsoleDispute,
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleDisputePage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { roles } = page.viewer.staff;
  return (
    <DisputeRecord
      dispute={page.found}
      people={await listMentionable("order")}
      mayTake={mayStaff(roles, "disputes.evidence")}
      mayWrite={mayStaff(roles, "notes.write")}
    />
  );
}
