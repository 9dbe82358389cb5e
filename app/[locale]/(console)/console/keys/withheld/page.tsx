import { WithheldScreen } from "@/components/delivery/console/withheld-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleWithheldInput } from "@/lib/delivery/console/contract-withheld";
import { listConsoleWithheld } from "@/lib/delivery/console/list-console-withheld";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  path: "/console/keys/withheld",
  title: "console.withheld.title",
  access: staff("products.read"),
  input: ConsoleWithheldInput,
  read: (input, { locale }) => listConsoleWithheld(input, locale),
  screen: WithheldScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
