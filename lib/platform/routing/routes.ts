/**
 * Who may open a page: everyone, signed-in users, only guests (the page redirects signed-in users to their profile), or
 * staff or members of a merchant (to everyone else the page does not exist, so that routing redirects no one).
 */
export type Access = "public" | "login" | "guest-only" | "console";

export type Route = {
  /** The desktop path without locale; `{id}` is a number, any other `{name}` a slug. */
  path: string;
  access: Access;
  /**
   * Links load a new document instead of using the router, because its content security policy differs from other
   * pages'.
   */
  document?: true;
  /** Its address is a secret: it is never sent as a referrer, cached or logged (`hideSecrets`). */
  secret?: true;
  /** It shows a signed-in user's own data, so that it is never cached. */
  personal?: true;
  /** The same for everyone: rendered once and cached until it changes (lib/platform/page-cache/page-cache.ts). */
  cached?: true;
  /** One responsive page for all devices, without a version under /mobile. */
  single?: true;
  /** Begins with tickets, and so does its skeleton. */
  tickets?: true;
  /** Starts at the top even on history navigation (legal pages). */
  top?: true;
};

/**
 * Every page of the shop (docs/product.md#21-pages). Each has a mobile version under /mobile. The first match counts.
 */
export const ROUTES: readonly Route[] = [
  { path: "/", access: "public", cached: true, tickets: true },
  { path: "/top-trending", access: "public", cached: true, tickets: true },
  { path: "/limited-offer", access: "public", cached: true, tickets: true },
  { path: "/search", access: "public", tickets: true },
  { path: "/categories", access: "public", cached: true },
  { path: "/category/{slug}", access: "public", cached: true, tickets: true },
  { path: "/vendor/{slug}", access: "public", cached: true, tickets: true },
  { path: "/seller/{handle}", access: "public", cached: true, tickets: true },
  { path: "/compare", access: "public" },
  { path: "/plan", access: "public", tickets: true },
  { path: "/cart-link", access: "public", tickets: true },
  { path: "/wishlist", access: "public", personal: true, tickets: true },
  { path: "/product/detail/{id}", access: "public", cached: true },
  { path: "/product/{slug}", access: "public", cached: true },
  { path: "/blog", access: "public", cached: true },
  { path: "/blog/detail/{slug}", access: "public", cached: true },
  { path: "/free-voucher", access: "public", cached: true, tickets: true },
  { path: "/i/{code}", access: "public" },
  { path: "/gift/{token}", access: "public", secret: true },
  { path: "/business/invite/{token}", access: "public", secret: true },
  { path: "/business/register", access: "public", cached: true },
  { path: "/help", access: "public", cached: true },
  { path: "/agents", access: "public", cached: true },
  { path: "/subscription/confirm", access: "public" },
  { path: "/unsubscribe", access: "public" },
  { path: "/withdraw", access: "public" },
  { path: "/report", access: "public" },
  { path: "/vendor-confirmation", access: "public" },
  { path: "/privacy-policy", access: "public", cached: true, top: true },
  { path: "/terms-of-service", access: "public", cached: true, top: true },
  { path: "/refund-policy", access: "public", cached: true, top: true },
  { path: "/cookies", access: "public", cached: true, top: true },
  { path: "/accessibility", access: "public", cached: true, top: true },
  { path: "/ranking-and-reviews", access: "public", cached: true, top: true },
  { path: "/legal/seller", access: "public", cached: true, top: true },
  { path: "/login", access: "guest-only", document: true },
  { path: "/register", access: "guest-only", document: true },
  { path: "/set-new-password", access: "guest-only" },
  { path: "/reset-password", access: "guest-only" },
  { path: "/cart", access: "login", tickets: true },
  { path: "/checkout", access: "login", document: true },
  { path: "/payment/success", access: "login", document: true },
  { path: "/payment/cancel", access: "login", document: true },
  { path: "/payment/error", access: "login", document: true },
  { path: "/payment-billing", access: "login", document: true },
  { path: "/profile", access: "login" },
  { path: "/order-history", access: "login", tickets: true },
  { path: "/receipt", access: "login" },
  { path: "/library", access: "login", tickets: true },
  { path: "/coupons", access: "login", tickets: true },
  { path: "/invite", access: "login" },
  { path: "/messages", access: "login" },
];

