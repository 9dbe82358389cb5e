import { BatchPage } from "@/components/merchants/key-batches/batch-page";
import { KeysTabs } from "@/components/merchants/keys/keys-tabs";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getKeyBatch } from "@/lib/merchants/key-files/get-key-batch";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord } from "@/lib/platform/pages/merchant-console";

const RECORD = merchantRecord(merchant("keys.read"), {
  title: "console.key_batches.batch",
  read: (id, { viewer, locale }) => getKeyBatch(viewer, id, locale),
  unknown: "key_batch_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function MerchantBatchPage(props: MerchantProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  return (
    <BatchPage
      batch={page.found}
      of="merchant"
      mayWithdraw={mayChange(page.viewer, "keys.write")}
      tools={<KeysTabs handle={page.viewer.merchant.handle} current="batches" />}
    />
  );
}
