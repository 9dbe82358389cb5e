import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { StuckScreen } from "@/components/staff/stuck/stuck-board";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";
import { listQueues } from "@/lib/staff/stuck/list-queues";
import { listStuck } from "@/lib/staff/stuck/list-stuck";

const ACCESS = staff("orders.read");
const PATH = "/console/stuck";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.stuck" }))("title"),
  );

export default async function ConsoleStuckPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const board = await listStuck({}, page.locale);
  const { items: queues } = await listQueues();
  const { roles } = page.viewer.staff;
  return (
    <StuckScreen
      board={board}
      queues={queues}
      mayRetry={mayStaff(roles, "stuck.retry")}
      maySwitch={mayStaff(roles, "shop.manage")}
    />
  );
}
