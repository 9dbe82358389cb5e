import type { BrowserContext } from "@playwright/test";
import { createTranslator } from "next-intl";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import en from "@/messages/console/en.json" with { type: "json" };
import ja from "@/messages/console/ja.json" with { type: "json" };
import zh from "@/messages/console/zh.json" with { type: "json" };

const MESSAGES = { en, zh, ja };

/** A translator of the console's texts. */
export const consoleTexts = (locale: Locale) =>
  createTranslator({ locale, messages: MESSAGES[locale] as typeof en });

/** The console has one address for all devices. */
export const consolePath = (path: string, locale: Locale) =>
  localizedPath(path, { locale, surface: "desktop" });

/** Signs the browser in as a staff member, or a member of a merchant. */
export async function signInAs(
  context: BrowserContext,
  baseURL: string,
  { cookie }: { cookie: string },
): Promise<void> {
  const [name = "", value = ""] = cookie.split(/=(.*)/s, 2);
  await context.addCookies([{ name, value, url: baseURL }]);
}
