import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/lib/api-client";
import { SIGNED_OUT_EVENT } from "@/lib/signed-out-event";

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

describe("the browser's client", () => {
  it("sends JSON with a fresh key and the page's language", async () => {
    say(200, { success: true, data: { total: 1 } });
    say(200, { success: true, data: null });
    expect(await api.post("/cart/add", { product_id: 7 })).toEqual({ ok: true, data: { total: 1 } });
    const first = sent();
    expect(first.address).toBe("/api/v1/cart/add");
    expect(first.body).toEqual({ product_id: 7, target_lang: "zh" });
    expect(first.headers.get("accept-language")).toBe("zh");
    expect(first.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    await api.post("/cart/add");
    expect(sent().headers.get("idempotency-key")).not.toBe(first.headers.get("idempotency-key"));
  });

  it("puts the query of a read in the address", async () => {
    say(200, { success: true, data: {} });
    await api.get("/order/detail", { order_id: "ord_1", page: undefined });
    expect(sent().address).toBe("/api/v1/order/detail?order_id=ord_1&target_lang=zh");
  });

  it("hands refusals to the caller, with the time to wait", async () => {
    say(429, { success: false, code: "42901", message: "太多", data: null }, { "retry-after": "30" });
    const answer = await api.post("/auth/send-verification-code");
    expect(answer).toEqual({ ok: false, code: "42901", message: "太多", errors: [], retryAfterSeconds: 30 });
    expect(heard).toEqual([]);
  });

  it("tells the shell when the session is over, not when a password was wrong", async () => {
    say(401, { success: false, code: "401", message: "" });
    say(404, { success: false, code: "404", message: "" });
    say(401, { success: false, code: "40101", message: "" });
    say(404, { success: false, code: "40401", message: "" });
    for (let i = 0; i < 4; i++) await api.get("/auth/get-info");
    expect(heard).toEqual([`${SIGNED_OUT_EVENT} 401`, `${SIGNED_OUT_EVENT} 404`]);
  });

  it("waits for an answer 60 seconds and no longer (spec §9)", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    say(200, { success: true, data: null });
    await api.get("/product/list");
    expect(timeout).toHaveBeenCalledWith(60_000);
    timeout.mockRestore();
  });

  it("says the caller's words when no answer comes", async () => {
    answers.mockRejectedValueOnce(new TypeError("fetch failed"));
    const answer = await api.post("/cart/add", {}, { networkMessage: "Network error" });
    expect(answer).toEqual({ ok: false, code: "", message: "Network error", errors: [] });
    answers.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    expect((await api.get("/cart/list")).ok).toBe(false);
  });
});
