import {
  unstable_getResponseFromNextConfig as configAnswer,
  getRewrittenUrl,
  unstable_doesMiddlewareMatch as middlewareMatches,
} from "next/experimental/testing/server";
import { NextRequest } from "next/server";
import { describe, expect, it, vi } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { ROUTED_HEADER } from "@/lib/platform/routing/decide-route";
import { localizedPath } from "@/lib/platform/routing/paths";
import { NON_PAGE_PREFIXES, ROUTES } from "@/lib/platform/routing/routes";
import middleware, { config } from "@/middleware";
import nextConfig from "@/next.config";
import { CHROME, IPHONE } from "./page-paths";

describe("middleware matcher", () => {
  const runs = (url: string, headers: Record<string, string> = {}, cookies: Record<string, string> = {}) =>
    middlewareMatches({
      config,
      nextConfig: {},
      url,
      headers: { "user-agent": CHROME, ...headers },
      cookies,
    });

  it("always runs on pages that require a login, also after the server entry", () => {
    const loginPaths = ROUTES.filter((route) => route.access === "login").map((route) => route.path);
    for (const path of loginPaths)
      for (const locale of LOCALES)
        for (const surface of ["desktop", "mobile"] as const) {
          expect(runs(localizedPath(path, { locale, surface }), { [ROUTED_HEADER]: "1" }), path).toBe(true);
        }
  });

  it("runs on public pages only for redirects, and not after the server entry", () => {
    for (const url of ["/", "/zh", "/product/x", "/mobile/product/x", "/ja/search?q=1"]) {
      expect(runs(url), url).toBe(false);
      expect(runs(url, { "user-agent": IPHONE }), url).toBe(!url.includes("/mobile"));
      expect(runs(url, { "user-agent": IPHONE, [ROUTED_HEADER]: "1" }), url).toBe(false);
    }
    expect(runs("/product/x", {}, { locale: "zh" })).toBe(true);
    expect(runs("/zh/product/x", {}, { locale: "zh" })).toBe(false);
    expect(runs("/en/product/x")).toBe(true);
    expect(runs("/en")).toBe(true);
    for (const name of ["/mobile/limited-offer", "/forgot-password", "/mobile/reset-password"])
      for (const url of [name, `/zh${name}`]) {
        expect(runs(url), url).toBe(true);
        expect(runs(url, { [ROUTED_HEADER]: "1" }), url).toBe(false);
      }
    expect(runs("/set-new-password")).toBe(false);
    for (const url of ["/en/desktop/x", "/zh/desktop", "/ja/desktop/cart"]) expect(runs(url), url).toBe(true);
  });

  it("never runs on API calls, files, health checks and tools", () => {
    for (const url of [
      ...NON_PAGE_PREFIXES.map((prefix) => `${prefix}/x`),
      "/healthz",
      "/robots.txt",
      "/api/v1/cart/list",
    ])
      expect(runs(url, { "user-agent": IPHONE }, { locale: "zh" }), url).toBe(false);
  });
});

describe("middleware", () => {
  const visit = (path: string, headers: Record<string, string> = {}) =>
    middleware(new NextRequest(`https://shop.test${path}`, { headers }));

  it("redirects like the server entry, without caching", () => {
    const response = visit("/zh/cart?a=1");
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe("https://shop.test/zh/login?redirect=%2Fzh%2Fcart%3Fa%3D1");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(visit("/cart", { cookie: "next-auth.session-token=x" }).headers.get("x-middleware-next")).toBe(
      "1",
    );
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
  it("lead a password manager to where the password is changed", async () => {
    const response = await configAnswer({ url: "https://shop.test/.well-known/change-password", nextConfig });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toMatch(/\/profile#sign-in$/);
  });
  it("hold security.txt and nothing that does not exist", async () => {
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
