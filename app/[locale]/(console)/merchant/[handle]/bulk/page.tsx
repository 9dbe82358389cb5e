import { BulkScreen } from "@/components/merchants/bulk/bulk-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listPlans } from "@/lib/merchants/bulk/pause-plans";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.read");

export const generateMetadata = merchantTitle(ACCESS, "console.bulk.title");

export default async function MerchantBulkPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { items } = await listPlans(page.viewer, page.locale);
  return (
    <BulkScreen
      handle={page.viewer.merchant.handle}
      plans={items}
      canWrite={mayChange(page.viewer, "products.write")}
    />
  );
}
