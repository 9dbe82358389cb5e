import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { ConsoleBatchListScreen } from "@/components/merchants/key-batches/batch-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleBatchesInput } from "@/lib/merchants/key-files/contract";
import { listConsoleBatches } from "@/lib/merchants/key-files/list-key-batches";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "batches",
  path: "/console/keys/batches",
  title: "console.key_batches.title",
  access: staff("products.read"),
  input: ConsoleBatchesInput,
  read: (input) => listConsoleBatches(input),
  more: async () => ({ tabs: <KeyViewTabs current="batches" /> }),
  screen: ConsoleBatchListScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
