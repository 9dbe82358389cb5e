import fc from "fast-check";
import { unstable_doesMiddlewareMatch as middlewareMatches } from "next/experimental/testing/server";
import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/i18n";
import {
  isMobileAgent,
  localizedPath,
  parsePath,
  safeRedirect,
  toDesktopPath,
  toMobilePath,
} from "@/lib/navigation";
import { decideRoute, ROUTED_HEADER, type RouteRequest, routingCookies } from "@/lib/route-decision";
import { isPagePath, MOBILE_NAMES, NOT_PAGES, ROUTES, routeOf } from "@/lib/routes";
import { config } from "@/middleware";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const guest = { locale: null, hasSession: false };
const ask = (path: string, over: Partial<RouteRequest> = {}) => {
  const [pathname = "", query] = path.split("?");
  return decideRoute({
    pathname,
    search: query ? `?${query}` : "",
    userAgent: CHROME,
    cookies: guest,
    ...over,
  });
};
const to = (location: string, status = 307) => ({ kind: "redirect", location, status });
const pass = { kind: "pass" };

const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/).filter((word) => word !== "detail");
const knownPath = fc
  .tuple(fc.constantFrom(...ROUTES.map((route) => route.path)), slug, fc.integer({ min: 1, max: 999_999 }))
  .map(([path, word, id]) => path.replace("{id}", String(id)).replace("{slug}", word));
const place = fc.record({
  locale: fc.constantFrom(...LOCALES),
  surface: fc.constantFrom("desktop" as const, "mobile" as const),
});
const query = fc
  .array(
    fc.tuple(fc.constantFrom("id", "coupon", "source", "q", "_rsc", "redirect"), fc.string({ maxLength: 8 })),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length ? `?${new URLSearchParams(pairs)}` : ""));
