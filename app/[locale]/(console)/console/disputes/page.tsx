import { ConsoleDisputes } from "@/components/orders/console/dispute-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleDisputesInput } from "@/lib/orders/console/contract-disputes";
import { listConsoleDisputes } from "@/lib/orders/console/list-console-disputes";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "disputes",
  path: "/console/disputes",
  title: "console.disputes.title",
  access: staff("disputes.read"),
  input: ConsoleDisputesInput,
  read: (input) => listConsoleDisputes(input),
  screen: ConsoleDisputes,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
