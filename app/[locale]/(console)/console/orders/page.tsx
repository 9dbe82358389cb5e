import { ConsoleOrders } from "@/components/orders/console/order-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { listConsoleOrders } from "@/lib/orders/console/list-console-orders";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "orders",
  path: "/console/orders",
  title: "console.orders.title",
  access: staff("orders.read"),
  input: ConsoleOrdersInput,
  read: (input, { locale }) => listConsoleOrders(input, locale),
  screen: ConsoleOrders,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