const segment = fc.oneof(
  slug,
  fc.constantFrom(
    "en",
    "zh",
    "ja",
    "mobile",
    "",
    "..",
    "%2e%2e",
    "%2f",
    "%5c",
    "\\",
    "api",
    "cart",
    "limited",
    "limited-offer",
  ),
  fc.string({ maxLength: 6 }),
);
const anyPath = fc.oneof(
  fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`),
  fc.tuple(place, knownPath).map(([where, path]) => localizedPath(path, where)),
);
const request = fc.record({
  pathname: anyPath,
  search: query,
  userAgent: fc.constantFrom(IPHONE, CHROME, "", null),
  cookies: fc.record({ locale: fc.constantFrom(null, ...LOCALES), hasSession: fc.boolean() }),
});

describe("paths", () => {
  it("names the same page on both surfaces", () => {
    expect(toMobilePath("/")).toBe("/mobile");
    expect(toDesktopPath("/mobile")).toBe("/");
    expect(toMobilePath("/zh")).toBe("/zh/mobile");
    expect(toDesktopPath("/zh/mobile")).toBe("/zh");
    expect(toMobilePath("/limited-offer?id=1#top")).toBe("/mobile/limited?id=1#top");
    expect(toDesktopPath("/ja/mobile/limited?id=1")).toBe("/ja/limited-offer?id=1");
    expect(toDesktopPath("/mobile/limited-offer")).toBe("/limited-offer");
    expect(toMobilePath("/reset-password?x=1")).toBe("/mobile/set-new-password?x=1");
    expect(toDesktopPath("/mobile/set-new-password")).toBe("/set-new-password");
    expect(localizedPath("/cart?x=1", { locale: "zh", surface: "mobile" })).toBe("/zh/mobile/cart?x=1");
    expect(localizedPath("/", { locale: "en", surface: "desktop" })).toBe("/");
  });

  it("toDesktop undoes toMobile, and parsing undoes naming", () => {
    fc.assert(
      fc.property(knownPath, place, query, (path, where, search) => {
        const desktop = localizedPath(path, { ...where, surface: "desktop" }) + search;
        expect(toDesktopPath(toMobilePath(desktop))).toBe(desktop);
        expect(toMobilePath(toMobilePath(desktop))).toBe(toMobilePath(desktop));
        expect(parsePath(localizedPath(path, where))).toMatchObject({ ...where, path });
      }),
    );
  });

  it("knows the routes and reserves the word detail", () => {
    expect(routeOf("/product/detail")).toBeUndefined();
    expect(routeOf("/product/detail/12")?.path).toBe("/product/detail/{id}");
    expect(routeOf("/product/novel-writer")?.path).toBe("/product/{slug}");
    expect(routeOf("/%63art")?.access).toBe("login");
    expect(Object.values(MOBILE_NAMES).some((name) => name in MOBILE_NAMES)).toBe(false);
  });

  it("tells agents that name a mobile device", () => {
    expect(isMobileAgent(IPHONE)).toBe(true);
    expect(isMobileAgent("Mozilla/5.0 (Linux; Android 15; Pixel 7) Chrome/142.0 Mobile Safari/537.36")).toBe(
      true,
    );
    for (const agent of [CHROME, "", null, undefined, "curl/8.5", "Mozilla/5.0 (compatible; Googlebot/2.1)"])
      expect(isMobileAgent(agent)).toBe(false);
  });
});

describe("decideRoute", () => {
  it("leaves ordinary visits alone", () => {
    for (const path of [
      "/",
      "/zh",
      "/mobile",
      "/ja/mobile/limited",
      "/product/x?q=1",
      "/login",
      "/nothing/here",
    ])
      expect(ask(path)).toEqual(pass);
  });

  it("never touches calls, files, health and tools", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    for (const path of [
      ...NOT_PAGES,
      ...NOT_PAGES.map((prefix) => `${prefix}/cart`),
      "/robots.txt",
      "/en/logo.svg",
      "/__nextjs_font",
    ])
      expect(ask(path, { userAgent: IPHONE, cookies })).toEqual(pass);
    expect(ask("/developers", { cookies })).toEqual(to("/zh/developers"));
  });

  it("drops /en and trailing slashes for good", () => {
    expect(ask("/en")).toEqual(to("/", 308));
    expect(ask("/en/product/x?q=1")).toEqual(to("/product/x?q=1", 308));
    expect(ask("/en/mobile")).toEqual(to("/mobile", 308));
    expect(ask("/zh/")).toEqual(to("/zh", 308));
    expect(ask("/mobile/limited-offer?id=3")).toEqual(to("/mobile/limited?id=3", 308));
  });

  it("sends an unprefixed visit to the stored language, and only that", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    expect(ask("/", { cookies })).toEqual(to("/zh"));
    expect(ask("/mobile/search?q=a", { cookies })).toEqual(to("/zh/mobile/search?q=a"));
    expect(ask("/ja/search", { cookies })).toEqual(pass);
    expect(ask("/zh/search", { cookies: { locale: "en", hasSession: false } })).toEqual(pass);
  });

  it("sends mobile agents to the twin with the query kept", () => {
    const mobile = (path: string) => ask(path, { userAgent: IPHONE });
    expect(mobile("/?source=x&utm=1")).toEqual(to("/mobile?source=x&utm=1"));
    expect(mobile("/limited-offer?id=1")).toEqual(to("/mobile/limited?id=1"));
    expect(mobile("/zh/product/x")).toEqual(to("/zh/mobile/product/x"));
    expect(mobile("/mobile/product/x")).toEqual(pass);
  });

  it("sends guests to the login page of the same language and surface with the whole address", () => {
    expect(ask("/cart")).toEqual(to("/login?redirect=%2Fcart"));
    expect(ask("/zh/checkout?order_id=a%26b&coupon=C1&_rsc=abc")).toEqual(
      to("/zh/login?redirect=%2Fzh%2Fcheckout%3Forder_id%3Da%2526b%26coupon%3DC1&coupon=C1&_rsc=abc"),
    );
    expect(ask("/ja/mobile/library")).toEqual(to("/ja/mobile/login?redirect=%2Fja%2Fmobile%2Flibrary"));
    expect(ask("/cart", { cookies: { locale: null, hasSession: true } })).toEqual(pass);
  });

  it("takes all steps in one redirect", () => {
    const cookies = { locale: "ja" as const, hasSession: false };
    expect(ask("/en/cart/?id=5", { userAgent: IPHONE, cookies })).toEqual(
      to("/ja/mobile/login?redirect=%2Fja%2Fmobile%2Fcart%3Fid%3D5&id=5"),
    );
  });

  it("never loops, stays on this site, keeps source parameters and remembers only safe addresses", () => {
    fc.assert(
      fc.property(request, (first) => {
        const decision = decideRoute(first);
        if (decision.kind === "pass") return;
        const { location } = decision;
        const url = new URL(location, "https://shop.test");
        expect(location).toMatch(/^\/(?![/\\])/);
        expect(url.origin).toBe("https://shop.test");
        expect(decideRoute({ ...first, pathname: url.pathname, search: url.search })).toEqual(pass);
        const before = new URLSearchParams(first.search);
        for (const name of ["id", "coupon", "source"])
          expect(url.searchParams.getAll(name)).toEqual(before.getAll(name));
        if (parsePath(url.pathname).path !== "/login" || parsePath(first.pathname).path === "/login") return;
        const wanted = url.searchParams.get("redirect");
        expect(wanted).not.toContain("_rsc=");
        if (!first.pathname.includes("%")) expect(safeRedirect(wanted)).not.toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  it("reads cookies", () => {
    expect(routingCookies("a=1; locale=zh; next-auth.session-token=abc")).toEqual({
      locale: "zh",
      hasSession: true,
    });
    expect(routingCookies("locale=xx; next-auth.session-token=; x")).toEqual(guest);
    expect(routingCookies(undefined)).toEqual(guest);
  });
});

describe("safeRedirect", () => {
  it("takes known pages", () => {
    for (const address of [
      "/",
      "/zh",
      "/mobile",
      "/cart?x=1",
      "/ja/mobile/product/novel-writer?id=2",
      "/checkout?order_id=o_1",
    ])
      expect(safeRedirect(address)).toBe(address);
    expect(safeRedirect("/cart#lines")).toBe("/cart");
  });

  it("refuses everything else", () => {
    for (const value of [
      null,
      7,
      "",
      "cart",
      "//evil.example",
      "/\\evil.example",
      "/\\/evil.example",
      "https://evil.example/cart",
      "javascript:alert(1)",
      "/%2f%2fevil.example",
      "/%5cevil.example",
      "/\tcart",
      "/cart\n",
      " /cart",
      "/zh/../cart",
      "/./cart",
      "/%2e%2e/cart",
      "/.//evil.example",
      "/api/v1/auth/logout",
      "/_next/x",
      "/nothing",
      "/login",
      "/zh/register",
      "/mobile/login?redirect=/cart",
      "/product/a%2fb",
      "/@evil.example",
    ])
      expect(safeRedirect(value), String(value)).toBeNull();
  });

  it("never leaves the site, whatever it is given", () => {
    const nasty = fc
      .array(
        fc.constantFrom(
          "/",
          "\\",
          "//",
          "cart",
          "zh",
          "mobile",
          "..",
          ".",
          "%2f",
          "%5C",
          "@",
          ":",
          "?",
          "#",
          "\t",
          "\u0000",
          "evil",
          "https:",
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string(), anyPath, fc.webUrl()), (value) => {
        const address = safeRedirect(value);
        if (address === null) return;
        const url = new URL(address, "https://shop.test");
        expect(url.origin).toBe("https://shop.test");
        expect(routeOf(parsePath(url.pathname).path)).toBeDefined();
        expect(isPagePath(url.pathname)).toBe(true);
        expect(safeRedirect(address)).toBe(address);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("middleware matcher", () => {
  const runs = (url: string, headers: Record<string, string> = {}, cookies: Record<string, string> = {}) =>
    middlewareMatches({
      config,
      nextConfig: {},
      url,
      headers: { "user-agent": CHROME, ...headers },
      cookies,
    });

  it("always runs at login-required pages, also when the entry has decided", () => {
    const gated = ROUTES.filter((route) => route.access === "login").map((route) => route.path);
    for (const path of gated)
      for (const locale of LOCALES)
        for (const surface of ["desktop", "mobile"] as const) {
          expect(runs(localizedPath(path, { locale, surface }), { [ROUTED_HEADER]: "1" }), path).toBe(true);
        }
  });

  it("runs at public pages only where there is work, and not behind the entry", () => {
    for (const url of ["/", "/zh", "/product/x", "/mobile/product/x", "/ja/search?q=1"]) {
      expect(runs(url), url).toBe(false);
      expect(runs(url, { "user-agent": IPHONE }), url).toBe(!url.includes("/mobile"));
      expect(runs(url, { "user-agent": IPHONE, [ROUTED_HEADER]: "1" }), url).toBe(false);
    }
    expect(runs("/product/x", {}, { locale: "zh" })).toBe(true);
    expect(runs("/zh/product/x", {}, { locale: "zh" })).toBe(false);
    expect(runs("/en/product/x")).toBe(true);
    expect(runs("/en")).toBe(true);
    expect(runs("/mobile/limited-offer")).toBe(true);
  });

  it("never runs at calls, files, health and tools", () => {
    for (const url of [
      ...NOT_PAGES.map((prefix) => `${prefix}/x`),
      "/healthz",
      "/robots.txt",
      "/api/v1/cart/list",
    ])
      expect(runs(url, { "user-agent": IPHONE }, { locale: "zh" }), url).toBe(false);
  });
});
