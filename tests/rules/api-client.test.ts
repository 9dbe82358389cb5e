import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/lib/platform/api/client";
import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out";

const fetchMock = vi.fn<typeof fetch>();
const events: string[] = [];
beforeEach(() => {
  events.length = 0;
  vi.stubGlobal("document", { documentElement: { lang: "zh-Hans" } });
  vi.stubGlobal("localStorage", { getItem: () => null, removeItem: () => {} });
  vi.stubGlobal("dispatchEvent", (event: CustomEvent) => events.push(`${event.type} ${event.detail.code}`));
  vi.stubGlobal("fetch", fetchMock);
});
afterEach(() => vi.unstubAllGlobals());

const respond = (status: number, body: object, headers = {}) =>
  fetchMock.mockResolvedValueOnce(new Response(JSON.stringify(body), { status, headers }));
const lastRequest = () => {
  const [address, init] = fetchMock.mock.lastCall ?? [];
  return {
    address: String(address),
    headers: new Headers(init?.headers),
    body: JSON.parse(String(init?.body ?? "{}")),
  };
};

describe("API client", () => {
  it("sends JSON with a new idempotency key and the page's language", async () => {
    respond(200, { success: true, data: { total: 1 } });
    respond(200, { success: true, data: null });
    expect(await api.post("/cart/add", { product_id: 7, vip_id: 8 })).toEqual({
      ok: true,
      data: { total: 1 },
    });
    const first = lastRequest();
    expect(first.address).toBe("/api/v1/cart/add");
    expect(first.body).toEqual({ product_id: 7, vip_id: 8, target_lang: "zh" });
    expect(first.headers.get("accept-language")).toBe("zh");
    expect(first.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    await api.post("/auth/logout");
    expect(lastRequest().headers.get("idempotency-key")).not.toBe(first.headers.get("idempotency-key"));
  });

  it("sends the fields of a read in the query", async () => {
    respond(200, { success: true, data: {} });
    await api.get("/order/detail", { order_id: "ord_1", user_id: undefined });
    expect(lastRequest().address).toBe("/api/v1/order/detail?target_lang=zh&order_id=ord_1");
  });

  it("returns rejections with the retry delay", async () => {
    respond(429, { success: false, code: "42901", message: "太多", data: null }, { "retry-after": "30" });
    const response = await api.post("/auth/send-verification-code", {
      email: "a@example.com",
      verification_type: "register",
    });
    expect(response).toEqual({
      ok: false,
      code: "42901",
      message: "太多",
      errors: [],
      retryAfterSeconds: 30,
    });
    expect(events).toEqual([]);
  });

  it("emits the signed-out event for 401 and 404, not for a wrong password", async () => {
    respond(401, { success: false, code: "401", message: "" });
    respond(404, { success: false, code: "404", message: "" });
    respond(401, { success: false, code: "40101", message: "" });
    respond(404, { success: false, code: "40401", message: "" });
    for (let i = 0; i < 4; i++) await api.get("/auth/get-info");
    expect(events).toEqual([`${SIGNED_OUT_EVENT} 401`, `${SIGNED_OUT_EVENT} 404`]);
  });

  it("times out after 60 seconds (docs/product.md#10-constants)", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    respond(200, { success: true, data: null });
    await api.get("/product/list");
    expect(timeout).toHaveBeenCalledWith(60_000);
    timeout.mockRestore();
  });

  it("returns the caller's network message without a response", async () => {
    fetchMock.mockRejectedValueOnce(new TypeError("fetch failed"));
    const response = await api.post("/auth/logout", {}, { networkMessage: "Network error" });
    expect(response).toEqual({ ok: false, code: "", message: "Network error", errors: [] });
    fetchMock.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    expect((await api.get("/cart/list")).ok).toBe(false);
  });

  it("returns the page's system message for a response without an envelope", async () => {
    const messages = { networkMessage: "Network error" };
    vi.stubGlobal("document", {
      documentElement: { lang: "zh-Hans" },
      body: { dataset: { systemError: "System error" } },
    });
    fetchMock.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    expect(await api.post("/auth/logout", {}, messages)).toMatchObject({ code: "", message: "System error" });
    respond(200, []);
    expect(await api.post("/auth/logout", {}, messages)).toMatchObject({
      ok: false,
      message: "System error",
    });
  });

  it("sends reports in the page's language, whatever the browser's is", async () => {
    respond(200, { success: true, data: { recorded: true } });
    await api.beacon("/visit/record", { visit_device_type: "desktop", page_url: "/" });
    expect(lastRequest().headers.get("accept-language")).toBe("zh");
    expect(lastRequest().body).toMatchObject({ target_lang: "zh", page_url: "/" });
  });

  it("types paths, fields and responses", async () => {
    respond(200, { success: true, data: { cart_id: "c", quantity: 1, total: 2 } });
    const response = await api.post("/cart/add", { product_id: 7, vip_id: 8 });
    if (response.ok) expect(response.data.total.toFixed()).toBe("2");
    respond(200, { success: true, data: null });
    // @ts-expect-error: a field of another name
    await api.post("/cart/add", { product: 7, vip_id: 8 });
    respond(200, { success: true, data: null });
    // @ts-expect-error: no such call
    await api.post("/cart/ad", { product_id: 7, vip_id: 8 });
    respond(200, { success: true, data: null });
    // @ts-expect-error: order_id is required
    await api.get("/order/detail");
    // @ts-expect-error: the response has no such field
    expect(response.ok && response.data.count).toBeUndefined();
  });
});
