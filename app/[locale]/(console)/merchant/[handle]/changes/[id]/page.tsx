import { MerchantChangePage } from "@/components/merchants/changes/change-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getMerchantChange } from "@/lib/merchants/changes/get-merchant-change";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord } from "@/lib/platform/pages/merchant-console";

const RECORD = merchantRecord(merchant("products.read"), {
  title: "console.merchant_changes.changes",
  read: (id, { viewer, locale }) => getMerchantChange(viewer, id, locale),
  unknown: "change_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function OneMerchantChangePage(props: MerchantProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { line: _line, ...change } = page.found;
  return (
    <MerchantChangePage
      home={page.home}
      change={change}
      mayWrite={mayChange(page.viewer, "products.write")}
    />
  );
}
