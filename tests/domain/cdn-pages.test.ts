import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { DatabaseMonitor } from "@/db/monitor";
import { env } from "@/lib/platform/env";
import { Loopback } from "@/lib/platform/http/loopback";
import { openPageCache, type PageCache } from "@/lib/platform/page-cache/page-cache";
import { noteTags } from "@/lib/platform/page-cache/tags";

const DEVICE = "x-device-class";

/** A CDN: keeps what it may under the address and what `Vary` names, and is purged by tags. */
class Cdn {
  readonly kept = new Map<string, { text: string; tags: string[]; until: number }>();
  readonly purges: string[][] = [];
  readonly server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { tags } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { tags: string[] };
    const isAllowed = request.headers.authorization === "Bearer t0ken";
    if (isAllowed) {
      this.purges.push(tags);
      for (const [key, page] of this.kept)
        if (page.tags.some((tag) => tags.includes(tag))) this.kept.delete(key);
    }
    response.writeHead(isAllowed ? 200 : 403).end("{}");
  }).listen(0);

  async get(address: string, path: string, headers: Record<string, string>) {
    const key = `${path} ${headers[DEVICE]}`;
    const page = this.kept.get(key);
    if (page && page.until > Date.now()) return { text: page.text, from: "cdn" };
    const response = await fetch(address + path, { headers });
    const text = await response.text();
    const maxAge = /^max-age=(\d+)$/.exec(response.headers.get("cdn-cache-control") ?? "")?.[1];
    const tags = response.headers.get("cache-tag")?.split(",") ?? [];
    if (maxAge) this.kept.set(key, { text, tags, until: Date.now() + Number(maxAge) * 1000 });
    return { text, from: "shop", vary: response.headers.get("vary") };
  }
}

const cdn = new Cdn();
const monitor = DatabaseMonitor.start();
let address: string;
let server: Server;
let pages: PageCache;
let product: { id: number };

beforeAll(async () => {
  const { port } = cdn.server.address() as AddressInfo;
  Object.assign(env(), {
    CDN_DEVICE_HEADER: "X-Device-Class",
    CDN_PURGE_URL: `http://127.0.0.1:${port}/purge`,
    CDN_PURGE_TOKEN: "t0ken",
  });
  product = await createProduct({ plans: [{ keys: 3, priceCents: 1_000 }] });
  const render = async () => {
    noteTags(`product:${product.id}`);
    const [row] = await db.execute<{ cents: number }>(
      sql`select price_cents as cents from plans where product_id = ${product.id}`,
    );
    return `<p>${row!.cents}</p>`;
  };
  const handle = async (request: IncomingMessage, response: import("node:http").ServerResponse) => {
    const runLoopback = loopback.recognize(request.headers);
    if (!runLoopback) return void (await pages.serve(request, response, request.url!, ""));
    await runLoopback(async () => {
      response.writeHead(200, { "content-type": "text/html", vary: "rsc, next-router-state-tree" });
      response.end(await render());
    });
  };
  server = createServer((request, response) => void handle(request, response)).listen(0);
  const loopback = new Loopback(server);
  const limits = { run: <T>(_: unknown, work: () => Promise<T>) => work(), join: () => {} };
  pages = await openPageCache(loopback, 1_000_000, limits as never, monitor);
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await pages.stop();
  monitor.stop();
  for (const each of [server, cdn.server]) {
    each.closeAllConnections();
    each.close();
  }
  await closeDatabase();
});

it("a CDN keeps a page by device class and shows a changed price soon after its commit", async () => {
  const desktop = () => cdn.get(address, `/product/${product.id}`, { [DEVICE]: "desktop" });
  const first = await desktop();
  expect(first).toEqual({ text: "<p>1000</p>", from: "shop", vary: "X-Device-Class, rsc, Accept-Encoding" });
  expect(await desktop()).toEqual({ text: "<p>1000</p>", from: "cdn" });
  expect((await cdn.get(address, `/product/${product.id}`, { [DEVICE]: "mobile" })).from).toBe("shop");
  expect(cdn.kept.size).toBe(2);

  for (let cents = 1_001; cents <= 1_005; cents++) {
    await db.execute(sql`update plans set price_cents = ${cents} where product_id = ${product.id}`);
    await vi.waitFor(async () => expect((await desktop()).text).toBe(`<p>${cents}</p>`), 20_000);
    await desktop();
    expect((await desktop()).from).toBe("cdn");
  }
  expect(cdn.purges.flat()).toContain(`product:${product.id}`);
});

it("what a cookie may redirect is not kept", async () => {
  const path = `/zh/product/${product.id}`;
  const steered = { [DEVICE]: "desktop", cookie: "locale=ja" };
  expect((await cdn.get(address, path, steered)).from).toBe("shop");
  expect((await cdn.get(address, path, { [DEVICE]: "desktop" })).from).toBe("shop");
  expect((await cdn.get(address, path, { [DEVICE]: "desktop" })).from).toBe("cdn");
});
