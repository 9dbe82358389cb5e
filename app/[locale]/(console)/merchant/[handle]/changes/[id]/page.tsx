import { MerchantChangePage } from "@/components/merchants/changes/change-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getMerchantChange } from "@/lib/merchants/changes/queries";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_changes.changes");

export default async function OneMerchantChangePage(props: MerchantProps<"id">) {
  const { id } = await props.params;
  const page = await merchantRecord(props, ACCESS, {
    read: ({ viewer, locale }) => getMerchantChange(viewer, id, locale),
    unknown: "change_unknown",
  });
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
