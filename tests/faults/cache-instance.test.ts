import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db, pool } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createDeal, createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { rounds } from "../setup/rounds";
import { sendRequest } from "../setup/send-request";
import { startTestServer, type TestServer } from "../setup/shop";
import { cacheStatus, LOCALES, visibleText, waitUntil } from "./cache-pages";

let server: TestServer;
let user: SignedInUser;
beforeAll(async () => {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  user = await createSignedInUser({ username: "Signed In User" });
  server = await startTestServer({ databaseUrl, dataDir, log: "test-results/cache-instance.log" });
  // The first page of a new process loads its code; a busy machine may refuse it after some seconds.
  const { slug } = await createProduct();
  const isServed = async () => (await sendRequest(server.address, `/product/${slug}`)).status === 200;
  expect(await waitUntil(60_000, isServed)).not.toBeNull();
});
afterAll(async () => {
  await server?.stop();
  await closeDatabase();
});

const PHONE = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36";
type FirstRequest = { path?: string; method?: string; headers?: Record<string, string>; body?: string };
const FIRST_REQUESTS: Record<string, (user: SignedInUser) => FirstRequest> = {
  "a forged Host": () => ({ headers: { host: "evil.example" } }),
  "a forged X-Forwarded-Host": () => ({
    headers: {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "host=evil.example",
    },
  }),
  "a signed-in visitor": ({ cookie, bearer }) => ({ headers: { cookie, authorization: bearer } }),
  "another stored language": () => ({ headers: { cookie: "locale=ja" } }),
  "an odd query": () => ({ path: "?plan=%3Cscript%3Eevil%3C/script%3E" }),
  "an unknown query": () => ({ path: "?utm_source=evil&x[]=1&__proto__=evil" }),
  "attribution parameters": () => ({ path: "?source=evil&coupon=EVIL" }),
  "a router payload": () => ({ headers: { rsc: "1" } }),
  "a router payload with its address": () => ({
    path: "?_rsc=evil",
    headers: { rsc: "1", "next-router-prefetch": "1" },
  }),
  "router headers without the first": () => ({
    headers: {
      "next-router-state-tree": "evil",
      "next-url": "/evil",
      "next-router-segment-prefetch": "/_tree",
    },
  }),
  "internal headers": () => ({
    headers: {
      "x-middleware-rewrite": "/evil",
      "x-invoke-path": "/evil",
      "x-matched-path": "/evil",
      "x-routed": "1",
    },
  }),
  HEAD: () => ({ method: "HEAD" }),
  POST: () => ({ method: "POST", body: "evil=1" }),
  "a range": () => ({ headers: { range: "bytes=0-10", "if-range": '"evil"' } }),
  "an unknown validator": () => ({ headers: { "if-none-match": '"evil", W/"evil"' } }),
  "any validator": () => ({ headers: { "if-none-match": "*" } }),
  "an unknown encoding": () => ({ headers: { "accept-encoding": "zstd, evil;q=1, br;q=0" } }),
  "a phone": () => ({ headers: { "user-agent": PHONE } }),
  "a preview's cookie": () => ({ headers: { cookie: "__prerender_bypass=evil; __next_preview_data=evil" } }),
};