/** The consoles: every path below one of these is a page of its own layout (app/[locale]/(console)). */
export const CONSOLES: readonly Route[] = [
  { path: "/console", access: "console", document: true, single: true },
  { path: "/merchant", access: "console", document: true, single: true },
];

/** Desktop paths with another path on mobile. */
export const MOBILE_NAMES: Readonly<Record<string, string>> = {
  "/limited-offer": "/limited",
  "/reset-password": "/set-new-password",
};

/** Mobile paths with another path on desktop. `/set-new-password` is a desktop path as well, so it is not here. */
export const DESKTOP_NAMES: Readonly<Record<string, string>> = {
  "/limited": "/limited-offer",
  "/search-results": "/search",
};

/** Aliases that redirect to their page on both surfaces (docs/product.md#21-pages). */
export const PATH_ALIASES: Readonly<Record<string, string>> = {
  "/forgot-password": "/set-new-password",
  "/maker-answer": "/vendor-confirmation",
};

/** Former paths of API calls, which are still accepted. */
export const CALL_ALIASES: Readonly<Record<string, string>> = {
  "/order/maker-answer": "/order/vendor-confirmation",
};

/** Mobile pages that keep their own address although their desktop page has another name. */
export const MOBILE_ONLY: readonly string[] = ["/search-results"];

/** Path prefixes that are not pages: locale, surface and login redirects do not apply to them. */
export const NON_PAGE_PREFIXES = [
  "/api",
  "/_next",
  "/_vercel",
  "/dev",
  "/feeds",
  "/share-image",
  "/show-code",
  "/send-report",
  "/healthz",
  "/readyz",
  "/refused",
  "/admin/product-image",
  "/markdown",
  "/mcp",
  "/ucp",
  "/ucp-profile",
] as const;

const MATCHERS = ROUTES.map((route) => ({ route, pattern: toPattern(route.path) }));

function toPattern(path: string): RegExp {
  // No product is called "detail", which would match another route.
  const slug = "(?!detail$)[\\w-]{1,120}";
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name) => (name === "id" ? "\\d{1,9}" : slug))}$`);
}

/** The route of a desktop path without locale, query or trailing slash. Percent-encoded letters are decoded. */
export function findRoute(path: string): Route | undefined {
  const decodedPath = path.includes("%") ? decode(path) : path;
  return MATCHERS.find(({ pattern }) => pattern.test(decodedPath))?.route ?? findConsole(decodedPath);
}

/** Parts of an address that are case-sensitive. */
const CASE_SENSITIVE = ["{code}", "{token}"];

/**
 * A desktop path in lower case, except tokens and invite codes. In a console, segments with an underscore are ids, also of
 * the payment provider, and stay as well. So does the path of no page.
 */
export function toRouteCase(path: string): string {
  const route = findRoute(path.toLowerCase());
  if (!route) return path;
  const isConsole = CONSOLES.includes(route);
  const pattern = route.path.split("/");
  const isExact = (segment: string, index: number) =>
    isConsole ? /[_%]/.test(segment) : CASE_SENSITIVE.includes(pattern[index] ?? "");
  return path
    .split("/")
    .map((segment, index) => (isExact(segment, index) ? segment : segment.toLowerCase()))
    .join("/");
}

/** The console of a path, which is its entry or a page below it. */
export const findConsole = (path: string): Route | undefined =>
  CONSOLES.find((console) => `${path}/`.startsWith(`${console.path}/`));

/** Pages whose documents may load a sign-in provider's script: all that a guest can open. */
export function allowsSignInScripts(path: string): boolean {
  const route = findRoute(path);
  return route !== undefined && (route.access === "public" || route.access === "guest-only");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** True for paths of pages, existing or not. False for files, API calls and Next's own addresses. */
export function isPagePath(pathname: string): boolean {
  if (!/^\/[!-~]*$/.test(pathname) || /\/\/|[\\#?.]|%(?:2e|2f|5c)/i.test(pathname)) return false;
  if (pathname.startsWith("/__nextjs")) return false; // the development overlay
  return !NON_PAGE_PREFIXES.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}
