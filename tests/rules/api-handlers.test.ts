import { describe, expect, it } from "vitest";
import { findHandler, noteHandler } from "@/lib/platform/api/handlers";
import { apiRouteAt } from "@/lib/platform/api/path";

describe("where a call of the API lives", () => {
  it("is its route file, with what stands in the gaps", () => {
    expect(apiRouteAt("/api/v1/product/detail/7")).toEqual({
      route: "/product/detail/[id]",
      methods: ["GET"],
      params: { id: "7" },
    });
    expect(apiRouteAt("/api/v1/cart/add")).toMatchObject({ route: "/cart/add", params: {} });
  });

  it("is a path of its own before one with a gap, and the rest is no call", () => {
    expect(apiRouteAt("/api/v1/docs")?.route).toBe("/docs");
    expect(apiRouteAt("/api/v1/product/detail/7/8")).toMatchObject({
      route: "/[...rest]",
      params: { rest: ["product", "detail", "7", "8"] },
    });
    expect(apiRouteAt("/api/v1xproduct/list")).toBeNull();
    expect(apiRouteAt("/api/v1/openapixjson")?.route).toBe("/[...rest]");
  });
});

describe("handlers that are loaded", () => {
  const handler = async () => new Response("made");
  const note = (method: string, path: string) =>
    noteHandler(new Request(`http://localhost${path}`, { method }), handler);

  it("are found by their method and by any path of theirs, once they have been called", () => {
    expect(findHandler("GET", "/api/v1/blog/detail/a-post")).toBeFalsy();
    note("GET", "/api/v1/blog/detail/another");
    expect(findHandler("GET", "/api/v1/blog/detail/a-post")).toEqual({ handler, params: { id: "a-post" } });
    expect(findHandler("HEAD", "/api/v1/blog/detail/a-post")?.handler).toBe(handler);
    expect(findHandler("POST", "/api/v1/blog/detail/a-post")).toBeFalsy();
  });

  it("a picture's short address is that of its call", () => {
    note("GET", "/admin/product-image/7");
    expect(findHandler("GET", "/api/v1/admin/product-image/8")).toEqual({ handler, params: { id: "8" } });
  });

  it("what is not written plainly is for Next to read", () => {
    for (const path of [
      "/api/v1/blog/detail/%61",
      "/api/v1/blog/detail/a/",
      "/api/v1/blog//detail/a",
      "/api/v1/blog/detail/..",
      "/api/v1/blog/./detail/a",
      "/api/v1/blog/detail/a;b",
    ])
      expect(findHandler("GET", path), path).toBeFalsy();
  });
});
