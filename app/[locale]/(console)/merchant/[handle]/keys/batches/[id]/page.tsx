import { BatchPage } from "@/components/merchants/key-batches/batch-page";
import { KeysTabs } from "@/components/merchants/keys/keys-tabs";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getKeyBatch } from "@/lib/merchants/key-files/queries";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.read");

export const generateMetadata = merchantTitle(ACCESS, "console.key_batches.batch");

export default async function MerchantBatchPage(props: MerchantProps<"id">) {
  const { id } = await props.params;
  const page = await merchantRecord(props, ACCESS, {
    read: ({ viewer, locale }) => getKeyBatch(viewer, id, locale),
    unknown: "key_batch_unknown",
  });
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
