/** Who may open a page: everyone, the signed-in, or only guests (the signed-in are sent to their profile by the page). */
export type Access = "public" | "login" | "guest-only";

export type Route = {
  /** The desktop path without locale; `{id}` is a number, any other `{name}` a slug. */
  path: string;
  access: Access;
  /** Opened as a document, never by the router: its content security policy differs from other pages'. */
  document?: true;
  /** Always starts at the top, also on the way back (legal pages). */
  top?: true;
};

/** Every page of the shop (docs/product.md#21-pages), each with a twin under /mobile. The first match wins. */
export const ROUTES: readonly Route[] = [
  { path: "/", access: "public" },
  { path: "/top-trending", access: "public" },
  { path: "/limited-offer", access: "public" },
  { path: "/search", access: "public" },
  { path: "/product/detail/{id}", access: "public" },
  { path: "/product/{slug}", access: "public" },
  { path: "/blog", access: "public" },
  { path: "/blog/detail/{slug}", access: "public" },
  { path: "/free-voucher", access: "public" },
  { path: "/i/{code}", access: "public" },
  { path: "/business/register", access: "public" },
  { path: "/subscription/confirm", access: "public" },
  { path: "/unsubscribe", access: "public" },
  { path: "/withdraw", access: "public" },
  { path: "/vendor-confirmation", access: "public" },
  { path: "/privacy-policy", access: "public", top: true },
  { path: "/terms-of-service", access: "public", top: true },
  { path: "/refund-policy", access: "public", top: true },
  { path: "/login", access: "guest-only", document: true },
  { path: "/register", access: "guest-only", document: true },
  { path: "/set-new-password", access: "guest-only" },
  { path: "/reset-password", access: "guest-only" },
  { path: "/cart", access: "login" },
  { path: "/checkout", access: "login", document: true },
  { path: "/payment/success", access: "login", document: true },
  { path: "/payment/cancel", access: "login", document: true },
  { path: "/payment/error", access: "login", document: true },
  { path: "/payment-billing", access: "login", document: true },
  { path: "/profile", access: "login" },
  { path: "/order-history", access: "login" },
  { path: "/receipt", access: "login" },
  { path: "/library", access: "login" },
  { path: "/coupons", access: "login" },
  { path: "/invite", access: "login" },
];

/** Desktop paths whose mobile name is not the same path. */
export const MOBILE_NAMES: Readonly<Record<string, string>> = {
  "/limited-offer": "/limited",
  "/reset-password": "/set-new-password",
};

/** The way back. `/mobile/set-new-password` is not here: its desktop page of the same name comes first. */
export const DESKTOP_NAMES: Readonly<Record<string, string>> = {
  "/limited": "/limited-offer",
  "/search-results": "/search",
};

/** Other names of pages, on both surfaces: they lead on to the page (docs/product.md#21-pages). */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  "/forgot-password": "/set-new-password",
  "/maker-answer": "/vendor-confirmation",
};

/** Former names of calls, which are still accepted. */
export const CALL_ALIASES: Readonly<Record<string, string>> = {
  "/order/maker-answer": "/order/vendor-confirmation",
};

/** Mobile pages that are not the twin of the desktop page they lead to: they keep their own address. */
export const MOBILE_ONLY: readonly string[] = ["/search-results"];

/** First path segments that are no pages: no locale, no surface, no gate is ever applied to them. */
export const NOT_PAGES = [
  "/api",
  "/_next",
  "/_vercel",
  "/dev",
  "/feeds",
  "/share-image",
  "/healthz",
  "/readyz",
  "/admin/product-image",
] as const;

/** Slugs that would shadow a route of their own. */
const RESERVED_SLUGS = ["detail"];

const MATCHERS = ROUTES.map((route) => ({ route, pattern: patternOf(route.path) }));

function patternOf(path: string): RegExp {
  const slug = `(?!(?:${RESERVED_SLUGS.join("|")})$)[\\w-]{1,120}`;
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name) => (name === "id" ? "\\d{1,9}" : slug))}$`);
}

/** The route of a desktop path without locale, query or trailing slash; percent-encoded letters count as the letters. */
export function routeOf(path: string): Route | undefined {
  const plain = path.includes("%") ? decoded(path) : path;
  return MATCHERS.find(({ pattern }) => pattern.test(plain))?.route;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Is this the path of a page (known or not)? Files, calls and Next's own addresses are not. */
export function isPagePath(pathname: string): boolean {
  if (!/^\/[!-~]*$/.test(pathname) || /\/\/|[\\#?.]|%(?:2e|2f|5c)/i.test(pathname)) return false;
  if (pathname.startsWith("/__nextjs")) return false; // the development overlay
  return !NOT_PAGES.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}
