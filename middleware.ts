import { type NextRequest, NextResponse } from "next/server";
import { ShopError } from "@/lib/platform/errors";
import { landingCookie } from "@/lib/platform/http/landing-cookie";
import { refusalResponse } from "@/lib/platform/http/refusal";
import { splitTarget } from "@/lib/platform/http/request-limits";
import { responseHeaders } from "@/lib/platform/http/response-headers";
import { isRenderedPerRequest } from "@/lib/platform/http/security-headers";
import { isDatabaseDown } from "@/lib/platform/process-state";
import { currentRequest } from "@/lib/platform/request-scope";
import { closedNotice } from "@/lib/platform/routing/closed-pages";
import { decideRoute, type RouteDecision, routingCookies } from "@/lib/platform/routing/decide-route";

/**
 * Decides about every request that has something to decide: the address (language, device, sign-in), the attribution of
 * a landing address, and the nonce of a page that is rendered for each request. Cached pages need none of it and do not
 * come here. The sign-in is a convenience, because every page checks the session itself. If a decision fails, the
 * request proceeds.
 */
export default function middleware(request: NextRequest): Response {
  try {
    return respond(request);
  } catch (error) {
    console.error("middleware: the decision failed", error);
    return NextResponse.next();
  }
}

function respond(request: NextRequest): Response {
  const decision = decide(request);
  if (decision.kind === "pass") return withLandingCookie(request, pass(request));
  const url = new URL(decision.location, request.url);
  const response = withLandingCookie(request, NextResponse.redirect(url, decision.status));
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("Vary", "User-Agent");
  return response;
}

function decide({ method, nextUrl, headers }: NextRequest): RouteDecision {
  if (method !== "GET" && method !== "HEAD") return { kind: "pass" };
  const { pathname } = nextUrl;
  // The whole query, of which Next has only what a cached page needs (lib/platform/http/prepare-requests.ts).
  const asked = currentRequest()
    ?.url?.replace(/([?&])_rsc=[^&]*(?:&|$)/, "$1")
    .replace(/[?&]$/, "");
  const search = asked === undefined ? nextUrl.search : splitTarget(asked).search;
  const cookies = routingCookies(headers.get("cookie"));
  return decideRoute({ pathname, search, userAgent: headers.get("user-agent"), cookies });
}

function pass(request: NextRequest): Response {
  const { pathname, search } = request.nextUrl;
  if (!isRenderedPerRequest(pathname, search)) return NextResponse.next();
  const refusal = closedNotice(pathname) ?? (isDatabaseDown() ? new ShopError("unavailable") : undefined);
  if (refusal) return refusalResponse(request, refusal);
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const own = responseHeaders(pathname, nonce);
  const headers = new Headers(request.headers);
  // Next takes the nonce for its own scripts from the policy of the request.
  headers.set("content-security-policy", own["Content-Security-Policy"] ?? "");
  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value);
  return response;
}

function withLandingCookie({ nextUrl, headers }: NextRequest, response: Response): Response {
  const signals = { gpc: headers.get("sec-gpc"), dnt: headers.get("dnt") };
  const secure = nextUrl.protocol === "https:";
  const cookie = landingCookie({ pathname: nextUrl.pathname, search: nextUrl.search, signals, secure });
  if (!cookie) return response;
  response.headers.append("Set-Cookie", cookie);
  return response;
}

// Next reads this at build time, so it contains literals only. tests/rules/middleware.test.ts compares it with the routes.
export const config = {
  runtime: "nodejs",
  matcher: [
    // Pages that are rendered for each request: sign-in, personal pages, search and links of emails.
    "/:locale(en|zh|ja)?/:surface(mobile)?/(cart|checkout|payment|payment-billing|profile|order-history|library|coupons|invite|messages|receipt|login|register|set-new-password|reset-password|wishlist|search|search-results|compare|plan|cart-link|i|gift|subscription|unsubscribe|withdraw|report|vendor-confirmation|business/invite)/:path*",
    "/:locale(en|zh|ja)?/(console|merchant)/:path*",
    "/dev/:path*",
    { source: "/:locale(en|zh|ja)?/:surface(mobile)?/blog", has: [{ type: "query", key: "q" }] },
    // A mobile user agent on a desktop path.
    {
      source: "/((?!(?:(?:en|zh|ja)/)?mobile(?:/|$)|api/|_next/|.*\\..*).*)",
      has: [
        {
          type: "header",
          key: "user-agent",
          value: ".*(Mobi|Android|iPhone|iPod|iPad|Opera Mini|BlackBerry|webOS|Windows Phone).*",
        },
      ],
    },
    // A stored language on an unprefixed path.
    {
      source: "/((?!(?:zh|ja)(?:/|$)|api/|_next/|.*\\..*).*)",
      has: [{ type: "cookie", key: "locale", value: "(zh|ja)" }],
    },
    // A landing address with attribution parameters, one rule for each.
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "utm_source" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "utm_medium" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "utm_campaign" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "utm_content" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "source" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "medium" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "campaign" }] },
    { source: "/((?!api/|_next/|.*\\..*).*)", has: [{ type: "query", key: "content" }] },
    // Addresses that redirect to another name or spelling of the page. Only those that end in a slash match the first.
    "/((?!api/|_next/|.*\\..*).+)/",
    "/en/:path*",
    "/(zh|ja)/desktop/:path*",
    "/:locale(zh|ja)?/(forgot-password|maker-answer)",
    "/:locale(zh|ja)?/mobile/(limited-offer|forgot-password|reset-password)",
    "/((?!api/|_next/|.*\\..*).*[A-Z%].*)",
  ],
};
