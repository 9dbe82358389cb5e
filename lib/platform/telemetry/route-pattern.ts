import { findApiRoute } from "@/lib/platform/api/path";
import { memoize } from "@/lib/platform/memoize";
import { parsePath } from "@/lib/platform/routing/paths";
import { findConsole, findRoute } from "@/lib/platform/routing/routes";

/** The beginnings of addresses that are neither pages nor calls, the longer first. */
const PREFIXES = [
  "/_next/static",
  "/_next",
  "/api/auth",
  "/api/v1",
  "/admin/product-image",
  "/share-image",
  "/show-code",
  "/send-report",
  "/sitemaps",
  "/sitemap.xml",
  "/robots.txt",
  "/llms.txt",
  "/feeds",
  "/.well-known",
  "/dev",
  "/healthz",
  "/readyz",
  "/favicon.ico",
  "/manifest.webmanifest",
];

/**
 * The pattern of an address: `/product/{slug}`, `/api/v1/order/[id]`, `/console/orders`. There are as many as the shop has
 * routes: an address that no route has is `other`. A section of a console is named only if it exists (`status`).
 */
export const routePattern = (pathname: string, status: number): string =>
  findPattern(`${status} ${pathname}`);

const findPattern = memoize((statusAndPath) => {
  const [status = "", pathname = ""] = statusAndPath.split(/ (.*)/s);
  const call = findApiRoute(pathname);
  if (call) return `/api/v1${call.route}`;
  const prefix = PREFIXES.find((start) => pathname === start || pathname.startsWith(`${start}/`));
  if (prefix) return prefix;
  const { path } = parsePath(pathname);
  const console = findConsole(path);
  if (console) return consolePattern(console.path, path, Number(status));
  return findRoute(path)?.path ?? "other";
});

/** `/merchant/{handle}/sales`: the ids and handles of consoles are left out. */
function consolePattern(entry: string, path: string, status: number): string {
  const [, , first, second] = path.split("/");
  const section = entry === "/merchant" ? second : first;
  const start = entry === "/merchant" && first ? `${entry}/{handle}` : entry;
  return status === 200 && section && /^[a-z-]{1,30}$/.test(section) ? `${start}/${section}` : start;
}
