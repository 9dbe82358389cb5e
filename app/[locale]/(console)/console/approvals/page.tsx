import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ApprovalsScreen } from "@/components/staff/approvals-screen";
import { isShopError } from "@/lib/platform/errors";
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
  const { state, cursor } = await queryValues(props.searchParams);
  const which = state === "all" ? "all" : "open";
  const list = (from?: string) => listApprovals(page.viewer, which, from);
  const { items, next_cursor } = await list(cursor).catch((error: unknown) => {
    if (isShopError(error, "cursor_invalid")) return list();
    throw error;
  });
  return (
    <ApprovalsScreen
      approvals={items}
      all={which === "all"}
      later={cursor !== undefined}
      next={next_cursor}
    />
  );
}
