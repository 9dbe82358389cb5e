import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { Surface } from "@/lib/platform/routing/paths";
import type { PageUrls } from "./metadata";

/** The bare address of `Name <address>`. */
const senderOf = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** Where a shopper's mail to the shop goes. */
export const supportAddress = () => env().SUPPORT_EMAIL ?? senderOf(env().MAIL_FROM);

/**
 * Where a public page stands and what the shop is called: what its metadata and markup are made for; `support` is
 * where mail to the shop goes.
 */
export const pageUrls = (locale: Locale, surface: Surface): PageUrls & { support: string } => ({
  origin: env().APP_URL,
  brand: env().APP_NAME,
  support: supportAddress(),
  locale,
  surface,
});
