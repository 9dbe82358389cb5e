import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, apiClient } from "@/lib/platform/api/client";
import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out-event";

const answers = vi.fn<typeof fetch>();
const heard: string[] = [];
beforeEach(() => {
  heard.length = 0;
  vi.stubGlobal("document", { documentElement: { lang: "zh-Hans" } });
  vi.stubGlobal("localStorage", { getItem: () => null, removeItem: () => {} });
  vi.stubGlobal("dispatchEvent", (event: CustomEvent) => heard.push(`${event.type} ${event.detail.code}`));
  vi.stubGlobal("fetch", answers);
});
afterEach(() => vi.unstubAllGlobals());

const say = (status: number, body: object, headers = {}) =>
  answers.mockResolvedValueOnce(new Response(JSON.stringify(body), { status, headers }));
const sent = () => {
  const [address, init] = answers.mock.lastCall ?? [];
  return {
    address: String(address),
    headers: new Headers(init?.headers),
    body: JSON.parse(String(init?.body ?? "{}")),
  };
};

describe("API client", () => {
  it("sends JSON with a new idempotency key and the page's language", async () => {
    say(200, { success: true, data: { total: 1 } });
    say(200, { success: true, data: null });
    expect(await api.post("/cart/add", { product_id: 7, vip_id: 8 })).toEqual({
      ok: true,
      data: { total: 1 },
    });
    const first = sent();
    expect(first.address).toBe("/api/v1/cart/add");
    expect(first.body).toEqual({ product_id: 7, vip_id: 8, target_lang: "zh" });
    expect(first.headers.get("accept-language")).toBe("zh");
    expect(first.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    await api.post("/auth/logout");
    expect(sent().headers.get("idempotency-key")).not.toBe(first.headers.get("idempotency-key"));
  });

  it("sends the fields of a read in the query", async () => {
    say(200, { success: true, data: {} });
    await api.get("/order/detail", { order_id: "ord_1", user_id: undefined });
    expect(sent().address).toBe("/api/v1/order/detail?order_id=ord_1&target_lang=zh");
  });

  it("returns rejections with the retry delay", async () => {
    say(429, { success: false, code: "42901", message: "太多", data: null }, { "retry-after": "30" });
    const answer = await api.post("/auth/send-verification-code", {
      email: "a@example.com",
      verification_type: "register",
    });
    expect(answer).toEqual({ ok: false, code: "42901", message: "太多", errors: [], retryAfterSeconds: 30 });
    expect(heard).toEqual([]);
  });

  it("emits the signed-out event for 401 and 404, not for a wrong password", async () => {
    say(401, { success: false, code: "401", message: "" });
    say(404, { success: false, code: "404", message: "" });
    say(401, { success: false, code: "40101", message: "" });
    say(404, { success: false, code: "40401", message: "" });
    for (let i = 0; i < 4; i++) await api.get("/auth/get-info");
    expect(heard).toEqual([`${SIGNED_OUT_EVENT} 401`, `${SIGNED_OUT_EVENT} 404`]);
  });

  it("times out after 60 seconds (docs/product.md#10-constants)", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    say(200, { success: true, data: null });
    await api.get("/product/list");
    expect(timeout).toHaveBeenCalledWith(60_000);
    timeout.mockRestore();
  });

  it("returns the caller's network message without a response", async () => {
    answers.mockRejectedValueOnce(new TypeError("fetch failed"));
    const answer = await api.post("/auth/logout", {}, { networkMessage: "Network error" });
    expect(answer).toEqual({ ok: false, code: "", message: "Network error", errors: [] });
    answers.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    expect((await api.get("/cart/list")).ok).toBe(false);
  });

  it("returns the caller's system message for a response without an envelope", async () => {
    const words = { networkMessage: "Network error", systemMessage: "System error" };
    answers.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    expect(await api.post("/auth/logout", {}, words)).toMatchObject({ code: "", message: "System error" });
    say(200, []);
    expect(await api.post("/auth/logout", {}, words)).toMatchObject({ ok: false, message: "System error" });
  });

  it("sends a bearer token outside a page, without cookies and events", async () => {
    const program = apiClient({ token: "t.o.k", origin: "https://shop.example", language: () => "ja" });
    say(401, { success: false, code: "401", message: "" });
    await program.get("/cart/list");
    const [address, init] = answers.mock.lastCall ?? [];
    expect(String(address)).toBe("https://shop.example/api/v1/cart/list?target_lang=ja");
    expect(init).toMatchObject({ credentials: "omit" });
    expect(sent().headers.get("authorization")).toBe("Bearer t.o.k");
    expect(heard).toEqual([]);
  });

  it("types paths, fields and responses", async () => {
    say(200, { success: true, data: { cart_id: "c", quantity: 1, total: 2 } });
    const answer = await api.post("/cart/add", { product_id: 7, vip_id: 8 });
    if (answer.ok) expect(answer.data.total.toFixed()).toBe("2");
    say(200, { success: true, data: null });
    // @ts-expect-error: a field of another name
    await api.post("/cart/add", { product: 7, vip_id: 8 });
    say(200, { success: true, data: null });
    // @ts-expect-error: no such call
    await api.post("/cart/ad", { product_id: 7, vip_id: 8 });
    say(200, { success: true, data: null });
    // @ts-expect-error: order_id is required
    await api.get("/order/detail");
    // @ts-expect-error: the response has no such field
    expect(answer.ok && answer.data.count).toBeUndefined();
  });
});
