import { describe, expect, it } from "vitest";
import { methodNotAllowed } from "@/lib/platform/api/method-not-allowed";

const request = (method: string, path: string, language = "en") =>
  methodNotAllowed({ method, headers: { "accept-language": language } }, path, null);

describe("methodNotAllowed", () => {
  it("responds with the envelope and the allowed methods", async () => {
    const rejection = await request("GET", "/api/v1/cart/add");
    expect(rejection?.status).toBe(405);
    expect(rejection?.headers.allow).toBe("POST, OPTIONS");
    expect(JSON.parse(rejection?.body ?? "")).toEqual({
      code: "40500",
      state: 40500,
      success: false,
      message: "This call does not take this method.",
      data: null,
    });
    expect(JSON.parse((await request("DELETE", "/api/v1/product/detail/7", "ja"))?.body ?? "").message).toBe(
      "この呼び出しでは、このメソッドは使えません。",
    );
    expect((await request("TRACE", "/api/v1/product/detail/7"))?.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect((await request("POST", "/api/v1/openapi.json"))?.status).toBe(405);
  });

  it("rejects HEAD of a write without a body, and passes HEAD of a read", async () => {
    expect(await request("HEAD", "/api/v1/cart/add")).toMatchObject({ status: 405, body: "" });
    expect(await request("HEAD", "/api/v1/product/list")).toBeNull();
  });

  it("responds to OPTIONS with the allowed methods", async () => {
    expect(await request("OPTIONS", "/api/v1/product/list")).toMatchObject({
      status: 204,
      headers: { allow: "GET, HEAD, OPTIONS" },
    });
  });

  it("passes all other requests", async () => {
    expect(await request("POST", "/api/v1/cart/add")).toBeNull();
    expect(await request("POST", "/api/v1/no/such/call")).toBeNull();
    expect(await request("POST", "/search")).toBeNull();
    expect(await request("POST", "/api/v1x/cart/add")).toBeNull();
  });
});
