import { getTranslations } from "next-intl/server";
import { FooterBody, type FooterProps } from "@/components/shell/footer-body";
import { FOOTER_COLUMNS } from "@/components/shell/site-links";

/** The footer of desktop pages: navigation, contact and support hours (docs/product.md#23-header-footer-banners). */
export async function SiteFooter(props: FooterProps) {
  return <FooterBody {...props} labels={await footerLabels()} />;
}

export type FooterLabels = Awaited<ReturnType<typeof footerLabels>>;

async function footerLabels() {
  const t = await getTranslations("ui");
  return {
    promise: t("footer.promise"),
    language: t("header.language"),
    mobile: t("footer.mobile"),
    columns: FOOTER_COLUMNS.map(({ heading, links }) => [
      t(`footer.${heading}`),
      ...links.map((link) => t(`links.${link.text}`)),
    ]),
    contact: t("footer.contact"),
    hours: t("footer.hours"),
    localHours: t("footer.local_hours", { hours: "%s" }),
    social: t("footer.social"),
  };
}
