import { memoize } from "@/lib/platform/memoize";
import { API_METHODS } from "./methods";

export const API_PREFIX = "/api/v1";

/** A call's route file, methods, and path parameters. */
export type ApiRoute = {
  route: string;
  methods: readonly string[];
  params: Readonly<Record<string, string | string[]>>;
};

const GAP = /\[(\.{3})?(\w+)\]/g;

const ROUTES = Object.entries(API_METHODS).map(([route, methods]) => ({
  route,
  methods,
  gaps: [...route.matchAll(GAP)].map(([, many, name = ""]) => ({ name, many: many !== undefined })),
  form: new RegExp(
    `^${route
      .replace(GAP, (_, many) => (many ? "<many>" : "<one>"))
      .replaceAll(".", "\\.")
      .replaceAll("<many>", "(.+?)")
      .replaceAll("<one>", "([^/]+)")}/?$`,
  ),
}));

/** The call at a path of the site; null outside the API. */
export const apiRouteAt = memoize((pathname): ApiRoute | null => {
  if (!pathname.startsWith(`${API_PREFIX}/`)) return null;
  const path = pathname.slice(API_PREFIX.length);
  for (const { route, methods, gaps, form } of ROUTES) {
    const match = form.exec(path);
    if (!match) continue;
    const params = gaps.map(({ name, many }, place) => {
      const text = match[place + 1] ?? "";
      return [name, many ? text.split("/") : text] as const;
    });
    return { route, methods, params: Object.fromEntries(params) };
  }
  return null;
});
