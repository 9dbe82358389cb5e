import { describe, expect, it } from "vitest";
import { methodNotAllowed } from "@/lib/platform/api/method-not-allowed";

const request = (method: string, url: string, language = "en") =>
  methodNotAllowed({ method, url, headers: { "accept-language": language } });

describe("methodNotAllowed", () => {
  it("responds with the envelope and the allowed methods", () => {
    const rejection = request("GET", "/api/v1/cart/add");
    expect(rejection?.status).toBe(405);
    expect(rejection?.headers.Allow).toBe("POST, OPTIONS");
    expect(JSON.parse(rejection?.body ?? "")).toEqual({
      code: "40500",
      state: 40500,
      success: false,
      message: "This call does not take this method.",
      data: null,
    });
    expect(JSON.parse(request("DELETE", "/api/v1/product/detail/7", "ja")?.body ?? "").message).toBe(
      "この呼び出しでは、このメソッドは使えません。",
    );
    expect(request("TRACE", "/api/v1/product/detail/7")?.headers.Allow).toBe("GET, HEAD, OPTIONS");
    expect(request("POST", "/api/v1/openapi.json")?.status).toBe(405);
  });

  it("redirects a GET of the List-Unsubscribe address to its page, and keeps its one-click form", () => {
    const url = "/api/v1/subscription/unsubscribe?token=a%2Bb";
    const toPage = { status: 303, headers: { Location: "/unsubscribe?token=a%2Bb" } };
    for (const method of ["GET", "HEAD"]) expect(request(method, url)).toMatchObject(toPage);
    expect(request("POST", url)).toBeNull();
    expect(request("PUT", url)?.status).toBe(405);
  });

  it("rejects HEAD of a write without a body, and passes HEAD of a read", () => {
    expect(request("HEAD", "/api/v1/cart/add")).toMatchObject({ status: 405, body: "" });
    expect(request("HEAD", "/api/v1/product/list")).toBeNull();
  });

  it("responds to OPTIONS with the allowed methods", () => {
    const headers = { Allow: "GET, HEAD, OPTIONS" };
    expect(request("OPTIONS", "/api/v1/product/list")).toMatchObject({ status: 204, headers });
    expect(request("OPTIONS", "/zh/search?q=x")).toMatchObject({ status: 204, headers });
  });

  it("makes pages read-only, and redirects a form that was sent to a page back to it", () => {
    expect(request("POST", "/zh/withdraw?order_id=1")).toMatchObject({
      status: 303,
      headers: { Location: "/zh/withdraw?order_id=1" },
    });
    for (const method of ["PUT", "DELETE", "PATCH", "PROPFIND"])
      expect(request(method, "/zh/search")).toMatchObject({
        status: 405,
        headers: { Allow: "GET, HEAD, OPTIONS", "Content-Type": "text/html; charset=utf-8" },
      });
    for (const method of ["GET", "HEAD"]) expect(request(method, "/search")).toBeNull();
  });

  it("rejects TRACE at every address", () => {
    for (const path of ["/", "/robots.txt", "/healthz", "/_next/static/x.js", "/dev/mailbox", "/api/v1/none"])
      expect(request("TRACE", path)?.status, path).toBe(405);
  });

  it("passes all other requests", () => {
    expect(request("POST", "/api/v1/cart/add")).toBeNull();
    expect(request("POST", "/api/v1/no/such/call")).toBeNull();
    expect(request("POST", "/robots.txt")).toBeNull();
    expect(request("POST", "/api/auth/callback/github")).toBeNull();
  });
});
