import { BatchList } from "@/components/merchants/key-batches/batch-list";
import { KeysTabs } from "@/components/merchants/keys/keys-tabs";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { KeyBatchesInput } from "@/lib/merchants/key-files/contract";
import { listKeyBatches } from "@/lib/merchants/key-files/list-key-batches";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.read");

export const generateMetadata = merchantTitle(ACCESS, "console.key_batches.title");

export default async function MerchantBatchesPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/keys/batches", KeyBatchesInput, listKeyBatches);
  if (!page) return <NotFoundScreen />;
  const { viewer, path, list, values } = page;
  const tools = <KeysTabs handle={viewer.merchant.handle} current="batches" />;
  return <BatchList path={path} list={list} values={values} tools={tools} />;
}
