import { ConsoleReplacements } from "@/components/delivery/console/replacement-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleReplacementsInput } from "@/lib/delivery/console/contract-replacements";
import { listConsoleReplacements } from "@/lib/delivery/console/list-console-replacements";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "replacements",
  path: "/console/replacements",
  title: "console.replacements.title",
  access: staff("replacements.decide"),
  input: ConsoleReplacementsInput,
  read: (input, { viewer, locale }) => listConsoleReplacements(viewer, input, locale),
  screen: ConsoleReplacements,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
