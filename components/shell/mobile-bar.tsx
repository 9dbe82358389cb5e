import { getTranslations } from "next-intl/server";
import { MobileBarBody } from "@/components/shell/mobile-bar-body";
import { BAR_LINKS, type LinkText } from "@/components/shell/site-links";

/** Shorter words, where the bar has no room for the usual ones. */
const SHORT: Partial<Record<LinkText, "me" | "offers_short">> = { profile: "me", offers: "offers_short" };

/** The phone's bar: home, search, offers, cart with its count, me. The profile's own gate asks guests to log in. */
export async function MobileBar() {
  const t = await getTranslations("ui");
  return (
    <MobileBarBody
      label={t("header.nav")}
      texts={BAR_LINKS.map(({ text }) => t(`links.${SHORT[text] ?? text}`))}
    />
  );
}
