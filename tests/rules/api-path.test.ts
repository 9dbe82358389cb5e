import { describe, expect, it } from "vitest";
import { apiRouteAt } from "@/lib/platform/api/path";

describe("apiRouteAt", () => {
  it("finds the route file and the methods of a call", () => {
    expect(apiRouteAt("/api/v1/product/detail/7")).toEqual({
      route: "/product/detail/[id]",
      methods: ["GET"],
    });
    expect(apiRouteAt("/api/v1/cart/add")?.route).toBe("/cart/add");
    expect(apiRouteAt("/api/v1/cart/add/")?.route).toBe("/cart/add");
  });

  it("finds a call by its former name", () => {
    expect(apiRouteAt("/api/v1/order/maker-answer")).toEqual({
      route: "/order/vendor-confirmation",
      methods: ["POST"],
    });
  });

  it("prefers a fixed path to one with a parameter, and returns null outside the API", () => {
    expect(apiRouteAt("/api/v1/docs")?.route).toBe("/docs");
    expect(apiRouteAt("/api/v1/product/detail/7/8")?.route).toBe("/[...rest]");
    expect(apiRouteAt("/api/v1/openapi.json")?.route).toBe("/openapi.json");
    expect(apiRouteAt("/api/v1/openapixjson")?.route).toBe("/[...rest]");
    expect(apiRouteAt("/api/v1xproduct/list")).toBeNull();
  });
});
