import { LOCALES } from "@/lib/platform/i18n/locales";
import { ROUTES } from "@/lib/platform/routing/routes";
import type { SitemapPage } from "./sitemap";

/** Pages without a parameter that are not meant to be found: a search's state, and what a mail's link leads to. */
const NOT_INDEXED = ["/search", "/subscription/confirm", "/unsubscribe", "/withdraw", "/maker-answer"];

/** Every public page that is neither a product nor a post. */
export const staticSitemapPages = (): SitemapPage[] =>
  ROUTES.filter(
    ({ path, access }) => access === "public" && !path.includes("{") && !NOT_INDEXED.includes(path),
  ).map(({ path }) => ({ path, languages: LOCALES }));
