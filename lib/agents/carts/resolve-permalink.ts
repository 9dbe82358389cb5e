import { CALL_COSTS, countCall } from "@/lib/agents/http/check-request";
import { responseLocale, toErrorResponse } from "@/lib/agents/http/serve-rest";
import { AGENT_SOURCE, readAgentHeader, toAgent } from "@/lib/agents/rules";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { CAPTURED_NAMES } from "@/lib/platform/routing/attribution-cookie";
import { localizedPath } from "@/lib/platform/routing/paths";
import { findRoute, isPagePath } from "@/lib/platform/routing/routes";
import { parsePassList, toCartId } from "./cart-id";

type Context = { params: Promise<{ items?: string[] }> };

/**
 * `GET /ucp/v1/p/{plan}:{quantity},…` (docs/agents.md): redirects with 303 to the page that shows these
 * passes, or to `continue_to` if none of them is sold. Drops all parameters except attribution.
 */
export async function resolvePermalink(request: Request, { params }: Context): Promise<Response> {
  const { headers, url } = request;
  const locale = responseLocale(headers, undefined);
  const agent = readAgentHeader(headers.get("ucp-agent"), null);
  try {
    await countCall(headers, agent, CALL_COSTS.read);
  } catch (error) {
    return toErrorResponse(error, locale);
  }
  const query = new URL(url).searchParams;
  const passes = parsePassList(decodeItems(((await params).items ?? []).join("/")));
  const attribution = attributionOf(query, agent.name);
  const origin = new URL(env().APP_URL).origin;
  const target = passes
    ? localizedPath("/cart-link", { locale, surface: "desktop" })
    : (ownPath(query.getAll("continue_to"), origin) ?? localizedPath("/", { locale, surface: "desktop" }));
  if (passes) attribution.set("cart", toCartId({ passes, agent: agent.name }));
  return new Response(null, {
    status: 303,
    headers: {
      location: `${origin}${target}?${attribution}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}

/** The items with decoded identifiers; empty if one of them is malformed. */
function decodeItems(items: string): string {
  const pairs = items.split(",").map((pair) => {
    const [, token = "", quantity = ""] = /^(.*):([1-9]\d{0,3})$/.exec(safeDecode(pair)) ?? [];
    const id = token.startsWith("~") ? fromBase64Url(token.slice(1)) : token;
    // A pass by its number, or by its sku.
    const [, number] = /^(?:[1-9]\d{0,8}-)?([1-9]\d{0,8})$/.exec(id ?? "") ?? [];
    return number ? `${number}:${quantity}` : "";
  });
  return pairs.includes("") ? "" : pairs.join(",");
}

const safeDecode = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
};

function fromBase64Url(text: string): string | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes.toString() : null;
}

/** The source of a permalink, unless it names its own, plainly or as `attribution/utm_source`. */
function attributionOf(query: URLSearchParams, agent: string): URLSearchParams {
  const named = new URLSearchParams();
  for (const name of CAPTURED_NAMES)
    for (const key of [name, `utm_${name}`, `attribution/${name}`, `attribution/utm_${name}`]) {
      const value = query.get(key)?.slice(0, 100);
      if (value) named.set(name, value);
    }
  if (!named.has("source")) {
    named.set("source", AGENT_SOURCE);
    if (!named.has("campaign")) named.set("campaign", agent === toAgent({}).name ? "permalink" : agent);
  }
  return named;
}

/** The page of the shop that a permalink redirects to; null for any other address, and for more than one. */
function ownPath(targets: readonly string[], origin: string): string | null {
  const [path, ...others] = targets;
  if (!path || others.length > 0 || !/^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(path)) return null;
  const target = new URL(path, origin);
  if (target.origin !== origin || !isPagePath(target.pathname)) return null;
  const [, first = "", ...rest] = target.pathname.split("/");
  const page: { locale: Locale; path: string } = isLocale(first)
    ? { locale: first, path: `/${rest.join("/")}` }
    : { locale: DEFAULT_LOCALE, path: target.pathname };
  return findRoute(page.path.replace(/\/$/, "") || "/") ? target.pathname : null;
}
