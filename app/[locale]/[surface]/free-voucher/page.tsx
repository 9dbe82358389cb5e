import { FreePassesScreen } from "@/components/coupons/free-passes-screen";
import { listFreeProducts } from "@/lib/catalog/listing/get-home-page";
import { getFreeVouchers } from "@/lib/coupons/get-free-vouchers";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/free-voucher", {
  title: "coupons.free.title",
  description: "coupons.free.description",
});

export default async function FreeVoucherPage({ params }: PageProps) {
  const { locale } = await pageLocation(params);
  const [products, vouchers] = await Promise.all([
    listFreeProducts(locale),
    getFreeVouchers({ kind: "guest", locale }, locale),
  ]);
  return <FreePassesScreen products={products} vouchers={vouchers} />;
}
