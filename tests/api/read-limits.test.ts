import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { GET as listPosts } from "@/app/api/v1/blog/list/route";
import { GET as listProducts } from "@/app/api/v1/product/list/route";
import { POST as search } from "@/app/api/v1/product/search/route";
import { GET as suggest } from "@/app/api/v1/product/suggest/route";
import { client, closeDatabase } from "@/db/client";
import { readLimits } from "@/lib/platform/http/read-limits";
import { writeCounter } from "@/lib/platform/page-cache/tags";
import { call } from "./call";

afterAll(closeDatabase);

let group = 0;
let ip: string;
beforeEach(() => {
  group += 1;
  ip = `2001:db8:0:${group.toString(16)}::1`;
});

/** Takes all tokens of an address. */
function drain(address: string): void {
  try {
    for (;;) readLimits().take(address, 0.5);
  } catch {
    // none is left
  }
}

describe("dear reads", () => {
  it.each([
    ["/product/search", () => call(search, "/product/search", { body: { keyword: "x" }, ip })],
    ["/product/suggest", () => call(suggest, "/product/suggest", { query: "keyword=x", ip })],
    ["/product/list", () => call(listProducts, "/product/list", { ip })],
    ["/blog/list", () => call(listPosts, "/blog/list", { query: "keyword=x", ip })],
  ])("%s: an address that has used its tokens is refused, others are not", async (_, send) => {
    expect((await send()).status).toBe(200);
    ip = ip.replace("::1", ":ffff::9"); // the same /64
    drain(ip.replace(":ffff::9", "::2"));
    const refused = await send();
    expect([refused.status, refused.body.code, refused.body.success]).toEqual([429, "429", false]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    ip = "203.0.113.9";
    expect((await send()).status).toBe(200);
  });

  it("are refused in the caller's language", async () => {
    drain(ip);
    const headers = { "accept-language": "ja" };
    const { body } = await call(search, "/product/search", { body: { keyword: "x" }, ip, headers });
    expect(body.message).toContain("リクエストが多すぎます");
  });

  it("write nothing: a search is a POST, but neither counted in the database nor followed by a wait", async () => {
    const countRows = async () => (await client()`select from rate_limits`).length;
    const before = [await countRows(), writeCounter().count];
    for (let n = 0; n < 5; n++)
      expect((await call(search, "/product/search", { body: { keyword: `word${n}` }, ip })).status).toBe(200);
    expect([await countRows(), writeCounter().count]).toEqual(before);
  });
});
