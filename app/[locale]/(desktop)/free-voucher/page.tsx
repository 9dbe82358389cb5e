import { getTranslations } from "next-intl/server";
import { FreePassesScreen } from "@/components/coupons/free-passes-screen";
import { listFreeProducts } from "@/lib/catalog/listing/queries-home";
import { getFreeVouchers } from "@/lib/coupons/vouchers/queries";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocale } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";

export async function generateMetadata({ params }: PageProps) {
  const place = pageUrls(await pageLocale(params), "desktop");
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
