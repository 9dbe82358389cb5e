import { afterAll, beforeAll, expect, it } from "vitest";
import { client, closeDatabase, pool } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { cacheStatus } from "@/tests/faults/cache-pages";
import { type FaultProxy, type NetworkFault, openProxy } from "@/tests/setup/proxy";
import { rounds } from "@/tests/setup/rounds";
import { sendRequest } from "@/tests/setup/send-request";
import { startTestServer, type TestServer } from "@/tests/setup/shop";
import { shopperAt, sleep } from "@/tests/setup/shopper";
import { describeOutage, measureOutage, type OutageRequest } from "./outage";

/** A server whose database is behind a proxy that can fail. */
let server: TestServer;
let proxy: FaultProxy;
let requests: OutageRequest[];
let slug: string;
let shopper: ReturnType<typeof shopperAt>;
let productId: number;
beforeAll(async () => {
  const { DATABASE_URL, DATA_DIR: dataDir } = env();
  const databaseUrl = new URL(DATABASE_URL);
  proxy = await openProxy(Number(databaseUrl.port));
  databaseUrl.port = String(proxy.port);
  ({ slug, id: productId } = await createProduct({ plans: [{ keys: 9 }] }));
  const user = await createSignedInUser();
  server = await startTestServer({ databaseUrl: databaseUrl.href, dataDir, log: "test-results/outage.log" });
  shopper = shopperAt(server.address, user);
  requests = [
    { kind: "cached", path: `/product/${slug}` },
    { kind: "cached", path: "/ja/mobile" },
    { kind: "cached", path: "/zh/refund-policy" },
    { kind: "page", path: "/zh/search?q=a" },
    { kind: "page", path: "/profile", headers: { cookie: user.cookie } },
    { kind: "call", path: "/api/v1/product/list" },
    { kind: "call", path: "/api/v1/cart/list", headers: { authorization: user.bearer } },
    {
      kind: "call",
      path: "/api/v1/cart/auto-add",
      method: "POST",
      headers: { authorization: user.bearer, "content-type": "application/json" },
      body: JSON.stringify({ product_id: productId }),
    },
    { kind: "readyz", path: "/readyz" },
  ];
});
afterAll(async () => {
  proxy?.set("none");
  await server?.stop();
  await proxy?.close();
  await closeDatabase();
});

const FAULTS: [string, NetworkFault, number][] = [
  ["is frozen", "drop", 0],
  ["refuses connections", "reset", 0],
  ["answers after 1.4 s", "latency", 700],
];

it.each(FAULTS.slice(0, rounds(3, 1)))(
  "while the database %s, cached pages are served as stale and everything else is answered with 503 within 3 s",
  { retry: 2 }, // load on the machine can only add time
  async (name, fault, latency) => {
    const result = await measureOutage({
      address: server.address,
      requests,
      begin: async () => proxy.set(fault, latency),
      end: async () => proxy.set("none"),
      ms: 6_000,
      recoveryLimitMs: 10_000,
    });
    console.log(
      `database ${name}: ${describeOutage(result)}, recovered after ${Math.round(result.recoveryMs)} ms`,
    );
    expect(result.violations).toEqual([]);
    expect(result.servedShare).toBeGreaterThan(0.95);
    expect((await shopper("/cart/list")).code).toBe("200");
  },
);

it("a 503 response is in the reader's language, for pages and for calls", async () => {
  const readStatus = async () => cacheStatus(await sendRequest(server.address, `/product/${slug}`));
  await expect.poll(readStatus, { timeout: 60_000 }).toBe("hit");
  proxy.set("drop");
  try {
    await sleep(3_500);
    await checkLanguages();
    await checkReadLimits();
  } finally {
    proxy.set("none");
    await expect
      .poll(async () => (await sendRequest(server.address, "/readyz")).status, { timeout: 60_000 })
      .toBe(200);
  }
});

