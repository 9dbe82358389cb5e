import {
  unstable_getResponseFromNextConfig as configAnswer,
  getRewrittenUrl,
  unstable_doesMiddlewareMatch as middlewareMatches,
} from "next/experimental/testing/server";
import { NextRequest } from "next/server";
import { describe, expect, it, vi } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { processState } from "@/lib/platform/process-state";
import { localizedPath } from "@/lib/platform/routing/paths";
import { NON_PAGE_PREFIXES, ROUTES } from "@/lib/platform/routing/routes";
import middleware, { config } from "@/middleware";
import nextConfig from "@/next.config";
import { CHROME, IPHONE } from "./page-paths";

process.env.DATABASE_URL ??= "postgres://not-used"; // the configuration requires it

const SIGNED_IN = { cookie: "next-auth.session-token=x" };
const visit = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  middleware(new NextRequest(`https://shop.test${path}`, { headers, method }));

describe("middleware matcher", () => {
  const runs = (url: string, headers: Record<string, string> = {}, cookies: Record<string, string> = {}) =>
    middlewareMatches({
      config,
      nextConfig: {},
      url,
      headers: { "user-agent": CHROME, ...headers },
      cookies,
    });

  it("runs on every page that is rendered for each request, in each language and on each surface", () => {
    for (const { path, cached } of ROUTES)
      for (const locale of LOCALES)
        for (const surface of ["desktop", "mobile"] as const) {
          const address = localizedPath(path.replace("{id}", "7").replace(/\{\w+\}/, "novel"), {
            locale,
            surface,
          });
          expect(runs(address), address).toBe(cached !== true);
        }
    for (const address of [
      "/console",
      "/console/orders",
      "/zh/merchant/x/keys",
      "/blog?q=x",
      "/ja/mobile/blog?q=x",
    ])
      expect(runs(address), address).toBe(true);
  });

  it("runs on cached pages only for redirects and attribution", () => {
    for (const url of ["/", "/zh", "/product/x", "/mobile/product/x", "/ja/blog?page=2", "/nowhere"]) {
      expect(runs(url), url).toBe(false);
      expect(runs(url, { "user-agent": IPHONE }), url).toBe(!url.includes("/mobile"));
    }
    expect(runs("/product/x", {}, { locale: "zh" })).toBe(true);
    expect(runs("/zh/product/x", {}, { locale: "zh" })).toBe(false);
    for (const name of [
      "utm_source",
      "utm_medium",
      "utm_campaign",
      "utm_content",
      "source",
      "medium",
      "campaign",
      "content",
    ])
      expect(runs(`/product/x?${name}=a`), name).toBe(true);
    for (const url of [
      "/en/product/x",
      "/en",
      "/zh/",
      "/product/x/",
      "/product/x/?a=b",
      "/nowhere/",
      "/healthz/",
      "/Product/x",
      "/product/%71uillon",
      "/zh/forgot-password",
      "/maker-answer",
    ])
      expect(runs(url), url).toBe(true);
    for (const name of ["/mobile/limited-offer", "/forgot-password", "/mobile/reset-password"])
      for (const url of [name, `/zh${name}`]) expect(runs(url), url).toBe(true);
    for (const url of ["/en/desktop/x", "/zh/desktop", "/ja/desktop/cart"]) expect(runs(url), url).toBe(true);
  });

  it("never runs on API calls and files, and redirects nothing that is not a page", () => {
    for (const url of ["/api/v1/cart/list", "/_next/static/x", "/robots.txt", "/sitemaps/posts.xml"])
      expect(runs(url, { "user-agent": IPHONE }, { locale: "zh" }), url).toBe(false);
    for (const prefix of NON_PAGE_PREFIXES)
      expect(
        visit(`${prefix}/x`, { "user-agent": IPHONE, cookie: "locale=zh" }).headers.get("location"),
      ).toBeNull();
  });
});

describe("middleware", () => {
  it("redirects an address that ends in a slash to the final one in one step", () => {
    const response = visit("/product/x/?a=b", { cookie: "locale=zh", "user-agent": IPHONE });
    expect([response.status, response.headers.get("location")]).toEqual([
      307,
      "https://shop.test/zh/mobile/product/x?a=b",
    ]);
    expect(visit("/zh/").headers.get("location")).toBe("https://shop.test/zh");
    expect(visit("/zh").headers.get("x-middleware-next")).toBe("1");
  });

  it("redirects without caching", () => {
    const response = visit("/zh/cart?a=1");
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe("https://shop.test/zh/login?redirect=%2Fzh%2Fcart%3Fa%3D1");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(visit("/cart", SIGNED_IN).headers.get("x-middleware-next")).toBe("1");
  });

  it("gives a nonce to pages that are rendered per request, and to no other page", () => {
    const policies = [1, 2].map(() => visit("/login").headers.get("content-security-policy") ?? "");
    const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1]);
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(visit("/login").headers.get("x-middleware-request-content-security-policy")).toContain("'nonce-");
    expect(visit("/?source=a").headers.get("content-security-policy")).toBeNull();
  });

  it("refuses pages that are rendered per request while the database is down or the shop closed", async () => {
    processState.shop = { closed: true, readAt: 0 };
    expect([visit("/cart", SIGNED_IN).status, visit("/login").status]).toEqual([503, 200]);
    processState.shop.closed = false;
    processState.database = { isDown: () => true } as typeof processState.database;
    const response = visit("/ja/login");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await response.text()).toContain('<html lang="ja">');
    processState.database = undefined;
  });

  it("passes the request when it fails", () => {
    vi.spyOn(console, "error").mockImplementationOnce(() => {});
    const request = {
      get nextUrl(): never {
        throw new Error("broken");
      },
    } as unknown as NextRequest;
    expect(middleware(request).headers.get("x-middleware-next")).toBe("1");
  });
});

