import { getTranslations } from "next-intl/server";
import { FreePassesScreen } from "@/components/coupons/free-passes-screen";
import { listFreeProducts } from "@/lib/catalog/listing/queries-home";
import { getFreeVouchers } from "@/lib/coupons/vouchers/queries";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "coupons.free" });
  return publicMetadata("/free-voucher", location, { title: t("title"), description: t("description") });
}

export default async function FreeVoucherPage({ params }: PageProps) {
  const { locale } = await pageLocation(params);
  const [products, vouchers] = await Promise.all([
    listFreeProducts(locale),
    getFreeVouchers({ kind: "guest", locale }, locale),
  ]);
  return <FreePassesScreen products={products} vouchers={vouchers} />;
}
