import { getTranslations } from "next-intl/server";
import type { FooterProps } from "@/components/shell/footer-body";
import { MobileFooterBody } from "@/components/shell/mobile-footer-body";
import { FOOTER_COLUMNS } from "@/components/shell/site-links";

/** The footer of mobile pages: the links that are not in the navigation bar, and the link to the desktop version. */
export async function MobileFooter({ brand, ...props }: FooterProps) {
  return <MobileFooterBody {...props} labels={await mobileFooterLabels(brand)} />;
}

export type MobileFooterLabels = Awaited<ReturnType<typeof mobileFooterLabels>>;

async function mobileFooterLabels(brand: string) {
  const t = await getTranslations("ui");
  return {
    nav: t("footer.nav"),
    links: FOOTER_COLUMNS.flatMap(({ links }) => links.map((link) => t(`links.${link.text}`))),
    language: t("header.language"),
    desktop: t("footer.desktop"),
    hours: t("footer.hours"),
    localHours: t("footer.local_hours", { hours: "%s" }),
    social: t("footer.social"),
    promise: t("footer.promise_of", { brand, promise: t("footer.promise") }),
  };
}
