import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";

/** The shop's home in the language of a response, for a person whose agent has nothing else to show. */
export const homeUrl = (locale: Locale): string =>
  `${new URL(env().APP_URL).origin}${localizedPath("/", { locale, surface: "desktop" })}`;
