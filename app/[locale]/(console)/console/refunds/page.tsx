import { ConsoleRefunds } from "@/components/orders/console/refund-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "refunds",
  path: "/console/refunds",
  title: "console.refunds.title",
  access: staff("refunds.decide"),
  input: ConsoleRefundsInput,
  read: (input, { locale }) => listConsoleRefunds(input, locale),
  screen: ConsoleRefunds,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
