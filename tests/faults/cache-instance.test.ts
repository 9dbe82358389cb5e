import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createDeal, createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { rounds } from "../setup/rounds";
import { startTestServer, type TestServer } from "../setup/shop";
import { ask, cacheStatus, LOCALES, within, words } from "./cache-pages";

vi.setConfig({ testTimeout: 180_000 });

let shop: TestServer;
let user: SignedInUser;
beforeAll(async () => {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  user = await createSignedInUser({ username: "Somebody Signed In" });
  shop = await startTestServer({ databaseUrl, dataDir, log: "test-results/cache-instance.log" });
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await closeDatabase();
});

const PHONE = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36";
type First = { path?: string; method?: string; headers?: Record<string, string>; body?: string };
const FIRSTS: Record<string, (user: SignedInUser) => First> = {
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
      "x-loopback": "evil 1",
      "x-middleware-rewrite": "/evil",
      "x-invoke-path": "/evil",
      "x-matched-path": "/evil",
      "x-routed": "1",
    },
  }),
  HEAD: () => ({ method: "HEAD" }),
  POST: () => ({ method: "POST", body: "evil=1" }),
  "a range": () => ({ headers: { range: "bytes=0-10", "if-range": '"evil"' } }),
  "a validator of nothing": () => ({ headers: { "if-none-match": '"evil", W/"evil"' } }),
  "any validator": () => ({ headers: { "if-none-match": "*" } }),
  "an unknown encoding": () => ({ headers: { "accept-encoding": "zstd, evil;q=1, br;q=0" } }),
  "a phone": () => ({ headers: { "user-agent": PHONE } }),
  "a preview's cookie": () => ({ headers: { cookie: "__prerender_bypass=evil; __next_preview_data=evil" } }),
};

