import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { client } from "@/db/client";
import { type Front, findNginx, startFront } from "@/scripts/start/front";
import { freePort } from "@/scripts/start/ports";
import { repositoryRoot } from "@/scripts/start/server-process";
import { clientAddress } from "@/tests/setup/client-address";
import type { BareResponse } from "./bare-server";
import type { BenchContext, BenchPart } from "./context";
import { requestEach } from "./load";
import { cpuMicros, familyMicros, nextMessage, startProcess } from "./processes";
import { compare, formatRound, WARM_UPS } from "./rounds";
import { type BenchLine, median } from "./table";

const GZIP = { "accept-encoding": "gzip" };
/** Times the CPU time of plain Node with the same bytes, and of the trivial handler. */
const FRONT_BAR = 1.3;
const CACHED_BAR = 1.2;
/** Times the CPU time of the trivial handler. */
const UNCACHED_BAR = 20;
const VIEW_BAR = 60;
const HTML_BAR = 18_000;
const CONNECTIONS = 8;

const toUrl = ({ server }: BenchContext, path: string) => `http://localhost:${server.port}${path}`;

/** Paths of product pages on both surfaces and in all languages; each is a separate cache entry. */
async function productPages(): Promise<string[]> {
  const products = await client()<{ slug: string }[]>`select slug from products where listed order by id`;
  const prefixes = ["", "/zh", "/ja", "/mobile", "/zh/mobile", "/ja/mobile"];
  return prefixes.flatMap((prefix) => products.map(({ slug }) => `${prefix}/product/${slug}`));
}

/** Notifies all tags, as database triggers do, and waits until the server has received them. */
async function emptyCache(): Promise<void> {
  await client()`select pg_notify('page_tags', tag) from (
    select 'product:' || id as tag from products union all select 'list:' || slug from categories
    union all values ('list'), ('posts'), ('campaigns')) tags`;
  await sleep(300);
}

/** Fetches a page with gzip and returns its headers and compressed bytes. */
async function fetchCompressed(address: string): Promise<{ headers: Record<string, string>; bytes: Buffer }> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = { ...GZIP, "user-agent": "bench", "x-forwarded-for": clientAddress() };
    const clientRequest = request(address, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const headers = Object.fromEntries(
          Object.entries(response.headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
        );
        if (response.statusCode === 200) resolve({ headers, bytes: Buffer.concat(chunks) });
        else reject(new Error(`${address} responded ${response.statusCode}`));
      });
    });
    clientRequest.on("error", reject);
    clientRequest.end();
  });
}

/** Compares a cached page through nginx, and from Next alone, with a plain Node HTTP server that sends the same headers and bytes. */
export const cachedPage: BenchPart = async (context) => {
  const { rounds, seconds, server, folder, trivialCpuMs } = context;
  const path = (await productPages())[0] ?? "/";
  const { headers, bytes } = await fetchCompressed(toUrl(context, path));
  const { date: _, connection: __, "keep-alive": ___, ...sentHeaders } = headers;
  const port = await freePort();
  const bare = startProcess({ script: "lab/bench/bare-server.ts", port, log: `${folder}/bare.log` });
  try {
    const response: BareResponse = { headers: sentHeaders, body: bytes.toString("base64") };
    bare.process.send(response);
    await nextMessage(bare.process);
    const load = { paths: [path, `/mobile${path}`], headers: GZIP, connections: CONNECTIONS, seconds };
    const alone = await compare(rounds, { server, load }, { server: bare, load });
    const size = `gzip (${bytes.length.toLocaleString("en")} B), ${CONNECTIONS} connections`;
    const lines: BenchLine[] = [];
    const front = await openFront(context);
    if (front) {
      try {
        const ours = { server: front, load };
        const { cpuRatio, ...result } = await compare(rounds, ours, { server: bare, load });
        lines.push({
          subject: `Product page through nginx, cached, ${size}`,
          ours: formatRound(result.ours),
          yardstick: `bare node:http, same bytes: ${formatRound(result.yardstick)}; by rate ${result.ratio.toFixed(2)}`,
          ratio: 1 / cpuRatio,
          bar: `≤ ${FRONT_BAR} × its CPU`,
          holds: 1 / cpuRatio <= FRONT_BAR,
        });
      } finally {
        await front.stop();
      }
    } else console.log("  not run: the page through nginx, which is not installed");
    const ratio = alone.ours.cpuUs / 1000 / trivialCpuMs;
    lines.push({
      subject: `Product page from Next alone, cached, ${size}`,
      ours: formatRound(alone.ours),
      yardstick: `route handler without a query: ${trivialCpuMs.toFixed(2)} ms CPU; of bare by rate ${alone.ratio.toFixed(2)}`,
      ratio,
      bar: `≤ ${CACHED_BAR} × its CPU`,
      holds: ratio <= CACHED_BAR,
    });
    return lines;
  } finally {
    await bare.stop();
  }
};

