import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";

/** A kind of page, with the desktop path of an example. */
export type PageKind = {
  name: string;
  path: string;
  /** Excluded from search engines on purpose. */
  noindex?: true;
  /** Visited by a signed-in user. */
  signedIn?: true;
  /** The bars for the sizes of HTML and JavaScript apply. */
  hasSizeBars?: true;
};

export const PAGE_KINDS: readonly PageKind[] = [
  { name: "home", path: "/", hasSizeBars: true },
  { name: "product", path: "/product/quillon-draft", hasSizeBars: true },
  { name: "list", path: "/top-trending" },
  { name: "categories", path: "/categories" },
  { name: "category", path: "/category/writing" },
  { name: "vendor", path: "/vendor/ostrel-works" },
  { name: "comparison", path: "/compare?plans=5001,5002", noindex: true },
  { name: "search", path: "/search?q=draft", noindex: true },
  { name: "blog", path: "/blog" },
  { name: "post", path: "/blog/detail/before-you-upload" },
  { name: "legal", path: "/privacy-policy" },
  { name: "seller", path: "/legal/seller" },
  { name: "help", path: "/help" },
  { name: "free passes", path: "/free-voucher" },
  { name: "login", path: "/login", noindex: true },
  { name: "business", path: "/business/register" },
  { name: "cart", path: "/cart", noindex: true, signedIn: true },
];

export type Visit = { kind: PageKind; locale: Locale; surface: Surface; url: string };

/** Every kind of page in every language on both surfaces. */
export const listVisits = (origin: string, kinds: readonly PageKind[]): Visit[] =>
  kinds.flatMap((kind) =>
    (["desktop", "mobile"] as const).flatMap((surface) =>
      LOCALES.map((locale) => ({
        kind,
        locale,
        surface,
        url: origin + localizedPath(kind.path, { locale, surface }),
      })),
    ),
  );

/** Sizes in bytes as transferred, without response headers. */
export const BARS = {
  html: 18_000,
  javascript: 160_000,
  requests: 30,
  idleRequests: 45,
  performance: { desktop: 98, mobile: 95 },
  openingMs: 100,
} as const;