it.each(Object.entries(FIRST_REQUESTS))(
  "a first request with %s leaves the next visitor's page unchanged",
  async (_name, createRequest) => {
    const { slug, name } = await createProduct();
    const path = `/product/${slug}`;
    const { path: query = "", ...options } = createRequest(user);
    const otherResponse = await sendRequest(server.address, path + query, options);
    const next = await sendRequest(server.address, path);
    expect([next.status, next.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(next.text).toContain(name);
    expect(next.text).toContain(`<html lang="en"`);
    expect(next.text).toContain(`rel="canonical" href="${server.address}${path}"`);
    expect(next.text).toMatch(/<\/html>\s*$/);
    const { etag: _random, ...headers } = next.headers;
    expect(`${next.text}${JSON.stringify(headers)}`).not.toMatch(/evil|Signed In User/i);
    expect([next.headers["set-cookie"], next.headers["content-encoding"]]).toEqual([undefined, undefined]);
    expect(next.headers["cache-control"]).toMatch(/^public, max-age=0, must-revalidate, s-maxage=1,/);
    expect(otherResponse.status).toBeLessThan(500);
  },
);

it("a router payload never stands in for the page, and both show a change", async () => {
  const { id, slug, name } = await createProduct();
  const path = `/product/${slug}`;
  const requestPayload = async () => {
    const headers = { rsc: "1", "next-url": "/en" };
    const { status, headers: responseHeaders } = await sendRequest(server.address, path, { headers });
    expect([status, responseHeaders.location]).toEqual([307, expect.stringContaining("_rsc")]);
    const { pathname, search } = new URL(responseHeaders.location!, server.address);
    return sendRequest(server.address, pathname + search, { headers });
  };
  for (let round = 0; round < 2; round += 1) {
    const response = await requestPayload();
    expect([response.status, response.headers["content-type"]]).toEqual([200, "text/x-component"]);
    expect(response.text).toContain(name);
    expect((await sendRequest(server.address, path)).headers["content-type"]).toBe(
      "text/html; charset=utf-8",
    );
  }
  await db.execute(
    sql`update product_texts set name = 'Newly Named' where product_id = ${id} and locale = 'en'`,
  );
  const showsName = async () =>
    (await requestPayload()).text.includes("Newly Named") &&
    (await sendRequest(server.address, path)).text.includes("Newly Named");
  expect(await waitUntil(30_000, showsName)).not.toBeNull();
});

it("a page that a signed-in visitor requests first is rendered and cached without the cookie", async () => {
  const { slug, name } = await createProduct();
  const headers = { cookie: user.cookie, authorization: user.bearer };
  const otherResponse = await sendRequest(server.address, `/product/${slug}`, { headers });
  const next = await sendRequest(server.address, `/product/${slug}`);
  expect([otherResponse, next].map(cacheStatus)).toEqual(["fwd=miss", "hit"]);
  expect(next.headers.etag).toBe(otherResponse.headers.etag);
  expect(otherResponse.text).toContain(name);
  expect(otherResponse.text).not.toContain("Signed In User");
  expect(otherResponse.headers["set-cookie"]).toBeUndefined();
});

it("the compressed page equals the uncompressed one", async () => {
  const { slug } = await createProduct();
  const path = `/product/${slug}`;
  const plain = await sendRequest(server.address, path);
  const response = await fetch(server.address + path, { headers: { "accept-encoding": "gzip" } });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(await response.text()).toBe(plain.text);
});

it("pages for signed-in users and sign-in pages are never cached", async () => {
  const headers = { cookie: user.cookie };
  for (const path of ["/cart", "/profile", "/order-history", "/login", "/checkout?order_id=x"])
    for (const options of [{ headers }, {}, { headers }]) {
      const response = await sendRequest(server.address, path, options);
      expect([path, cacheStatus(response), response.headers["cache-control"]]).toEqual([
        path,
        undefined,
        expect.stringContaining("no-store"),
      ]);
    }
  const profile = await sendRequest(server.address, "/profile", { headers });
  expect(profile.text).toContain("Signed In User");
  expect((await sendRequest(server.address, "/profile")).status).toBe(307);
});

async function sumFileSizes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

it("unknown addresses write no file and evict no page", async () => {
  const { slug } = await createProduct();
  await sendRequest(server.address, `/product/${slug}`);
  // Next writes its own not-found page once.
  for (const prefix of ["", "/zh", "/ja/mobile"])
    await sendRequest(server.address, `${prefix}/product/nothing`);
  const before = await sumFileSizes(".next");
  const remaining = Array.from({ length: rounds(600, 120) }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const index of remaining) {
        const prefix = ["", "/zh", "/ja/mobile"][index % 3];
        const response = await sendRequest(
          server.address,
          `${prefix}/product/nothing-${index}-${Math.random().toString(36).slice(2)}`,
        );
        expect(response.status).toBe(404);
      }
    }),
  );
  expect(await sumFileSizes(".next")).toBe(before);
  expect((await sendRequest(server.address, `/product/${slug}`)).status).toBe(200);
});

