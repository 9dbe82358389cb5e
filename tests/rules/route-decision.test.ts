import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { decideRoute, type RouteRequest, routingCookies } from "@/lib/platform/routing/decide-route";
import { parsePath, safeRedirect } from "@/lib/platform/routing/paths";
import { NON_PAGE_PREFIXES } from "@/lib/platform/routing/routes";
import { rounds } from "../setup/rounds";
import { anyPath, CHROME, IPHONE, query } from "./page-paths";

const guest = { locale: null, hasSession: false };
const decide = (path: string, overrides: Partial<RouteRequest> = {}) => {
  const [pathname = "", query] = path.split("?");
  return decideRoute({
    pathname,
    search: query ? `?${query}` : "",
    userAgent: CHROME,
    cookies: guest,
    ...overrides,
  });
};
const redirect = (location: string, status = 307) => ({ kind: "redirect", location, status });
const PASS = { kind: "pass" };

const anyRequest = fc.record({
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
      expect(decide(path)).toEqual(PASS);
  });

  it("leaves the console alone on every device, without a version under /mobile", () => {
    for (const path of ["/console", "/console/orders?status=paid", "/ja/console/enter"]) {
      expect(decide(path), path).toEqual(PASS);
      expect(decide(path, { userAgent: IPHONE }), path).toEqual(PASS);
    }
    const zh = { locale: "zh" as const, hasSession: false };
    expect(decide("/console/orders?a=1", { cookies: zh })).toEqual(redirect("/zh/console/orders?a=1"));
    expect(decide("/mobile/console")).toEqual(PASS);
    expect(decide("/consoles", { userAgent: IPHONE })).toEqual(redirect("/mobile/consoles"));
    expect(safeRedirect("/zh/console/orders?a=1")).toBe("/zh/console/orders?a=1");
  });

  it("passes API calls, files, health checks and tools", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    for (const path of [
      ...NON_PAGE_PREFIXES,
      ...NON_PAGE_PREFIXES.map((prefix) => `${prefix}/cart`),
      "/robots.txt",
      "/en/logo.svg",
      "/__nextjs_font",
    ])
      expect(decide(path, { userAgent: IPHONE, cookies })).toEqual(PASS);
    expect(decide("/developers", { cookies })).toEqual(redirect("/zh/developers"));
  });

  it("removes /en and trailing slashes permanently", () => {
    expect(decide("/en")).toEqual(redirect("/", 308));
    expect(decide("/en/product/x?q=1")).toEqual(redirect("/product/x?q=1", 308));
    expect(decide("/en/mobile")).toEqual(redirect("/mobile", 308));
    expect(decide("/zh/")).toEqual(redirect("/zh", 308));
    expect(decide("/product/x/?a=b")).toEqual(redirect("/product/x?a=b", 308));
    expect(decide("/nothing/here/")).toEqual(redirect("/nothing/here", 308));
    expect(decide("/healthz/?a=b")).toEqual(redirect("/healthz?a=b", 308));
    expect(decide("/zh/desktop/x/")).toEqual(redirect("/zh/x", 308));
    expect(decide("/mobile/limited-offer?id=3")).toEqual(redirect("/mobile/limited?id=3", 308));
  });

  it("redirects an address that ends in a slash to the visitor's language and device in one step", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    expect(decide("/product/x/?a=b", { cookies })).toEqual(redirect("/zh/product/x?a=b"));
    expect(decide("/product/x/?a=b", { userAgent: IPHONE })).toEqual(redirect("/mobile/product/x?a=b"));
    expect(decide("/zh/", { userAgent: IPHONE })).toEqual(redirect("/zh/mobile"));
    expect(decide("/cart/")).toEqual(redirect("/login?redirect=%2Fcart"));
  });

  it("decodes needlessly encoded characters permanently, together with other redirects", () => {
    expect(decide("/product/%71uillon%2Ddraft?plan=1")).toEqual(
      redirect("/product/quillon-draft?plan=1", 308),
    );
    expect(decide("/%7ah/%50roduct/x")).toEqual(redirect("/zh/product/x", 308));
    expect(decide("/ca%72t?a=1")).toEqual(redirect("/login?redirect=%2Fcart%3Fa%3D1"));
    expect(decide("/top%2dtrending", { userAgent: IPHONE })).toEqual(redirect("/mobile/top-trending"));
    for (const path of [
      "/blog/detail/%E6%9C%AC",
      "/product/a%2eb",
      "/a%2Fb",
      "/product/%2571",
      "/%61pi/v1/x",
    ])
      expect(decide(path), path).toEqual(PASS);
  });

  it("redirects capitals permanently to the canonical spelling, with the query unchanged", () => {
    for (const [path, address] of [
      ["/Product/Quillon-Draft?plan=1&q=A", "/product/quillon-draft?plan=1&q=A"],
      ["/ZH/product/x", "/zh/product/x"],
      ["/Zh", "/zh"],
      ["/JA/Mobile/Limited/", "/ja/mobile/limited"],
      ["/EN/Top-Trending", "/top-trending"],
      ["/zh/Desktop/BLOG/Detail/Some-Post", "/zh/blog/detail/some-post"],
      ["/MOBILE/Search-Results?q=B", "/mobile/search-results?q=B"],
      ["/Forgot-Password", "/set-new-password"],
      ["/Product/Detail/12", "/product/detail/12"],
      ["/Category/Writing", "/category/writing"],
      ["/Console/Orders?status=Paid", "/console/orders?status=Paid"],
      ["/Merchant/Studio-9/Keys", "/merchant/studio-9/keys"],
      ["/I/aB3", "/i/aB3"],
      ["/ZH/Gift/aB3-_x", "/zh/gift/aB3-_x"],
      ["/Business/Invite/aB3", "/business/invite/aB3"],
      ["/Console/Disputes/dp_1AbC", "/console/disputes/dp_1AbC"],
    ] as const)
      expect(decide(path), path).toEqual(redirect(address, 308));
    expect(decide("/Cart?a=B")).toEqual(redirect("/login?redirect=%2Fcart%3Fa%3DB"));
    expect(decide("/Product/X", { userAgent: IPHONE })).toEqual(redirect("/mobile/product/x"));
  });

  it("keeps capitals of codes, tokens, ids, calls, files and unknown pages", () => {
    for (const path of [
      "/i/aB3",
      "/gift/aB3",
      "/business/invite/aB3",
      "/console/disputes/dp_1AbC",
      "/api/v1/Product/list",
      "/feeds/Products.jsonl",
      "/Nothing/Here",
      "/console/%E6%9C%AC",
    ])
      expect(decide(path), path).toEqual(PASS);
  });

  it("removes /desktop after a language permanently", () => {
    expect(decide("/zh/desktop")).toEqual(redirect("/zh", 308));
    expect(decide("/en/desktop/product/x?q=1")).toEqual(redirect("/product/x?q=1", 308));
    expect(decide("/ja/desktop/desktop/mobile/limited")).toEqual(redirect("/ja/mobile/limited", 308));
    expect(decide("/zh/desktop/mobile/search-results")).toEqual(redirect("/zh/mobile/search-results", 308));
    expect(decide("/zh/desktop/product/x", { userAgent: IPHONE })).toEqual(redirect("/zh/mobile/product/x"));
    expect(decide("/zh/desktop/cart")).toEqual(redirect("/zh/login?redirect=%2Fzh%2Fcart"));
  });

  it("treats /desktop without a language as an unknown path, also with a stored language", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    for (const path of ["/desktop", "/desktop/cart"]) {
      expect(decide(path)).toEqual(PASS);
      expect(decide(path, { cookies })).toEqual(PASS);
    }
    expect(decide("/desktop/cart", { userAgent: IPHONE })).toEqual(redirect("/mobile/desktop/cart"));
  });

  it("redirects only unprefixed paths to the stored language", () => {
    const cookies = { locale: "zh" as const, hasSession: false };
    expect(decide("/", { cookies })).toEqual(redirect("/zh"));
    expect(decide("/mobile/search?q=a", { cookies })).toEqual(redirect("/zh/mobile/search?q=a"));
    expect(decide("/ja/search", { cookies })).toEqual(PASS);
    expect(decide("/zh/search", { cookies: { locale: "en", hasSession: false } })).toEqual(PASS);
  });

  it("redirects the aliases of a page", () => {
    expect(decide("/forgot-password?redirect=%2Fcart")).toEqual(
      redirect("/set-new-password?redirect=%2Fcart", 308),
    );
    expect(decide("/ja/mobile/forgot-password")).toEqual(redirect("/ja/mobile/set-new-password", 308));
    expect(decide("/maker-answer?token=a.b")).toEqual(redirect("/vendor-confirmation?token=a.b", 308));
    expect(decide("/zh/mobile/reset-password?id=3")).toEqual(
      redirect("/zh/mobile/set-new-password?id=3", 308),
    );
    expect(decide("/forgot-password", { userAgent: IPHONE })).toEqual(redirect("/mobile/set-new-password"));
    expect(decide("/reset-password", { userAgent: IPHONE })).toEqual(redirect("/mobile/set-new-password"));
    for (const path of ["/set-new-password", "/reset-password", "/mobile/set-new-password"])
      expect(decide(path)).toEqual(PASS);
  });

  it("redirects mobile agents to the mobile page with the query", () => {
    const mobile = (path: string) => decide(path, { userAgent: IPHONE });
    expect(mobile("/?source=x&utm=1")).toEqual(redirect("/mobile?source=x&utm=1"));
    expect(mobile("/limited-offer?id=1")).toEqual(redirect("/mobile/limited?id=1"));
    expect(mobile("/zh/product/x")).toEqual(redirect("/zh/mobile/product/x"));
    expect(mobile("/mobile/product/x")).toEqual(PASS);
  });

  it("redirects guests to the login page of the same language and surface with the full path", () => {
    expect(decide("/cart")).toEqual(redirect("/login?redirect=%2Fcart"));
    expect(decide("/zh/checkout?order_id=a%26b&coupon=C1&_rsc=abc")).toEqual(
      redirect("/zh/login?redirect=%2Fzh%2Fcheckout%3Forder_id%3Da%2526b%26coupon%3DC1&coupon=C1&_rsc=abc"),
    );
    expect(decide("/ja/mobile/library")).toEqual(
      redirect("/ja/mobile/login?redirect=%2Fja%2Fmobile%2Flibrary"),
    );
    expect(decide("/cart", { cookies: { locale: null, hasSession: true } })).toEqual(PASS);
  });

  it("combines all redirects in one", () => {
    const cookies = { locale: "ja" as const, hasSession: false };
    expect(decide("/en/cart/?id=5", { userAgent: IPHONE, cookies })).toEqual(
      redirect("/ja/mobile/login?redirect=%2Fja%2Fmobile%2Fcart%3Fid%3D5&id=5"),
    );
  });

  it("never loops, stays on this site, keeps attribution parameters and stores only safe redirects", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const decision = decideRoute(request);
        if (decision.kind === "pass") return;
        const { location } = decision;
        const url = new URL(location, "https://shop.test");
        expect(location).toMatch(/^\/(?![/\\])/);
        expect(url.origin).toBe("https://shop.test");
        expect(decideRoute({ ...request, pathname: url.pathname, search: url.search })).toEqual(PASS);
        const before = new URLSearchParams(request.search);
        for (const name of ["id", "coupon", "source"])
          expect(url.searchParams.getAll(name)).toEqual(before.getAll(name));
        if (parsePath(url.pathname).path !== "/login" || parsePath(request.pathname).path === "/login")
          return;
        const target = url.searchParams.get("redirect");
        expect(target).not.toContain("_rsc=");
        if (!request.pathname.includes("%")) expect(safeRedirect(target)).not.toBeNull();
      }),
      { numRuns: rounds(3000, 500) },
    );
  });

  it("gets language and session from routingCookies", () => {
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
      expect(decide(path, { userAgent: IPHONE, cookies })).toEqual(PASS);
  });

  it("is redirected to the desktop login page", () => {
    expect(decide("/cart", { userAgent: IPHONE, cookies })).toEqual(redirect("/login?redirect=%2Fcart"));
  });

  it("is recognized by its cookie only", () => {
    expect(routingCookies("a=b; surface=desktop").wantsDesktop).toBe(true);
    for (const header of ["surface=mobile", "xsurface=desktop", "surface=desktop2", ""])
      expect(routingCookies(header).wantsDesktop).toBe(false);
  });
});
