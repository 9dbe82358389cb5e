import { memoize } from "@/lib/platform/memoize";
import type { RouteContext } from "./declaration";
import { type ApiRoute, apiRouteAt } from "./path";

/** A route handler, as Next calls it. */
type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

// Next bundles the handlers apart from the server entry, so their list lives on globalThis.
const holder = globalThis as typeof globalThis & { passlaneHandlers?: Map<string, RouteHandler> };
holder.passlaneHandlers ??= new Map();
const handlers = holder.passlaneHandlers;

const PLAIN = /^(\/[\w~-][\w.~-]*)+$/;
/** next.config.ts rewrites this one. */
export const PICTURES = "/admin/product-image/";

/** The call at a path that is written plainly: no percent sign, no empty or dotted part, no slash at the end. */
const placeAt = memoize((pathname): ApiRoute | null => {
  if (!PLAIN.test(pathname)) return null;
  return apiRouteAt(pathname.startsWith(PICTURES) ? `/api/v1${pathname}` : pathname);
});

const nameOf = (method: string | undefined, { route }: ApiRoute) =>
  `${method === "HEAD" ? "GET" : method} ${route}`;

/** Says that Next has loaded the handler of this call: from now on the server entry may call it (api-direct.ts). */
export function noteHandler(request: Request, handler: RouteHandler): void {
  const place = placeAt(new URL(request.url).pathname);
  if (place) handlers.set(nameOf(request.method, place), handler);
}

/** The handler of the call at a path, if it is loaded, and what stands in the gaps of the path. */
export function findHandler(method: string | undefined, pathname: string) {
  const place = placeAt(pathname);
  const handler = place && handlers.get(nameOf(method, place));
  return handler && { handler, params: place.params };
}
