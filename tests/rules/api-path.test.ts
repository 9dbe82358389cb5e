import { describe, expect, it } from "vitest";
import { findApiRoute } from "@/lib/platform/api/path";

describe("findApiRoute", () => {
  it("finds the route file and the methods of a call", () => {
    expect(findApiRoute("/api/v1/product/detail/7")).toEqual({
      route: "/product/detail/[id]",
      methods: ["GET"],
    });
    expect(findApiRoute("/api/v1/cart/add")?.route).toBe("/cart/add");
    expect(findApiRoute("/api/v1/cart/add/")?.route).toBe("/cart/add");
  });

  it("finds a call by its former name", () => {
    expect(findApiRoute("/api/v1/order/maker-answer")).toEqual({
      route: "/order/vendor-confirmation",
      methods: ["POST"],
    });
  });

  it("prefers a fixed path to one with a parameter, and returns null outside the API", () => {
    expect(findApiRoute("/api/v1/docs")?.route).toBe("/docs");
    expect(findApiRoute("/api/v1/product/detail/7/8")?.route).toBe("/[...rest]");
    expect(findApiRoute("/api/v1/openapi.json")?.route).toBe("/openapi.json");
    expect(findApiRoute("/api/v1/openapixjson")?.route).toBe("/[...rest]");
    expect(findApiRoute("/api/v1xproduct/list")).toBeNull();
  });
});
