import { setTimeout as sleep } from "node:timers/promises";
import { client } from "@/db/client";
import { freePort } from "@/scripts/ports";
import type { BareAnswer } from "./bare-server";
import type { Part, Stand } from "./context";
import { heard, startProcess } from "./processes";
import { compare, figure, measure, WARM_UPS } from "./rounds";
import { median } from "./table";

const GZIP = { "accept-encoding": "gzip", "user-agent": "bench" };
const CACHED_BAR = 0.35;
const MISS_BAR_MS = 15;
const HTML_BAR = 18_000;
const VIEW_BAR_MS = 60;
const CONNECTIONS = 8;

const at = ({ shop }: Stand, path: string) => `http://localhost:${shop.port}${path}`;

/** Paths of product pages on both surfaces and in all languages; each is a separate cache entry. */
async function productPages(): Promise<string[]> {
  const products = await client()<{ slug: string }[]>`select slug from products where listed order by id`;
  const places = ["", "/zh", "/ja", "/mobile", "/zh/mobile", "/ja/mobile"];
  return places.flatMap((place) => products.map(({ slug }) => `${place}/product/${slug}`));
}

/** Notifies all tags, as database triggers do, and waits until the server has received them. */
async function emptyCache(): Promise<void> {
  await client()`select pg_notify('page_tags', tag) from (
    select 'product:' || id as tag from products union all select 'list:' || slug from categories
    union all values ('list'), ('posts'), ('campaigns')) tags`;
  await sleep(300);
}

/** Fetches a page with gzip and returns its headers and compressed bytes. */
async function compressed(address: string): Promise<{ headers: Record<string, string>; bytes: Buffer }> {
  const { request } = await import("node:http");
  return new Promise((done, fail) => {
    const asked = request(address, { headers: GZIP }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const headers = Object.fromEntries(
          Object.entries(answer.headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
        );
        if (answer.statusCode === 200) done({ headers, bytes: Buffer.concat(chunks) });
        else fail(new Error(`${address} responded ${answer.statusCode}`));
      });
    });
    asked.on("error", fail);
    asked.end();
  });
}

/** Compares a cached page with a plain Node HTTP server that sends the same headers and bytes. */
export const cachedPage: Part = async (stand) => {
  const { generator, rounds, ms, shop, folder } = stand;
  const path = (await productPages())[0] ?? "/";
  const { headers, bytes } = await compressed(at(stand, path));
  const { date: _, connection: __, "keep-alive": ___, ...same } = headers;
  const port = await freePort();
  const bare = startProcess({ script: "tests/bench/bare-server.ts", port, log: `${folder}/bare.log` });
  try {
    const answer: BareAnswer = { headers: same, body: bytes.toString("base64") };
    bare.process.send(answer);
    await heard(bare.process);
    const load = { paths: [path], headers: GZIP, connections: CONNECTIONS, ms };
    const many = await compare(generator, rounds, { server: shop, load }, { server: bare, load });
    const single = { ...load, connections: 1 };
    const one = await compare(
      generator,
      rounds,
      { server: shop, load: single },
      { server: bare, load: single },
    );
    const holds = many.ratio >= CACHED_BAR;
    return [
      {
        what: `Product page, cached, gzip (${bytes.length.toLocaleString("en")} B), ${CONNECTIONS} connections`,
        ours: figure(many.ours),
        yardstick: `bare node:http, same bytes: ${figure(many.yardstick)}`,
        ratio: many.ratio,
        bar: `≥ ${CACHED_BAR} of its rate`,
        holds,
      },
      {
        what: "The same, one connection",
        ours: figure(one.ours),
        yardstick: `bare node:http: ${figure(one.yardstick)}`,
        ratio: one.ratio,
        bar: "a figure to know",
        holds: null,
      },
    ];
  } finally {
    await bare.stop();
  }
};

