import { RunPage } from "@/components/payouts/console/run-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getRun } from "@/lib/payouts/console/list-runs";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("payouts.read"), {
  path: "/console/payouts/[id]",
  title: "console.payouts.run_title",
  read: getRun,
  unknown: "payout_run_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsolePayoutRunPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  return <RunPage run={page.found} canManage={mayStaff(page.viewer.staff.roles, "payouts.manage")} />;
}
