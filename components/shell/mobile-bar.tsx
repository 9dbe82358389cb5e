import { getTranslations } from "next-intl/server";
import { MobileBarBody } from "@/components/shell/mobile-bar-body";
import { BAR_LINKS, type LinkText } from "@/components/shell/site-links";

/** Shorter labels for links whose usual label does not fit the bar. */
const SHORT: Partial<Record<LinkText, "me" | "offers_short">> = { profile: "me", offers: "offers_short" };

/** The mobile navigation bar. The profile page redirects guests to the login. */
export async function MobileBar() {
  const t = await getTranslations("ui");
  return (
    <MobileBarBody
      label={t("header.nav")}
      texts={BAR_LINKS.map(({ text }) => t(`links.${SHORT[text] ?? text}`))}
    />
  );
}