it.each(Object.entries(FIRSTS))("%s first: the next visitor gets the page as it is", async (_name, first) => {
  const { slug, name } = await createProduct();
  const path = `/product/${slug}`;
  const { path: query = "", ...wish } = first(user);
  const otherResponse = await ask(shop.address, path + query, wish);
  const next = await ask(shop.address, path);
  expect([next.status, next.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(next.text).toContain(name);
  expect(next.text).toContain(`<html lang="en"`);
  expect(next.text).toContain(`rel="canonical" href="${shop.address}${path}"`);
  expect(next.text).toMatch(/<\/html>\s*$/);
  expect(`${next.text}${JSON.stringify(next.headers)}`).not.toMatch(/evil|Somebody Signed In/i);
  expect([next.headers["set-cookie"], next.headers["content-encoding"]]).toEqual([undefined, undefined]);
  expect(next.headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
  expect(otherResponse.status).toBeLessThan(500);
});

it("payloads of Next's router pass to Next: they are fresh, and the page beside them stays cached", async () => {
  const { id, slug, name } = await createProduct();
  const path = `/product/${slug}`;
  const payload = async () => {
    const headers = { rsc: "1", "next-url": "/en" };
    const { status, headers: sent } = await ask(shop.address, path, { headers });
    expect([status, sent.location]).toEqual([307, expect.stringContaining("_rsc")]);
    const { pathname, search } = new URL(sent.location!, shop.address);
    return ask(shop.address, pathname + search, { headers });
  };
  for (let round = 0; round < 2; round += 1) {
    const got = await payload();
    expect([got.status, got.headers["content-type"], cacheStatus(got)]).toEqual([
      200,
      "text/x-component",
      undefined,
    ]);
    expect(got.text).toContain(name);
    expect((await ask(shop.address, path)).headers["content-type"]).toBe("text/html; charset=utf-8");
  }
  expect(cacheStatus(await ask(shop.address, path))).toBe("hit");
  await db.execute(
    sql`update product_texts set name = 'Newly Named' where product_id = ${id} and locale = 'en'`,
  );
  expect((await payload()).text).toContain("Newly Named");
});

it("a request from outside with the loopback header is treated like any other", async () => {
  const forged = { "x-loopback": `${"A".repeat(43)} 1` };
  const { slug } = await createProduct();
  const paths = [`/product/${slug}`, "/profile", "/zh/mobile/product/none", "/api/v1/product/detail/x"];
  const visitors: Record<string, string>[] = [{}, { cookie: user.cookie }, { "user-agent": PHONE }];
  for (const path of paths)
    for (const headers of visitors) {
      const plain = await ask(shop.address, path, { headers });
      const marked = await ask(shop.address, path, { headers: { ...headers, ...forged } });
      const facts = ({ status, headers: { location, vary, ...rest } }: typeof plain) =>
        [path, status, location, vary, rest["cache-control"], rest["content-type"]].join(" ");
      expect(facts(marked)).toBe(facts(plain));
      expect(marked.headers["content-security-policy"] === undefined).toBe(
        plain.headers["content-security-policy"] === undefined,
      );
    }
});

it("a page that a signed-in visitor asks for first is rendered and stored without the cookie", async () => {
  const { slug, name } = await createProduct();
  const headers = { cookie: user.cookie, authorization: user.bearer };
  const otherResponse = await ask(shop.address, `/product/${slug}`, { headers });
  const next = await ask(shop.address, `/product/${slug}`);
  expect([otherResponse, next].map(cacheStatus)).toEqual(["fwd=miss", "hit"]);
  expect(next.headers.etag).toBe(otherResponse.headers.etag);
  expect(otherResponse.text).toContain(name);
  expect(otherResponse.text).not.toContain("Somebody Signed In");
  expect(otherResponse.headers["set-cookie"]).toBeUndefined();
});

it("each encoding holds the same page, and its validator answers 304", async () => {
  const { slug } = await createProduct();
  const path = `/product/${slug}`;
  const plain = await ask(shop.address, path);
  const response = await fetch(shop.address + path, { headers: { "accept-encoding": "br" } });
  expect(response.headers.get("content-encoding")).toBe("br");
  expect(await response.text()).toBe(plain.text);
  const { port } = new URL(shop.address);
  const bytes = await new Promise<Buffer>((done) => {
    import("node:http").then(({ get }) =>
      get({ port, path, headers: { "accept-encoding": "gzip" } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk)).on("end", () => done(Buffer.concat(chunks)));
      }),
    );
  });
  expect(gunzipSync(bytes).toString("utf8")).toBe(plain.text);
  const again = await ask(shop.address, path, { headers: { "if-none-match": plain.headers.etag! } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

it("pages for signed-in users and sign-in pages are never cached", async () => {
  const headers = { cookie: user.cookie };
  for (const path of ["/cart", "/profile", "/order-history", "/login", "/checkout?order_id=x"])
    for (const wish of [{ headers }, {}, { headers }]) {
      const got = await ask(shop.address, path, wish);
      expect([path, cacheStatus(got), got.headers["cache-control"]]).toEqual([
        path,
        undefined,
        expect.stringContaining("no-store"),
      ]);
    }
  const profile = await ask(shop.address, "/profile", { headers });
  expect(profile.text).toContain("Somebody Signed In");
  expect((await ask(shop.address, "/profile")).status).toBe(307);
});

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    names.filter((one) => one.isFile()).map(async (one) => (await stat(join(one.parentPath, one.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

it("unknown addresses leave nothing on the disk and evict no page", async () => {
  const { slug } = await createProduct();
  await ask(shop.address, `/product/${slug}`);
  const before = await bytesIn(".next");
  const left = Array.from({ length: rounds(600, 120) }, (_, at) => at).values();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const at of left) {
        const prefix = ["", "/zh", "/ja/mobile"][at % 3];
        const got = await ask(
          shop.address,
          `${prefix}/product/nothing-${at}-${Math.random().toString(36).slice(2)}`,
        );
        expect(got.status).toBe(404);
      }
    }),
  );
  expect(await bytesIn(".next")).toBe(before);
  expect((await ask(shop.address, `/product/${slug}`)).status).toBe(200);
});

const statuses = (paths: string[]) =>
  Promise.all(paths.map(async (path) => cacheStatus(await ask(shop.address, path))));

describe("rendering", () => {
  it("a render that began before a commit is not stored; a request after the commit gets the new page", async () => {
    const { id, slug, plans } = await createProduct({ plans: [{ keys: 9, priceCents: 1111 }] });
    const path = `/product/${slug}`;
    let before!: ReturnType<typeof ask>;
    let after!: ReturnType<typeof ask>;
    const waiting = async () =>
      (await client()`select from pg_locks where relation = 'reviews'::regclass and not granted`).length > 0;
    await client().begin(async (tx) => {
      await tx`lock table reviews in access exclusive mode`;
      before = ask(shop.address, path);
      // Sync point "read": the page has its price and waits for its reviews.
      expect(await within(10_000, waiting)).not.toBeNull();
      await db.execute(sql`update plans set price_cents = 2222 where id = ${plans[0]!.id}`);
      // Sync point "notified": the notification of the commit has arrived.
      await new Promise((done) => setTimeout(done, 300));
      after = ask(shop.address, path);
      await new Promise((done) => setTimeout(done, 100));
    });
    expect((await before).text).toContain("11.11");
    expect((await after).text).toContain("22.22");
    expect((await ask(shop.address, path)).text).toContain("22.22");
    expect(id).toBeGreaterThan(0);
  });

  it("once for 200 concurrent requests for a page", async () => {
    const { slug } = await createProduct();
    const got = await Promise.all(Array.from({ length: 200 }, () => ask(shop.address, `/product/${slug}`)));
    expect(got.filter((one) => cacheStatus(one) === "fwd=miss")).toHaveLength(1);
    expect(new Set(got.map(({ headers }) => headers.etag)).size).toBe(1);
    expect(new Set(got.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("a page whose render fails is not stored", async () => {
    const { slug } = await createProduct();
    await client()`alter table reviews rename to reviews_away`;
    const broken = await ask(shop.address, `/product/${slug}`);
    await client()`alter table reviews_away rename to reviews`;
    expect([broken.status, cacheStatus(broken)]).toEqual([500, undefined]);
    expect((await ask(shop.address, `/product/${slug}`)).status).toBe(200);
  });

  it("again when time changes a page: a deal ends, a pass comes out", async () => {
    const deal = await createProduct({ plans: [{ priceCents: 5500, keys: 9 }] });
    const [plan] = deal.plans;
    const id = await createDeal(plan!.id, { priceCents: 3300 });
    const soon = await createProduct({ plans: [{ priceCents: 700, keys: 9, availability: "pre_order" }] });
    const paths = LOCALES.flatMap((locale) => {
      const prefix = locale === "en" ? "" : `/${locale}`;
      return [
        `${prefix}/product/${deal.slug}`,
        `${prefix}/mobile/product/${soon.slug}`,
        `${prefix}/limited-offer`,
      ];
    });
    const texts = () => Promise.all(paths.map(async (path) => words((await ask(shop.address, path)).text)));
    await texts();
    const ends = performance.now() + 8_000;
    await db.execute(sql`update deals set ends_at = shop_now() + interval '8 seconds' where id = ${id}`);
    await db.execute(
      sql`update plans set releases_at = shop_now() + interval '8 seconds' where id = ${soon.plans[0]!.id}`,
    );
    // The next reader of a list settles what has changed, which invalidates concurrent renders.
    await ask(shop.address, "/limited-offer");
    const before = await texts();
    expect(before[0]).toContain("33.00");
    expect(await statuses(paths)).toEqual(paths.map(() => "hit"));
    await new Promise((done) => setTimeout(done, ends - performance.now() + 200));
    const after = await texts();
    expect(after[0]).not.toContain("33.00");
    expect(paths.filter((_, at) => before[at] === after[at])).toEqual([]);
  });
});
