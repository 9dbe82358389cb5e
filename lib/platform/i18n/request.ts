import { getRequestConfig } from "next-intl/server";
import { DEFAULT_LOCALE, isLocale, TIME_ZONE } from "./locales";

/**
 * next-intl's configuration of one render. The locale comes from the path: every layout and page calls
 * `setRequestLocale(locale)` first, so no header or cookie is read while a public page renders.
 */
export default getRequestConfig(async ({ requestLocale }) => {
  const asked = await requestLocale;
  const locale = isLocale(asked) ? asked : DEFAULT_LOCALE;
  const { default: messages } = await import(`@/messages/${locale}.json`);
  return { locale, messages, timeZone: TIME_ZONE };
});
