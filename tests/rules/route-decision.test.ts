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
  it("leaves ordinary visits alone", () => {
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

  it("drops /desktop after a language for good", () => {
    expect(ask("/zh/desktop")).toEqual(to("/zh", 308));
    expect(ask("/en/desktop/product/x?q=1")).toEqual(to("/product/x?q=1", 308));
    expect(ask("/ja/desktop/desktop/mobile/limited")).toEqual(to("/ja/mobile/limited", 308));
    expect(ask("/zh/desktop/mobile/search-results")).toEqual(to("/zh/mobile/search-results", 308));
    expect(ask("/zh/desktop/product/x", { userAgent: IPHONE })).toEqual(to("/zh/mobile/product/x"));
    expect(ask("/zh/desktop/cart")).toEqual(to("/zh/login?redirect=%2Fzh%2Fcart"));
  });

  it("leaves /desktop without a language an unknown address, also when a language is stored", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    for (const path of ["/desktop", "/desktop/cart"]) {
      expect(ask(path)).toEqual(pass);
      expect(ask(path, { cookies })).toEqual(pass);
    }
    expect(ask("/desktop/cart", { userAgent: IPHONE })).toEqual(to("/mobile/desktop/cart"));
  });

  it("sends an unprefixed visit to the stored language, and only that", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    expect(ask("/", { cookies })).toEqual(to("/zh"));
    expect(ask("/mobile/search?q=a", { cookies })).toEqual(to("/zh/mobile/search?q=a"));
    expect(ask("/ja/search", { cookies })).toEqual(pass);
    expect(ask("/zh/search", { cookies: { locale: "en", hasSession: false } })).toEqual(pass);
  });

  it("leads from the other names of a page to the page", () => {
    expect(ask("/forgot-password?redirect=%2Fcart")).toEqual(to("/set-new-password?redirect=%2Fcart", 308));
    expect(ask("/ja/mobile/forgot-password")).toEqual(to("/ja/mobile/set-new-password", 308));
    expect(ask("/maker-answer?token=a.b")).toEqual(to("/vendor-confirmation?token=a.b", 308));
    expect(ask("/zh/mobile/reset-password?id=3")).toEqual(to("/zh/mobile/set-new-password?id=3", 308));
    expect(ask("/forgot-password", { userAgent: IPHONE })).toEqual(to("/mobile/set-new-password"));
    expect(ask("/reset-password", { userAgent: IPHONE })).toEqual(to("/mobile/set-new-password"));
    for (const path of ["/set-new-password", "/reset-password", "/mobile/set-new-password"])
      expect(ask(path)).toEqual(pass);
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
    expect(routingCookies("a=1; locale=zh; next-auth.session-token=abc")).toMatchObject({
      locale: "zh",
      hasSession: true,
    });
    expect(routingCookies("locale=xx; next-auth.session-token=; x")).toMatchObject(guest);
    expect(routingCookies(undefined)).toMatchObject(guest);
  });
});

describe("a phone that asked for the desktop page", () => {
  const cookies = { ...guest, wantsDesktop: true };

  it("stays there, and on a phone's page where it is", () => {
    for (const path of ["/", "/ja/product/x", "/mobile/limited", "/limited-offer?source=mail"])
      expect(ask(path, { userAgent: IPHONE, cookies })).toEqual(pass);
  });

  it("is asked to log in on the desktop's login page", () => {
    expect(ask("/cart", { userAgent: IPHONE, cookies })).toEqual(to("/login?redirect=%2Fcart"));
  });

  it("says so by its cookie, and by that alone", () => {
    expect(routingCookies("a=b; surface=desktop").wantsDesktop).toBe(true);
    for (const header of ["surface=mobile", "xsurface=desktop", "surface=desktop2", ""])
      expect(routingCookies(header).wantsDesktop).toBe(false);
  });
});
