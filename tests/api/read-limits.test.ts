import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { GET as listPosts } from "@/app/api/v1/blog/list/route";
import { GET as listProducts } from "@/app/api/v1/product/list/route";
import { POST as search } from "@/app/api/v1/product/search/route";
import { GET as suggest } from "@/app/api/v1/product/suggest/route";
import { client, closeDatabase } from "@/db/client";
import { endpoint } from "@/lib/platform/api/endpoint";
import { readLimits } from "@/lib/platform/http/read-limits";
import { writeCounter } from "@/lib/platform/page-cache/tags";
import { clientAddress } from "../setup/client-address";
import { call } from "./call";

afterAll(closeDatabase);

let group = 0;
let ip: string;
beforeEach(() => {
  group += 1;
  ip = `2001:db8:0:${group.toString(16)}::1`;
});
afterEach(() => void vi.restoreAllMocks());

/** Takes all tokens of an address. None comes back in this test, however long the machine takes for the next line. */
function drain(address: string): void {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  try {
    for (;;) readLimits().take(address, 0.5);
  } catch {
    // none is left
  }
}

describe("expensive reads", () => {
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

  it("store no answer for an Idempotency-Key, and run again with it", async () => {
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

  it("that coalesce have a slot per caller: none waits for the turn of another address", async () => {
    let runs = 0;
    const read = endpoint(
      {
        summary: "Read",
        access: "public",
        query: z.object({ q: z.string() }),
        result: z.object({ run: z.int() }),
        errors: [],
        readCost: 1,
        coalesced: true,
      },
      () => ({ run: ++runs }),
    );
    const send = (from: string) => call(read, "/read", { query: "q=same", ip: from });
    const heavy = clientAddress();
    readLimits().take(heavy, 150);
    let endRunning = () => {};
    const running = readLimits().hold(
      { client: heavy },
      () => new Promise<void>((resolve) => (endRunning = resolve)),
    );
    let waitingEnded = false;
    const waiting = send(heavy).finally(() => (waitingEnded = true));
    expect((await send(clientAddress())).body.data).toEqual({ run: 1 });
    expect(waitingEnded).toBe(false);
    endRunning();
    await running;
    expect((await waiting).body.data).toEqual({ run: 2 });
  });

  it("write nothing: a search is a POST, but neither counted in the database nor followed by a wait", async () => {
    const countRows = async () => (await client()`select from rate_limits`).length;
    const before = [await countRows(), writeCounter().count];
    for (let n = 0; n < 5; n++)
      expect((await call(search, "/product/search", { body: { keyword: `word${n}` }, ip })).status).toBe(200);
    expect([await countRows(), writeCounter().count]).toEqual(before);
  });
});
