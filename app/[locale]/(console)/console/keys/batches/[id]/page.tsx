import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { BatchPage } from "@/components/merchants/key-batches/batch-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleBatch } from "@/lib/merchants/key-files/queries";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { mayStaff, staff } from "@/lib/staff/rules";

const ACCESS = staff("products.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.key_batches" }))("batch"),
  );

export default async function ConsoleBatchPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/keys/batches/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const { locale, viewer } = page;
  const batch = await getConsoleBatch(id, locale).catch((error: unknown) => {
    if (!isShopError(error, "key_batch_unknown")) throw error;
  });
  if (!batch) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const t = await consoleTranslations({ locale, namespace: "console.key_batches" });
  return (
    <BatchPage
      batch={batch}
      of="admin"
      mayWithdraw={mayStaff(viewer.staff.roles, "stock.manage")}
      more={[[t("merchant"), batch.merchant]]}
      tools={<KeyViewTabs current="batches" />}
    />
  );
}
