import { ConsoleWarnings } from "@/components/orders/console/warning-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleWarningsInput } from "@/lib/orders/console/contract-warnings";
import { getFraudSettings } from "@/lib/orders/console/decide-warnings";
import { listConsoleWarnings } from "@/lib/orders/console/list-console-warnings";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  path: "/console/fraud-warnings",
  title: "console.fraud_warnings.title",
  access: staff("refunds.decide"),
  input: ConsoleWarningsInput,
  read: (input) => listConsoleWarnings(input),
  more: getFraudSettings,
  screen: ConsoleWarnings,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
