import { memoize } from "@/lib/platform/memoize";
import { CALL_ALIASES } from "@/lib/platform/routing/routes";
import { OPERATIONS } from "./operations";

const API_PREFIX = "/api/v1";

const methodsByRoute = new Map<string, string[]>();
for (const operation of OPERATIONS) {
  const [method = "", route = ""] = operation.split(" ");
  methodsByRoute.set(route, [...(methodsByRoute.get(route) ?? []), method]);
}

/** A fixed path comes before one with parameters, the route of unknown calls last. */
const rank = (route: string) => (route.includes("[...") ? 9 : route.split("[").length);
const byRank = [...methodsByRoute].sort(([a], [b]) => rank(a) - rank(b));

const ROUTES = byRank.map(([route, methods]) => {
  const pattern = route
    .replaceAll(".", "\\.")
    .replace(/\[(?:\\\.){3}\w+\]/g, ".+?")
    .replace(/\[\w+\]/g, "[^/]+");
  return { route, methods, pattern: new RegExp(`^${pattern}/?$`) };
});

/** The API call at a path: its route and its methods; null if there is none. */
export const findApiRoute = memoize((pathname): { route: string; methods: readonly string[] } | null => {
  if (!pathname.startsWith(`${API_PREFIX}/`)) return null;
  const path = pathname.slice(API_PREFIX.length);
  const name = CALL_ALIASES[path] ?? path;
  const match = ROUTES.find(({ pattern }) => pattern.test(name));
  return match ? { route: match.route, methods: match.methods } : null;
});
