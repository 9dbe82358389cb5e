import { BatchList } from "@/components/merchants/key-batches/batch-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { KeyBatchesInput } from "@/lib/merchants/key-files/contract";
import { listKeyBatches } from "@/lib/merchants/key-files/list-key-batches";
import { merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/keys/batches",
  title: "console.key_batches.title",
  access: merchant("keys.read"),
  input: KeyBatchesInput,
  read: listKeyBatches,
  screen: BatchList,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