const statuses = (paths: string[]) =>
  Promise.all(paths.map(async (path) => cacheStatus(await sendRequest(server.address, path))));

describe("rendering", () => {
  it("is not cached when it began before a commit, so that the next reader gets the new page", async () => {
    const { slug, plans } = await createProduct({ plans: [{ keys: 9, priceCents: 1111 }] });
    const path = `/product/${slug}`;
    let before!: ReturnType<typeof sendRequest>;
    const isWaiting = async () =>
      (await client()`select from pg_locks where relation = 'users'::regclass and not granted`).length > 0;
    await pool().begin(async (tx) => {
      await tx`lock table users in access exclusive mode`;
      before = sendRequest(server.address, path);
      // Sync point "read": the page has its price and waits for its reviews.
      expect(await waitUntil(10_000, isWaiting)).not.toBeNull();
      await db.execute(sql`update plans set price_cents = 2222 where id = ${plans[0]!.id}`);
      // Sync point "notified": the notification of the commit has arrived.
      await new Promise((done) => setTimeout(done, 800)); // statements of requests wait 2.5 s at most
    });
    expect((await before).text).toContain("11.11");
    expect((await sendRequest(server.address, path)).text).toContain("22.22");
  });

  it("is shared by 200 concurrent requests for a page", async () => {
    const { slug } = await createProduct();
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => sendRequest(server.address, `/product/${slug}`)),
    );
    // More than 72 renders at once would be refused (lib/platform/expensive-work.ts).
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(1);
  });

  it("is not stored when it fails", async () => {
    const { slug } = await createProduct();
    await client()`alter table reviews rename to reviews_renamed`;
    const broken = await sendRequest(server.address, `/product/${slug}`);
    await client()`alter table reviews_renamed rename to reviews`;
    expect([broken.status, cacheStatus(broken)]).toEqual([500, undefined]);
    expect((await sendRequest(server.address, `/product/${slug}`)).status).toBe(200);
  });

  it("happens again when time changes a page: a deal ends, a pass is released", async () => {
    const deal = await createProduct({ plans: [{ priceCents: 5500, keys: 9 }] });
    const [plan] = deal.plans;
    const id = await createDeal(plan!.id, { priceCents: 3300 });
    const preOrder = await createProduct({
      plans: [{ priceCents: 700, keys: 9, availability: "pre_order" }],
    });
    const paths = LOCALES.flatMap((locale) => {
      const prefix = locale === "en" ? "" : `/${locale}`;
      return [
        `${prefix}/product/${deal.slug}`,
        `${prefix}/mobile/product/${preOrder.slug}`,
        `${prefix}/limited-offer`,
      ];
    });
    const texts = () =>
      Promise.all(paths.map(async (path) => visibleText((await sendRequest(server.address, path)).text)));
    await texts();
    // On a busy machine the notifications of the two updates may arrive while pages are rendered.
    const areHits = async () => (await statuses(paths)).every((status) => status === "hit");
    let [endsAt, before, isKept]: [number, string[], boolean] = [0, [], false];
    // A machine that is too busy to keep all pages and to read them before the end gets more time.
    for (const seconds of [8, 25, 60]) {
      endsAt = performance.now() + seconds * 1000;
      await db.execute(
        sql`update deals set ends_at = shop_now() + make_interval(secs => ${seconds}) where id = ${id}`,
      );
      await db.execute(
        sql`update plans set releases_at = shop_now() + make_interval(secs => ${seconds}) where id = ${preOrder.plans[0]!.id}`,
      );
      isKept = (await waitUntil((seconds - 3) * 1000, areHits)) !== null;
      before = await texts();
      if (isKept && performance.now() < endsAt) break;
    }
    expect(isKept).toBe(true);
    expect(before[0]).toContain("33.00");
    await new Promise((done) => setTimeout(done, endsAt - performance.now() + 200));
    // The worker refreshes the listing index within a second; until then a list is not stored.
    const after = await texts();
    expect(after[0]).not.toContain("33.00");
    expect(paths.filter((_, index) => before[index] === after[index])).toEqual([]);
  });
});
