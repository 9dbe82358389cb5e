import { getTranslations } from "next-intl/server";
import { FreePassesScreen } from "@/components/coupons/free-passes-screen";
import { listFreeProducts } from "@/lib/catalog/queries-home";
import { getFreeVouchers } from "@/lib/coupons/queries-vouchers";
import { type PageProps, pageLocale } from "@/lib/page";
import { publicMetadata } from "@/lib/page-metadata";
import { pagePlace } from "@/lib/page-place";

export async function generateMetadata({ params }: PageProps) {
  const place = pagePlace(await pageLocale(params), "desktop");
  const t = await getTranslations({ locale: place.locale, namespace: "coupons.free" });
  return publicMetadata("/free-voucher", place, { title: t("title"), description: t("description") });
}

export default async function FreeVoucherPage({ params }: PageProps) {
  const locale = await pageLocale(params);
  const [products, vouchers] = await Promise.all([
    listFreeProducts(locale),
    getFreeVouchers({ kind: "guest", locale }, locale),
  ]);
  return <FreePassesScreen products={products} vouchers={vouchers} />;
}
