import { NextRequest } from "next/server";
import { describe, expect, it } from "vitest";
import { attributionOfCall, landingCookie } from "@/lib/platform/http/landing-cookie";
import middleware from "@/middleware";

process.env.DATABASE_URL ??= "postgres://not-used"; // the configuration requires it

const SIGNALS = { gpc: null, dnt: null };
const land = (search: string, options: object = {}) =>
  landingCookie({ pathname: "/login", search, signals: SIGNALS, secure: false, ...options });
const withCookie = (cookie: string | null, headers: Record<string, string> = {}) =>
  new Headers({ ...headers, ...(cookie !== null && { cookie }) });
const keptBy = (line: string | null) => attributionOfCall({}, withCookie(line?.split(";", 1)[0] ?? null));

describe("the cookie of a landing address", () => {
  it("is readable, first-party, kept 7 days, and secure over https", () => {
    expect(land("?source=news")).toBe("attribution=source%3Dnews; Max-Age=604800; Path=/; SameSite=Lax");
    expect(land("?source=news", { secure: true })).toMatch(/; Secure$/);
  });

  it("captures the four names, also as utm parameters, and prefers the plain name", () => {
    expect(keptBy(land("?utm_source=a&utm_medium=b&utm_campaign=c%20d&utm_content=%E5%A4%8F&id=7"))).toEqual({
      source: "a",
      medium: "b",
      campaign: "c d",
      content: "夏",
    });
    expect(keptBy(land("?utm_source=a&source=b"))).toEqual({ source: "b" });
    expect(keptBy(land(`?source=${"x".repeat(900)}`))?.source).toHaveLength(200);
    expect(keptBy(land("?source=a;b%0d%0aSet-Cookie:x=1"))).toEqual({ source: "a;b  Set-Cookie:x=1" });
  });

  it("is not set without such parameters, for calls and files, and for visitors who decline", () => {
    for (const search of ["", "?", "?id=7&tracking=t", "?source=", "?source=%20"])
      expect(land(search)).toBeNull();
    expect(land("?source=a", { pathname: "/api/v1/cart/list" })).toBeNull();
    expect(land("?source=a", { pathname: "/robots.txt" })).toBeNull();
    expect(land("?source=a", { signals: { gpc: "1", dnt: null } })).toBeNull();
    expect(land("?source=a", { signals: { gpc: null, dnt: "1" } })).toBeNull();
  });

  it("is set by the middleware, even on redirects", () => {
    const visit = (path: string) =>
      middleware(new NextRequest(`https://shop.test${path}`)).headers.getSetCookie();
    expect(visit("/search?utm_source=news")).toEqual([
      "attribution=source%3Dnews; Max-Age=604800; Path=/; SameSite=Lax; Secure",
    ]);
    expect(visit("/cart?source=news")).toHaveLength(1);
    expect(visit("/cart")).toEqual([]);
  });
});

describe("the attribution of a call", () => {
  it("comes from its fields, else from the cookie", () => {
    const both = withCookie("attribution=source%3Dnews%26campaign%3Dx");
    expect(attributionOfCall({ source: "mail" }, both)).toEqual({ source: "mail" });
    expect(attributionOfCall({}, withCookie("a=b; attribution=source%3Dnews"))).toEqual({ source: "news" });
    expect(attributionOfCall({}, withCookie(null))).toBeNull();
    expect(attributionOfCall({}, withCookie("attribution="))).toBeNull();
  });

  it.each(["Sec-GPC", "DNT"])("is not kept for visitors who decline tracking by %s", (name) => {
    const headers = withCookie("attribution=source%3Dnews", { [name]: "1" });
    expect(attributionOfCall({}, headers)).toBeNull();
    expect(attributionOfCall({ source: "mail" }, headers)).toBeNull();
  });
});
