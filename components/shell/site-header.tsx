import { getTranslations } from "next-intl/server";
import { HeaderBody } from "@/components/shell/header-body";
import { SearchBox } from "@/components/shell/search-box";
import { HEADER_LINKS, SELL_LINK } from "@/components/shell/site-links";

/** The header of desktop pages, without personal data (docs/product.md#23-header-footer-banners). */
export async function SiteHeader({ brand }: { brand: string }) {
  return <HeaderBody brand={brand} labels={await headerLabels()} search={<SearchBox surface="desktop" />} />;
}

export type HeaderLabels = Awaited<ReturnType<typeof headerLabels>>;

async function headerLabels() {
  const t = await getTranslations("ui");
  return {
    skip: t("header.skip"),
    nav: t("header.nav"),
    links: HEADER_LINKS.map(({ text }) => t(`links.${text}`)),
    language: t("header.language"),
    sell: t(`links.${SELL_LINK.text}`),
    accountNav: t("header.account_nav"),
    account: t("links.profile"),
    login: t("links.login"),
    library: t("links.library"),
    cart: t("links.cart"),
  };
}
