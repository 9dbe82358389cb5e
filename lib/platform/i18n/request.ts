import { getRequestConfig } from "next-intl/server";
import { DEFAULT_LOCALE, isLocale, TIME_ZONE } from "./locales";

/**
 * next-intl's request configuration. The locale comes from the path: layouts and pages call
 * `setRequestLocale(locale)` first, so that public pages read no header or cookie.
 */
export default getRequestConfig(async ({ requestLocale }) => {
  const requested = await requestLocale;
  const locale = isLocale(requested) ? requested : DEFAULT_LOCALE;
  const { default: messages } = await import(`@/messages/${locale}.json`);
  return { locale, messages, timeZone: TIME_ZONE };
});
