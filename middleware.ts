import { type NextRequest, NextResponse } from "next/server";
import { landingCookie } from "@/lib/platform/http/landing-cookie";
import { decideRoute, ROUTED_HEADER, routingCookies } from "@/lib/platform/routing/decide-route";

/**
 * Makes the same decision as server.ts, and captures the attribution of landing addresses, where that has not: the shop
 * runs only with it (instrumentation.ts). On login-required pages it always runs: their matchers ignore `x-routed`, so no
 * header can bypass it. It is a convenience, because every page checks the session itself. If it fails, the request
 * proceeds.
 */
export default function middleware(request: NextRequest): NextResponse {
  try {
    const { pathname, search } = request.nextUrl;
    const decision = decideRoute({
      pathname,
      search,
      userAgent: request.headers.get("user-agent"),
      cookies: routingCookies(request.headers.get("cookie")),
    });
    if (decision.kind === "pass") return withLandingCookie(request, NextResponse.next());
    const response = withLandingCookie(
      request,
      NextResponse.redirect(new URL(decision.location, request.url), decision.status),
    );
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("Vary", "User-Agent");
    return response;
  } catch (error) {
    console.error("middleware: the route decision failed", error);
    return NextResponse.next();
  }
}

/** The server entry, if it is present, has set the cookie already. */
function withLandingCookie(request: NextRequest, response: NextResponse): NextResponse {
  const { nextUrl, headers } = request;
  if (headers.has(ROUTED_HEADER)) return response;
  const signals = { gpc: headers.get("sec-gpc"), dnt: headers.get("dnt") };
  const secure = nextUrl.protocol === "https:";
  const cookie = landingCookie({ pathname: nextUrl.pathname, search: nextUrl.search, signals, secure });
  if (cookie) response.headers.append("Set-Cookie", cookie);
  return response;
}

// Next reads this at build time, so it contains literals only. tests/rules/middleware.test.ts compares it with the routes.
export const config = {
  runtime: "nodejs",
  matcher: [
    // Login-required pages, on every surface and in every language.
    "/:locale(en|zh|ja)?/:surface(mobile)?/(cart|checkout|payment|payment-billing|profile|order-history|library|coupons|invite|receipt)/:path*",
    // A mobile user agent on a desktop path.
    {
      source:
        "/((?!mobile(?:/|$)|(?:en|zh|ja)/mobile(?:/|$)|api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [
        {
          type: "header",
          key: "user-agent",
          value: ".*(Mobi|Android|iPhone|iPod|iPad|Opera Mini|BlackBerry|webOS|Windows Phone).*",
        },
      ],
      missing: [{ type: "header", key: "x-routed" }],
    },
    // A stored language on an unprefixed path.
    {
      source:
        "/((?!(?:zh|ja)(?:/|$)|api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "cookie", key: "locale", value: "(zh|ja)" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    // A landing address with attribution parameters, one rule for each.
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "utm_source" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "utm_medium" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "utm_campaign" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "utm_content" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "source" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "medium" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "campaign" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    {
      source:
        "/((?!api(?:/|$)|_next|_vercel|dev(?:/|$)|feeds(?:/|$)|share-image(?:/|$)|healthz|readyz|admin/product-image|.*\\..*).*)",
      has: [{ type: "query", key: "content" }],
      missing: [{ type: "header", key: "x-routed" }],
    },
    // Addresses that redirect to another name of the page.
    { source: "/en/:path*", missing: [{ type: "header", key: "x-routed" }] },
    { source: "/(zh|ja)/desktop/:path*", missing: [{ type: "header", key: "x-routed" }] },
    { source: "/:locale(zh|ja)?/forgot-password", missing: [{ type: "header", key: "x-routed" }] },
    {
      source: "/:locale(zh|ja)?/mobile/(limited-offer|forgot-password|reset-password)",
      missing: [{ type: "header", key: "x-routed" }],
    },
  ],
};
