import { ConsoleOrders } from "@/components/orders/console/order-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { listConsoleOrders } from "@/lib/orders/console/list-console-orders";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("orders.read");
const PATH = "/console/orders";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.orders" }))("title"),
  );

export default async function ConsoleOrdersPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleOrdersInput, (input) =>
    listConsoleOrders(input, page.locale),
  );
  const { items: views } = await listViews(page.viewer, "orders");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    <ConsoleOrders
      list={list}
      values={values}
      mayWrite={mayStaff(page.viewer.staff.roles, "orders.write")}
      tools={<ListTools list="orders" values={values} views={views} exports={exports} />}
    />
  );
}
