import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { BatchPage } from "@/components/merchants/key-batches/batch-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleBatch } from "@/lib/merchants/key-files/get-key-batch";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("products.read"), {
  path: "/console/keys/batches/[id]",
  title: "console.key_batches.batch",
  read: (id, { locale }) => getConsoleBatch(id, locale),
  unknown: "key_batch_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleBatchPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { locale, viewer, found: batch } = page;
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
