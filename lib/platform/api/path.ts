import { memoize } from "@/lib/platform/memoize";
import { CALL_ALIASES } from "@/lib/platform/routing/routes";
import { API_METHODS } from "./methods";

const API_PREFIX = "/api/v1";

const ROUTES = Object.entries(API_METHODS).map(([route, methods]) => {
  const pattern = route
    .replaceAll(".", "\\.")
    .replace(/\[(?:\\\.){3}\w+\]/g, ".+?")
    .replace(/\[\w+\]/g, "[^/]+");
  return { route, methods, pattern: new RegExp(`^${pattern}/?$`) };
});

/** The call of the API at a path: its route file and its methods; null where the API is not meant. */
export const apiRouteAt = memoize((pathname): { route: string; methods: readonly string[] } | null => {
  if (!pathname.startsWith(`${API_PREFIX}/`)) return null;
  const path = pathname.slice(API_PREFIX.length);
  const name = CALL_ALIASES[path] ?? path;
  const found = ROUTES.find(({ pattern }) => pattern.test(name));
  return found ? { route: found.route, methods: found.methods } : null;
});
