import { ConsoleStockScreen } from "@/components/delivery/console/stock-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleStockInput } from "@/lib/delivery/console/contract";
import { listConsoleStock } from "@/lib/delivery/console/list-console-stock";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "keys",
  path: "/console/keys",
  title: "console.keys.title",
  access: staff("products.read"),
  input: ConsoleStockInput,
  read: (input, { locale }) => listConsoleStock(input, locale),
  screen: ConsoleStockScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
