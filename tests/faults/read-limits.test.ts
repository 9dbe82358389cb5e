import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { startTestServer, type TestServer } from "../setup/shop";
import { cacheStatus, sendRequest } from "./cache-pages";

let server: TestServer;
let slug: string;
beforeAll(async () => {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  ({ slug } = await createProduct());
  const variables = { TRUSTED_PROXIES: "1" };
  server = await startTestServer({ databaseUrl, dataDir, log: "test-results/read-limits.log", variables });
});
afterAll(async () => {
  await server?.stop();
  await closeDatabase();
});

const FLOODING = "198.51.100.7";
const send = (path: string, ip: string, headers: Record<string, string> = {}) =>
  sendRequest(server.address, path, { headers: { "x-forwarded-for": ip, ...headers } });

/** Requests unknown share images, which cost as much as ten pages, in ten lanes until `stop`. `refused` resolves once the address is refused. */
function startFlood() {
  const statuses: Record<number, number> = {};
  let page = 0;
  let isOver = false;
  let onRefused = () => {};
  const refused = new Promise<void>((resolve) => {
    onRefused = resolve;
  });
  const lane = async () => {
    while (!isOver) {
      page += 1;
      const { status } = await send(`/share-image/en/product/none-${page}`, FLOODING);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if ((statuses[429] ?? 0) > 20) onRefused();
    }
  };
  const lanes = Promise.all(Array.from({ length: 10 }, lane));
  const stop = async () => {
    isOver = true;
    await lanes;
    return statuses;
  };
  return { refused, stop };
}

/** Sends a request again until it is refused. */
async function sendUntilRefused(path: string, headers: Record<string, string> = {}) {
  for (let n = 0; n < 100; n++) {
    const response = await send(path, FLOODING, headers);
    if (response.status !== 200 && response.status !== 404) return response;
  }
  throw new Error(`${path} was never refused`);
}

describe("an address that makes the server render without end", () => {
  it("is refused, while another one is served", async () => {
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
    const times: number[] = [];
    const others: number[] = [];
    const readAsOther = async () => {
      for (const path of [`/product/${slug}`, `/search?q=${others.length}`]) {
        const startedAt = performance.now();
        others.push((await send(path, "203.0.113.5")).status);
        times.push(performance.now() - startedAt);
      }
    };
    await send("/", "203.0.113.5");
    for (let n = 0; n < 10; n++) await readAsOther();
    const alone = median(times.splice(0));
    const flood = startFlood();
    let isRefused = false;
    const refused = flood.refused.then(() => {
      isRefused = true;
    });
    while (!isRefused) await readAsOther();
    await refused;
    const statuses = await flood.stop();
    // 20 on an idle machine; on a busy one some wait too long for the one slot of the address.
    expect(statuses[404]).toBeGreaterThanOrEqual(5);
    expect(new Set(others)).toEqual(new Set([200]));
    expect(median(times)).toBeLessThan(Math.max(1_000, 20 * alone)); // 20 times: a machine that is busy already
  });

  it("reads why in its language, and when to come back; cached pages and files are served as before", async () => {
    const files = [
      "/robots.txt",
      "/sitemap.xml",
      "/sitemaps/products-1.xml",
      "/feeds/products.jsonl",
      "/llms.txt",
    ];
    const image = `/share-image/en/product/${slug}`;
    for (const path of [...files, image, "/"]) await send(path, "203.0.113.6");
    const flood = startFlood();
    await flood.refused;
    for (const [path, headers, text] of [
      ["/search?q=x", {}, "Too many requests."],
      ["/zh/search?q=x", {}, "请求过于频繁"],
      ["/search?q=x", { "accept-language": "ja" }, "リクエストが多すぎます"],
      ["/share-image/en/product/none", { "accept-language": "zh-CN" }, "请求过于频繁"],
    ] as const) {
      const refused = await sendUntilRefused(path, headers);
      expect([refused.status, refused.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
      expect(refused.text).toContain(text);
      expect(refused.headers["cache-control"]).toBe("no-store");
      expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    }
    const call = await sendUntilRefused("/api/v1/blog/list?keyword=x&target_lang=zh");
    expect(JSON.parse(call.text)).toMatchObject({ code: "429", success: false });
    expect(JSON.parse(call.text).message).toContain("请求过于频繁");

    for (const path of [...files, image])
      expect([path, (await send(path, FLOODING)).status]).toEqual([path, 200]);
    const page = await send("/", FLOODING);
    expect([page.status, cacheStatus(page)]).toEqual([200, "hit"]);
    expect((await send("/api/v1/auth/session-summary", FLOODING)).status).toBe(200);
    await flood.stop();
  });
});

it("files of unknown numbers are 404", async () => {
  for (const part of [2, 999_999])
    expect((await send(`/sitemaps/products-${part}.xml`, "203.0.113.7")).status).toBe(404);
  expect((await send("/sitemaps/products-1.xml", "203.0.113.7")).text).toContain(`/product/${slug}`);
});

it("a crawler at 10 new pages a second is not slowed", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 30; n++) {
    const startedAt = performance.now();
    statuses.push((await send(`/blog?q=${n}`, "203.0.113.8")).status);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 100 - (performance.now() - startedAt))));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
});
