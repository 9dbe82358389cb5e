import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { decideRoute, type RouteRequest, routingCookies } from "@/lib/platform/routing/decide-route";
import { parsePath, safeRedirect } from "@/lib/platform/routing/paths";
import { NOT_PAGES } from "@/lib/platform/routing/routes";
import { anyPath, CHROME, IPHONE, query } from "./addresses";

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

const request = fc.record({
  pathname: anyPath,
  search: query,
  userAgent: fc.constantFrom(IPHONE, CHROME, "", null),
  cookies: fc.record({ locale: fc.constantFrom(null, ...LOCALES), hasSession: fc.boolean() }),
});

describe("decideRoute", () => {
  it("passes ordinary visits", () => {
    for (const path of [
      "/",
      "/zh",
      "/mobile",
      "/ja/mobile/limited",
      "/mobile/search-results?q=x",
      "/zh/mobile/search-results",
      "/product/x?q=1",
      "/login",
      "/nothing/here",
    ])
      expect(ask(path)).toEqual(pass);
  });

  it("passes API calls, files, health checks and tools", () => {
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

  it("removes /en and trailing slashes permanently", () => {
    expect(ask("/en")).toEqual(to("/", 308));
    expect(ask("/en/product/x?q=1")).toEqual(to("/product/x?q=1", 308));
    expect(ask("/en/mobile")).toEqual(to("/mobile", 308));
    expect(ask("/zh/")).toEqual(to("/zh", 308));
    expect(ask("/mobile/limited-offer?id=3")).toEqual(to("/mobile/limited?id=3", 308));
  });

  it("removes /desktop after a language permanently", () => {
    expect(ask("/zh/desktop")).toEqual(to("/zh", 308));
    expect(ask("/en/desktop/product/x?q=1")).toEqual(to("/product/x?q=1", 308));
    expect(ask("/ja/desktop/desktop/mobile/limited")).toEqual(to("/ja/mobile/limited", 308));
    expect(ask("/zh/desktop/mobile/search-results")).toEqual(to("/zh/mobile/search-results", 308));
    expect(ask("/zh/desktop/product/x", { userAgent: IPHONE })).toEqual(to("/zh/mobile/product/x"));
    expect(ask("/zh/desktop/cart")).toEqual(to("/zh/login?redirect=%2Fzh%2Fcart"));
  });

  it("treats /desktop without a language as an unknown path, also with a stored language", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    for (const path of ["/desktop", "/desktop/cart"]) {
      expect(ask(path)).toEqual(pass);
      expect(ask(path, { cookies })).toEqual(pass);
    }
    expect(ask("/desktop/cart", { userAgent: IPHONE })).toEqual(to("/mobile/desktop/cart"));
  });

  it("redirects only unprefixed paths to the stored language", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    expect(ask("/", { cookies })).toEqual(to("/zh"));
    expect(ask("/mobile/search?q=a", { cookies })).toEqual(to("/zh/mobile/search?q=a"));
    expect(ask("/ja/search", { cookies })).toEqual(pass);
    expect(ask("/zh/search", { cookies: { locale: "en", hasSession: false } })).toEqual(pass);
  });

  it("redirects the aliases of a page", () => {
    expect(ask("/forgot-password?redirect=%2Fcart")).toEqual(to("/set-new-password?redirect=%2Fcart", 308));
    expect(ask("/ja/mobile/forgot-password")).toEqual(to("/ja/mobile/set-new-password", 308));
    expect(ask("/zh/mobile/reset-password?id=3")).toEqual(to("/zh/mobile/set-new-password?id=3", 308));
    expect(ask("/forgot-password", { userAgent: IPHONE })).toEqual(to("/mobile/set-new-password"));
    expect(ask("/reset-password", { userAgent: IPHONE })).toEqual(to("/mobile/set-new-password"));
    for (const path of ["/set-new-password", "/reset-password", "/mobile/set-new-password"])
      expect(ask(path)).toEqual(pass);
  });

  it("redirects mobile agents to the mobile page with the query", () => {
    const mobile = (path: string) => ask(path, { userAgent: IPHONE });
    expect(mobile("/?source=x&utm=1")).toEqual(to("/mobile?source=x&utm=1"));
    expect(mobile("/limited-offer?id=1")).toEqual(to("/mobile/limited?id=1"));
    expect(mobile("/zh/product/x")).toEqual(to("/zh/mobile/product/x"));
    expect(mobile("/mobile/product/x")).toEqual(pass);
  });

  it("redirects guests to the login page of the same language and surface with the full path", () => {
    expect(ask("/cart")).toEqual(to("/login?redirect=%2Fcart"));
    expect(ask("/zh/checkout?order_id=a%26b&coupon=C1&_rsc=abc")).toEqual(
      to("/zh/login?redirect=%2Fzh%2Fcheckout%3Forder_id%3Da%2526b%26coupon%3DC1&coupon=C1&_rsc=abc"),
    );
    expect(ask("/ja/mobile/library")).toEqual(to("/ja/mobile/login?redirect=%2Fja%2Fmobile%2Flibrary"));
    expect(ask("/cart", { cookies: { locale: null, hasSession: true } })).toEqual(pass);
  });

  it("combines all redirects in one", () => {
    const cookies = { locale: "ja" as const, hasSession: false };
    expect(ask("/en/cart/?id=5", { userAgent: IPHONE, cookies })).toEqual(
      to("/ja/mobile/login?redirect=%2Fja%2Fmobile%2Fcart%3Fid%3D5&id=5"),
    );
  });

  it("never loops, stays on this site, keeps attribution parameters and stores only safe redirects", () => {
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

  it("routingCookies reads language and session", () => {
    expect(routingCookies("a=1; locale=zh; next-auth.session-token=abc")).toMatchObject({
      locale: "zh",
      hasSession: true,
    });
    expect(routingCookies("locale=xx; next-auth.session-token=; x")).toMatchObject(guest);
    expect(routingCookies(undefined)).toMatchObject(guest);
  });
});

describe("a phone with the desktop cookie", () => {
  const cookies = { ...guest, wantsDesktop: true };

  it("stays on the surface of its URL", () => {
    for (const path of ["/", "/ja/product/x", "/mobile/limited", "/limited-offer?source=mail"])
      expect(ask(path, { userAgent: IPHONE, cookies })).toEqual(pass);
  });

  it("is redirected to the desktop login page", () => {
    expect(ask("/cart", { userAgent: IPHONE, cookies })).toEqual(to("/login?redirect=%2Fcart"));
  });

  it("is recognized by its cookie only", () => {
    expect(routingCookies("a=b; surface=desktop").wantsDesktop).toBe(true);
    for (const header of ["surface=mobile", "xsurface=desktop", "surface=desktop2", ""])
      expect(routingCookies(header).wantsDesktop).toBe(false);
  });
});
