import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { GET as listPosts } from "@/app/api/v1/blog/list/route";
import { GET as listProducts } from "@/app/api/v1/product/list/route";
import { POST as search } from "@/app/api/v1/product/search/route";
import { GET as suggest } from "@/app/api/v1/product/suggest/route";
import { client, closeDatabase } from "@/db/client";
import { takePoints } from "@/lib/platform/expensive-work";
import { call } from "./call";

afterAll(closeDatabase);

let group = 0;
let ip: string;
beforeEach(() => {
  group += 1;
  ip = `2001:db8:0:${group.toString(16)}::1`;
});

/** Takes all points of an address. */
async function drain(address: string): Promise<void> {
  for (;;)
    try {
      await takePoints(address, 1);
    } catch {
      return;
    }
}

describe("expensive reads", () => {
  it.each([
    ["/product/search", () => call(search, "/product/search", { body: { keyword: "x" }, ip })],
    ["/product/suggest", () => call(suggest, "/product/suggest", { query: "keyword=x", ip })],
    ["/product/list", () => call(listProducts, "/product/list", { ip })],
    ["/blog/list", () => call(listPosts, "/blog/list", { query: "keyword=x", ip })],
  ])("by %s are refused for an address that has used its points, and for no other", async (_, send) => {
    expect((await send()).status).toBe(200);
    ip = ip.replace("::1", ":ffff::9"); // the same /64
    await drain(ip.replace(":ffff::9", "::2"));
    const refused = await send();
    expect([refused.status, refused.body.code, refused.body.success]).toEqual([429, "429", false]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    ip = "203.0.113.9";
    expect((await send()).status).toBe(200);
  });

  it("are refused in the caller's language", async () => {
    await drain(ip);
    const headers = { "accept-language": "ja" };
    const { body } = await call(search, "/product/search", { body: { keyword: "x" }, ip, headers });
    expect(body.message).toContain("リクエストが多すぎます");
  });

  it("store no response for an Idempotency-Key, and run again with it", async () => {
    const key = crypto.randomUUID();
    const countStored = async () => (await client()`select from idempotency_keys`).length;
    const before = await countStored();
    const send = (keyword: string) =>
      call(search, "/product/search", { body: { keyword }, ip, headers: { "idempotency-key": key } });
    for (const keyword of ["one", "one", "another body"]) {
      const { status, headers } = await send(keyword);
      expect([status, headers.get("idempotent-replayed")]).toEqual([200, null]);
    }
    expect(await countStored()).toBe(before);
  });

  it("write nothing: a search is a POST, but is not counted in the database", async () => {
    const countRows = async () => (await client()`select from rate_limits`).length;
    const before = await countRows();
    for (let n = 0; n < 5; n++)
      expect((await call(search, "/product/search", { body: { keyword: `word${n}` }, ip })).status).toBe(200);
    expect(await countRows()).toEqual(before);
  });
});
