import { LOCALES } from "@/lib/platform/i18n/locales";
import { ROUTES } from "@/lib/platform/routing/routes";
import type { SitemapPage } from "./sitemap";

/** Pages without a parameter that are not indexed: search, and pages behind links of emails. */
const NOT_INDEXED = ["/search", "/subscription/confirm", "/unsubscribe", "/withdraw", "/vendor-confirmation"];

/** Every public page except products and posts. */
export const staticSitemapPages = (): SitemapPage[] =>
  ROUTES.filter(
    ({ path, access }) => access === "public" && !path.includes("{") && !NOT_INDEXED.includes(path),
  ).map(({ path }) => ({ path, languages: LOCALES }));
