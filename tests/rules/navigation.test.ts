import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isMobileAgent,
  localizedPath,
  normalizePath,
  parsePath,
  safeRedirect,
  toDesktopPath,
  toMobilePath,
} from "@/lib/platform/routing/paths";
import { findRoute, isPagePath, MOBILE_NAMES } from "@/lib/platform/routing/routes";
import { rounds } from "../setup/rounds";
import { anyPath, CHROME, IPHONE, knownPath, pagePlace, query } from "./page-paths";

describe("paths", () => {
  it("convert between the surfaces", () => {
    expect(toMobilePath("/")).toBe("/mobile");
    expect(toDesktopPath("/mobile")).toBe("/");
    expect(toMobilePath("/zh")).toBe("/zh/mobile");
    expect(toDesktopPath("/zh/mobile")).toBe("/zh");
    expect(toMobilePath("/limited-offer?id=1#top")).toBe("/mobile/limited?id=1#top");
    expect(toDesktopPath("/ja/mobile/limited?id=1")).toBe("/ja/limited-offer?id=1");
    expect(toDesktopPath("/mobile/limited-offer")).toBe("/limited-offer");
    expect(toDesktopPath("/zh/mobile/search-results?q=a&page=2")).toBe("/zh/search?q=a&page=2");
    expect(toMobilePath("/search?q=a")).toBe("/mobile/search?q=a");
    expect(toMobilePath("/reset-password?x=1")).toBe("/mobile/set-new-password?x=1");
    expect(toDesktopPath("/mobile/set-new-password")).toBe("/set-new-password");
    expect(toMobilePath("/forgot-password?x=1")).toBe("/mobile/set-new-password?x=1");
    expect(localizedPath("/cart?x=1", { locale: "zh", surface: "mobile" })).toBe("/zh/mobile/cart?x=1");
    expect(localizedPath("/", { locale: "en", surface: "desktop" })).toBe("/");
  });

  it("have one spelling, in which a dot between letters is decoded, and a possible dot segment is not", () => {
    for (const [path, normal] of [
      ["/feeds/products%2ejsonl", "/feeds/products.jsonl"],
      ["/feeds/products%2Ejsonl", "/feeds/products.jsonl"],
      ["/%72obots%2Etxt", "/robots.txt"],
    ])
      expect(normalizePath(path!), path).toBe(normal);
    for (const path of ["/%2e%2e/cart", "/a/%2e/b", "/a%2e", "/%2eenv", "/a/%2e%2e", "/a%252eb"])
      expect(normalizePath(path), path).toBe(path);
  });

  it("convert back to the same path, and parse to their parts", () => {
    // Two desktop pages share one mobile page, which converts back to the other of them.
    const paths = knownPath.filter((path) => path !== "/reset-password");
    fc.assert(
      fc.property(paths, pagePlace, query, (path, page, queryString) => {
        const desktop = localizedPath(path, { ...page, surface: "desktop" }) + queryString;
        expect(toDesktopPath(toMobilePath(desktop))).toBe(desktop);
        expect(toMobilePath(toMobilePath(desktop))).toBe(toMobilePath(desktop));
        expect(parsePath(localizedPath(path, page))).toMatchObject({ ...page, path });
      }),
    );
  });

  it("match their route, where `detail` is not a slug", () => {
    expect(findRoute("/product/detail")).toBeUndefined();
    expect(findRoute("/product/detail/12")?.path).toBe("/product/detail/{id}");
    expect(findRoute("/product/novel-writer")?.path).toBe("/product/{slug}");
    expect(findRoute("/%63art")?.access).toBe("login");
    expect(Object.values(MOBILE_NAMES).some((name) => name in MOBILE_NAMES)).toBe(false);
  });

  it("are mobile for the devices that isMobileAgent detects", () => {
    expect(isMobileAgent(IPHONE)).toBe(true);
    expect(isMobileAgent("Mozilla/5.0 (Linux; Android 15; Pixel 7) Chrome/142.0 Mobile Safari/537.36")).toBe(
      true,
    );
    for (const agent of [CHROME, "", null, undefined, "curl/8.5", "Mozilla/5.0 (compatible; Googlebot/2.1)"])
      expect(isMobileAgent(agent)).toBe(false);
  });
});

describe("safeRedirect", () => {
  it("accepts known pages", () => {
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

  it("rejects everything else", () => {
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

  it("never leaves the site for any input", () => {
    const hostile = fc
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
      fc.property(fc.oneof(hostile, fc.string(), anyPath, fc.webUrl()), (value) => {
        const address = safeRedirect(value);
        if (address === null) return;
        const url = new URL(address, "https://shop.test");
        expect(url.origin).toBe("https://shop.test");
        expect(findRoute(parsePath(url.pathname).path)).toBeDefined();
        expect(isPagePath(url.pathname)).toBe(true);
        expect(safeRedirect(address)).toBe(address);
      }),
      { numRuns: rounds(3000, 500) },
    );
  });
});