async function checkLanguages(): Promise<void> {
  const texts: [string, Record<string, string>, string][] = [
    ["/search?q=a", {}, "The shop is not available right now"],
    ["/zh/search?q=a", {}, "服务暂时不可用"],
    ["/ja/mobile/search-results?q=a", {}, "ただいまご利用いただけません"],
    ["/api/v1/product/list", { "accept-language": "ja" }, "ただいまご利用いただけません"],
    ["/api/v1/product/list?target_lang=zh", {}, "服务暂时不可用"],
  ];
  for (const [path, headers, text] of texts) {
    const response = await sendRequest(server.address, path, { headers });
    expect([path, response.status, response.text.includes(text)]).toEqual([path, 503, true]);
  }
  const head = await sendRequest(server.address, "/search?q=a", { method: "HEAD" });
  expect([head.status, head.text]).toEqual([503, ""]);
  expect((await sendRequest(server.address, "/healthz")).status).toBe(200);
}

/** Cached pages and refusals are not expensive, so that one network may have more of them than the read limits allow. */
async function checkReadLimits(): Promise<void> {
  const headers = { "x-forwarded-for": "198.51.100.200" };
  const requestOften = async (path: string) => {
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const batch = Array.from({ length: 20 }, () => sendRequest(server.address, path, { headers }));
      for (const { status } of await Promise.all(batch)) statuses.add(status);
    }
    return [...statuses];
  };
  expect(await requestOften(`/product/${slug}`)).toEqual([200]);
  expect(await requestOften("/search?q=a")).toEqual([503]);
}

it("a locked table fails pages and calls with 503 within 3 s, while others work", { retry: 2 }, async () => {
  await pool().begin(async (tx) => {
    await tx`lock table product_texts in access exclusive mode`;
    const timed = async (path: string) => {
      const startedAt = performance.now();
      const { status, headers } = await sendRequest(server.address, path);
      return { status, retryAfter: headers["retry-after"], inTime: performance.now() - startedAt < 3_500 };
    };
    const refused = { status: 503, retryAfter: "5", inTime: true };
    const [page, cached, call] = await Promise.all([
      timed("/search?q=anything"),
      timed(`/product/${slug}?plan=12345`),
      timed("/api/v1/product/list?size=7"),
    ]);
    expect({ page, cached, call }).toEqual({ page: refused, cached: refused, call: refused });
    expect((await sendRequest(server.address, "/readyz")).status).toBe(200);
    expect((await shopper("/auth/get-info")).code).toBe("200");
    await checkWaitingReads();
  });
  expect((await sendRequest(server.address, `/product/${slug}?plan=12345`)).status).toBe(200);
});

/** Requests that wait behind others for a slot, and for the result of an identical read, are answered just as early. */
async function checkWaitingReads(): Promise<void> {
  const headers = { "x-forwarded-for": "198.51.100.201" };
  const timed = async (path: string) => {
    const startedAt = performance.now();
    const { status, headers: answered } = await sendRequest(server.address, path, { headers });
    return { status, retryAfter: answered["retry-after"], ms: performance.now() - startedAt };
  };
  const paths = Array.from({ length: 12 }, (_, n) => [`/search?q=waits${n}`, "/api/v1/product/list?size=9"]);
  const answers = await Promise.all(paths.flat().map(timed));
  console.log(`reads in a row: slowest ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms`);
  for (const { status, retryAfter, ms } of answers) {
    expect([status, retryAfter]).toEqual([503, "5"]);
    expect(ms).toBeLessThan(3_500);
  }
}

it("a page whose render fails for lack of disk space is answered with 503, and /readyz reports it", async () => {
  await client()`create function fail_for_disk() returns trigger language plpgsql as
    $$ begin raise exception 'no space' using errcode = '53100'; end $$`;
  await client()`create trigger fail_for_disk before insert on cart_lines for each row execute function fail_for_disk()`;
  const other = await createProduct({ plans: [{ keys: 1 }] });
  const response = await shopper("/cart/auto-add", { product_id: other.id });
  expect([response.status, response.code]).toEqual([503, "503"]);
  const report = await sendRequest(server.address, "/readyz");
  expect([report.status, JSON.parse(report.text).checks.database]).toEqual([503, "full"]);
  await client()`drop function fail_for_disk cascade`;
  await expect
    .poll(async () => (await sendRequest(server.address, "/readyz")).status, { timeout: 60_000 })
    .toBe(200);
  expect((await shopper("/cart/auto-add", { product_id: other.id })).code).toBe("200");
  expect(cacheStatus(await sendRequest(server.address, `/product/${slug}`))).toBeDefined();
});
