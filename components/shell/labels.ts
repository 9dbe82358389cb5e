import { getTranslations } from "next-intl/server";
import { THEMES } from "@/lib/platform/pages/theme";
import { BAR_LINKS, FOOTER_COLUMNS, HEADER_LINKS, type LinkText, SELL_LINK } from "./site-links";

export type HeaderLabels = Awaited<ReturnType<typeof headerLabels>>;

export async function headerLabels() {
  const t = await getTranslations("ui");
  return {
    skip: t("header.skip"),
    nav: t("header.nav"),
    links: HEADER_LINKS.map(({ text }) => t(`links.${text}`)),
    categories: { title: t("links.categories"), all: t("header.all_categories") },
    language: t("header.language"),
    sell: t(`links.${SELL_LINK.text}`),
    accountNav: t("header.account_nav"),
    account: t("links.profile"),
    login: t("links.login"),
    me: t("links.me"),
    library: t("links.library"),
    cart: t("links.cart"),
  };
}

/** The labels of the reader's choices in the footer. */
async function appearanceLabels() {
  const t = await getTranslations("ui.appearance");
  return { theme: t("theme"), themes: THEMES.map((theme) => t(theme)), currency: t("currency") };
}

/** For each column its heading and its links. */
async function footerColumns() {
  const t = await getTranslations("ui");
  return FOOTER_COLUMNS.map(({ heading, links }) => [
    t(`footer.${heading}`),
    ...links.map((link) => t(`links.${link.text}`)),
  ]);
}

export type FooterLabels = Awaited<ReturnType<typeof footerLabels>>;

export async function footerLabels() {
  const t = await getTranslations("ui");
  return {
    promise: t("footer.promise"),
    language: t("header.language"),
    mobile: t("footer.mobile"),
    columns: await footerColumns(),
    contact: t("footer.contact"),
    hours: t("footer.hours"),
    localHours: t("footer.local_hours", { hours: "%s" }),
    social: t("footer.social"),
    appearance: await appearanceLabels(),
  };
}

export type MobileFooterLabels = Awaited<ReturnType<typeof mobileFooterLabels>>;

export async function mobileFooterLabels(brand: string) {
  const t = await getTranslations("ui");
  return {
    nav: t("footer.nav"),
    columns: await footerColumns(),
    language: t("header.language"),
    desktop: t("footer.desktop"),
    hours: t("footer.hours"),
    localHours: t("footer.local_hours", { hours: "%s" }),
    social: t("footer.social"),
    appearance: await appearanceLabels(),
    promise: t("footer.promise_of", { brand, promise: t("footer.promise") }),
  };
}

/** Shorter labels for links whose usual label does not fit the bar. */
const SHORT: Partial<Record<LinkText, "me" | "offers_short">> = { profile: "me", offers: "offers_short" };

export async function mobileBarLabels() {
  const t = await getTranslations("ui");
  return {
    nav: t("header.nav"),
    links: BAR_LINKS.map(({ text }) => t(`links.${SHORT[text] ?? text}`)),
  };
}

export type AnnouncementLabels = Awaited<ReturnType<typeof announcementLabels>>;

export async function announcementLabels() {
  const t = await getTranslations("ui.banner");
  return { name: t("announcement"), details: t("details"), close: t("close_announcement") };
}
