import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ApprovalsScreen } from "@/components/staff/approvals-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("approvals.decide");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.approvals" }))("title"),
  );

export default async function ApprovalsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/approvals");
  if (!page) return <NotFoundScreen />;
  const all = (await queryValues(props.searchParams)).state === "all";
  const { items } = await listApprovals(page.viewer, all ? "all" : "open");
  return <ApprovalsScreen approvals={items} all={all} />;
}