/** Measures the rendering of product pages that are not cached. */
export const uncachedPage: Part = async ({ generator, rounds, shop }) => {
  const pages = await productPages();
  const costs: number[] = [];
  const times: number[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    await emptyCache();
    const load = { paths: pages, headers: GZIP, connections: 2, ms: 60_000, requests: pages.length };
    const { cpuUs, p50Ms } = await measure(generator, { server: shop, load });
    if (round < 0) continue;
    costs.push(cpuUs / 1000);
    times.push(p50Ms);
  }
  const cost = median(costs);
  return [
    {
      what: `Product page, not cached (${pages.length} different ones)`,
      ours: `${cost.toFixed(1)} ms CPU, p50 ${median(times).toFixed(0)} ms at 2 connections`,
      yardstick: "NextFaster: each request",
      bar: `≤ ${MISS_BAR_MS} ms CPU`,
      holds: cost <= MISS_BAR_MS,
    },
  ];
};

/** Measures the HTML size: the largest of all languages and surfaces. */
export const htmlBytes: Part = async (stand) => {
  const pages = {
    product: await productPages(),
    home: ["/", "/zh", "/ja", "/mobile", "/zh/mobile", "/ja/mobile"],
  };
  const lines = [];
  for (const [name, paths] of Object.entries(pages)) {
    const sizes: { path: string; size: number }[] = [];
    for (const path of paths) sizes.push({ path, size: (await compressed(at(stand, path))).bytes.length });
    sizes.sort((a, b) => b.size - a.size);
    const worst = sizes[0] ?? { path: "", size: 0 };
    const usual = median(sizes.map(({ size }) => size));
    lines.push({
      what: `HTML of ${name}, gzip, heaviest of ${paths.length}`,
      ours: `${(worst.size / 1000).toFixed(1)} kB (${worst.path}; median ${(usual / 1000).toFixed(1)} kB)`,
      yardstick: "NextFaster 27 kB",
      ratio: worst.size / 27_000,
      bar: `≤ ${HTML_BAR / 1000} kB`,
      holds: worst.size <= HTML_BAR,
    });
  }
  return lines;
};

/** The files that a page refers to. */
function filesOf(html: string): string[] {
  const found = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) =>
    path.replaceAll("&amp;", "&"),
  );
  const files = found.filter((path) =>
    /^\/_next\/|\.(?:png|svg|ico|webmanifest|webp|avif)(?:\?|$)/.test(path),
  );
  return [...new Set(files)];
}

/** Measures the CPU time of the server for a first view of a product page with empty caches: page, files and calls. */
export const pageView: Part = async ({ generator, rounds, shop }) => {
  const path = (await productPages())[0] ?? "/";
  const html = await (await fetch(`http://localhost:${shop.port}${path}`)).text();
  const id = /"product_?[iI]d\\?":(\d+)/.exec(html)?.[1];
  const calls = ["/api/v1/auth/session-summary", ...(id ? [`/api/v1/product/detail/${id}`] : [])];
  const paths = [path, ...filesOf(html), ...calls];
  const load = { paths, headers: GZIP, connections: 6, ms: 60_000, requests: paths.length };
  const views = 10; // Linux counts CPU time in 10 ms
  const costs: number[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    let sum = 0;
    for (let view = 0; view < views; view++) {
      await emptyCache();
      const { cpuUs, requests } = await measure(generator, { server: shop, load });
      sum += (cpuUs * requests) / 1000 / views;
    }
    if (round >= 0) costs.push(sum);
  }
  const cost = median(costs);
  return [
    {
      what: `One view of a product page, cache cold: the page, ${paths.length - 1 - calls.length} files, ${calls.length} calls`,
      ours: `${cost.toFixed(0)} ms CPU`,
      yardstick: "NextFaster with its prefetches: 560–780 ms",
      ratio: cost / 560,
      bar: `≤ ${VIEW_BAR_MS} ms CPU`,
      holds: cost <= VIEW_BAR_MS,
    },
  ];
};
