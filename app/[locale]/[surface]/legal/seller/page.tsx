import { getTranslations } from "next-intl/server";
import { SellerScreen } from "@/components/shell/seller-screen";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { webPageJsonLd } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";
import { sellerIdentity } from "@/lib/platform/seller";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/legal/seller", {
  title: "ui.seller.title",
  description: "ui.seller.description",
});

export default async function SellerPage({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "ui" });
  const jsonLd = webPageJsonLd("/legal/seller", location, {
    name: t("seller.title"),
    description: t("seller.description"),
    home: t("legal.home"),
  });
  const addsTax = taxSettings()?.pricesWithoutTax ?? false;
  return (
    <SellerScreen seller={sellerIdentity()} addsTax={addsTax} refundDays={REFUND_DAYS} jsonLd={jsonLd} />
  );
}