/** A line about CPU time in milliseconds, with a bar relative to the trivial handler. */
function cpuLine(
  { trivialCpuMs }: BenchContext,
  subject: string,
  cpuMs: number,
  bar: number,
  detail = "",
): BenchLine {
  const ratio = cpuMs / trivialCpuMs;
  return {
    subject,
    ours: `${cpuMs.toFixed(1)} ms CPU${detail}`,
    yardstick: `route handler without a query: ${trivialCpuMs.toFixed(2)} ms CPU`,
    ratio,
    bar: `≤ ${bar} × its CPU`,
    holds: ratio <= bar,
  };
}

/** Measures the rendering of product pages that are not cached. */
export const uncachedPage: BenchPart = async (context) => {
  const { rounds, server } = context;
  const paths = await productPages();
  const costs: number[] = [];
  const times: number[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    await emptyCache();
    const before = cpuMicros(server.process.pid);
    const responseTimes = await requestEach({ port: server.port, paths, headers: GZIP, connections: 2 });
    if (round < 0) continue;
    costs.push((cpuMicros(server.process.pid) - before) / 1000 / paths.length);
    times.push(median(responseTimes));
  }
  const subject = `Product page, not cached (${paths.length} different ones)`;
  const detail = `, p50 ${median(times).toFixed(0)} ms at 2 connections`;
  return [cpuLine(context, subject, median(costs), UNCACHED_BAR, detail)];
};

/** Measures the HTML size: the largest of all languages and surfaces. */
export const htmlBytes: BenchPart = async (context) => {
  const pages = {
    product: await productPages(),
    home: ["/", "/zh", "/ja", "/mobile", "/zh/mobile", "/ja/mobile"],
  };
  const lines = [];
  for (const [name, paths] of Object.entries(pages)) {
    const sizes: { path: string; size: number }[] = [];
    for (const path of paths)
      sizes.push({ path, size: (await fetchCompressed(toUrl(context, path))).bytes.length });
    sizes.sort((a, b) => b.size - a.size);
    const worst = sizes[0] ?? { path: "", size: 0 };
    const medianSize = median(sizes.map(({ size }) => size));
    lines.push({
      subject: `HTML of ${name}, gzip, heaviest of ${paths.length}`,
      ours: `${(worst.size / 1000).toFixed(1)} kB (${worst.path}; median ${(medianSize / 1000).toFixed(1)} kB)`,
      yardstick: "NextFaster 27 kB",
      ratio: worst.size / 27_000,
      bar: `≤ ${HTML_BAR / 1000} kB`,
      holds: worst.size <= HTML_BAR,
    });
  }
  return lines;
};

/** The files that a page refers to. */
function listFiles(html: string): string[] {
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) =>
    path.replaceAll("&amp;", "&"),
  );
  const files = paths.filter((path) =>
    /^\/_next\/|\.(?:png|svg|ico|webmanifest|webp|avif)(?:\?|$)/.test(path),
  );
  return [...new Set(files)];
}

/** nginx in front of the bench's shop, with the files of its build; undefined where nginx is not installed. */
const openFront = async ({
  server,
  folder,
}: BenchContext): Promise<(Front & { port: number }) | undefined> => {
  if (!findNginx()) return undefined;
  const port = await freePort();
  const staticFolder = resolve(repositoryRoot, ".next/static");
  const dir = `${folder}/front`;
  return {
    ...(await startFront({ dir, port, shop: [server.port], staticFolder, realAddresses: true })),
    port,
  };
};

/**
 * Measures the CPU time of nginx and the server for a first view of a product page with empty caches: page, files and
 * calls. Without nginx it measures the server only.
 */
export const pageView: BenchPart = async (context) => {
  const { rounds, server } = context;
  // Each view is of another product, because nginx stores a page for a second or two.
  const pages = (await productPages()).filter((path) => path.startsWith("/product/"));
  const html = await (await fetch(toUrl(context, pages[0] ?? "/"))).text();
  const id = /"product_?[iI]d\\?":(\d+)/.exec(html)?.[1];
  const files = listFiles(html);
  const calls = ["/api/v1/auth/session-summary", ...(id ? [`/api/v1/product/detail/${id}`] : [])];
  const views = 10; // Linux counts CPU time in 10 ms
  const costs: number[] = [];
  let next = 0;
  const front = await openFront(context);
  const port = front?.port ?? server.port;
  const micros = () => cpuMicros(server.process.pid) + (front ? familyMicros(front.process.pid) : 0);
  try {
    for (let round = -WARM_UPS; round < rounds; round++) {
      let sum = 0;
      for (let view = 0; view < views; view++) {
        await emptyCache();
        const before = micros();
        const paths = [pages[next++ % pages.length] ?? "/", ...files, ...calls];
        await requestEach({ port, paths, headers: GZIP, connections: 6 });
        sum += micros() - before;
      }
      if (round >= 0) costs.push(sum / 1000 / views);
    }
  } finally {
    await front?.stop();
  }
  const way = front ? "through nginx" : "from Next alone";
  const subject = `One view of a product page ${way}, cache cold: the page, ${files.length} files, ${calls.length} calls`;
  return [cpuLine(context, subject, median(costs), VIEW_BAR)];
};
