import { ConsoleDeclarations } from "@/components/orders/console/declaration-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleDeclarationsInput } from "@/lib/orders/console/contract-declarations";
import { listConsoleDeclarations } from "@/lib/orders/console/list-console-declarations";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  path: "/console/declarations",
  title: "console.declarations.title",
  access: staff("refunds.decide"),
  input: ConsoleDeclarationsInput,
  read: (input) => listConsoleDeclarations(input),
  screen: ConsoleDeclarations,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
