import { BatchList } from "@/components/merchants/key-batches/batch-list";
import { KeysTabs } from "@/components/merchants/keys/keys-tabs";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { KeyBatchesInput } from "@/lib/merchants/key-files/contract";
import { listKeyBatches } from "@/lib/merchants/key-files/queries";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.key_batches" }))("title"),
  );

export default async function MerchantBatchesPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { handle } = page.viewer.merchant;
  const path = `/merchant/${handle}/keys/batches`;
  const { values, list } = await readConsoleList(props, page, path, KeyBatchesInput, (input) =>
    listKeyBatches(page.viewer, input),
  );
  const tools = <KeysTabs handle={handle} current="batches" />;
  return <BatchList path={path} list={list} values={values} tools={tools} />;
}