describe("well-known addresses", () => {
  it("lead a password manager to the page where the password is changed", async () => {
    const response = await configAnswer({ url: "https://shop.test/.well-known/change-password", nextConfig });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toMatch(/\/profile#sign-in$/);
  });
  it("contain security.txt and nothing that does not exist", async () => {
    const path = async (name: string) =>
      getRewrittenUrl(await configAnswer({ url: `https://shop.test/.well-known/${name}`, nextConfig }));
    expect(await path("security.txt")).toBe("https://shop.test/security.txt");
    expect(await path("resource-that-should-not-exist-whose-status-code-should-not-be-200")).toBeNull();
  });
});

describe("page rewrites", () => {
  const rewritten = async (path: string) => {
    const response = await configAnswer({ url: `https://shop.test${path}`, nextConfig });
    return getRewrittenUrl(response)?.replace("https://shop.test", "") ?? null;
  };

  it.each([
    ["/", "/en/desktop"],
    ["/product/x", "/en/desktop/product/x"],
    ["/mobile", "/en/mobile"],
    ["/mobile/product/x", "/en/mobile/product/x"],
    ["/english-notes", "/en/desktop/english-notes"],
    ["/developer", "/en/desktop/developer"],
    ["/zh", "/zh/desktop"],
    ["/ja/cart", "/ja/desktop/cart"],
    ["/zh/mobile/limited", "/zh/mobile/limited-offer"],
    ["/zh/desktop/cart", "/zh/desktop/desktop/cart"],
    ["/console", "/en/console"],
    ["/console/orders", "/en/console/orders"],
    ["/consoles", "/en/desktop/consoles"],
    ["/mobile/console", "/en/mobile/console"],
  ])("lead %s to %s", async (path, folder) => expect(await rewritten(path)).toBe(folder));

  it.each([
    ["/product/x/5001", "/product/x?plan=5001"],
    ["/zh/mobile/product/detail/7/5001", "/zh/mobile/product/detail/7?plan=5001"],
    ["/category/writing/price_asc/2", "/category/writing?sort=price_asc&page=2"],
    ["/top-trending/default/2", "/top-trending?page=2"],
    ["/blog/default/2", "/blog?page=2"],
    ["/ja/blog/search", "/ja/blog"],
  ])("lead from the path inside %s to its address", async (path, address) => {
    const response = await configAnswer({ url: `https://shop.test${path}`, nextConfig });
    expect([response.status, response.headers.get("location")]).toEqual([308, `https://shop.test${address}`]);
  });

  it("remove a slash at the end of calls and files, which the middleware does not see", async () => {
    for (const path of ["/api/v1/product/list", "/robots.txt", "/.well-known/security.txt"]) {
      const response = await configAnswer({ url: `https://shop.test${path}/?a=b`, nextConfig });
      expect([response.status, response.headers.get("location")]).toEqual([
        308,
        `https://shop.test${path}?a=b`,
      ]);
    }
    for (const path of ["/product/x/", "/zh/", "/robots.txt"])
      expect((await configAnswer({ url: `https://shop.test${path}`, nextConfig })).status, path).toBe(200);
  });

  it("leave a product number unchanged", async () => {
    expect(await rewritten("/product/detail/1001")).toBe("/en/desktop/product/detail/1001");
  });

  it("do not apply to prefixed mobile pages, API calls, files, health checks and tools", async () => {
    const excluded = NON_PAGE_PREFIXES.filter((prefix) => prefix !== "/admin/product-image").flatMap(
      (prefix) => [prefix, `${prefix}/x`],
    );
    for (const path of [
      "/ja/mobile/cart",
      "/ja/console/orders",
      "/zh/console",
      "/robots.txt",
      "/icons/a.svg",
      ...excluded,
    ])
      expect(await rewritten(path), path).toBeNull();
    expect(await rewritten("/admin/product-image/12?width=320")).toBe(
      "/api/v1/admin/product-image/12?width=320",
    );
  });
});
