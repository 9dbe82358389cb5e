import { SellerScreen } from "@/components/shell/seller-screen";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";
import { sellerIdentity } from "@/lib/platform/seller";

export const generateMetadata = publicTitle("/legal/seller", {
  title: "ui.seller.title",
  description: "ui.seller.description",
});

export default async function SellerPage({ params }: PageProps) {
  await pageLocation(params);
  return <SellerScreen seller={sellerIdentity()} refundDays={REFUND_DAYS} />;
}
