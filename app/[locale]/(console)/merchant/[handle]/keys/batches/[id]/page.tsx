import { BatchPage } from "@/components/merchants/key-batches/batch-page";
import { KeysTabs } from "@/components/merchants/keys/keys-tabs";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getKeyBatch } from "@/lib/merchants/key-files/queries";
import { merchant, merchantRule } from "@/lib/merchants/rules";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";
import { respondNotFound } from "@/lib/platform/pages/page";

const ACCESS = merchant("keys.read");
type Props = MerchantProps<"id">;

export const generateMetadata = (props: Props) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.key_batches" }))("batch"),
  );

export default async function MerchantBatchPage(props: Props) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { id } = await props.params;
  const batch = await getKeyBatch(page.viewer, id, page.locale).catch((error: unknown) => {
    if (!isShopError(error, "key_batch_unknown")) throw error;
  });
  if (!batch) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { merchant: own, role } = page.viewer;
  return (
    <BatchPage
      batch={batch}
      of="merchant"
      mayWithdraw={merchantRule("keys.write").roles.includes(role)}
      tools={<KeysTabs handle={own.handle} current="batches" />}
    />
  );
}
