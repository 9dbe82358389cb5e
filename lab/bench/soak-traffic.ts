import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@/scripts/start/server-process";
import { clientAddress } from "@/tests/setup/client-address";

/** Counts of requests, failures by message, and events by name. */
export type Tally = {
  requests: number;
  failures: number;
  failureMessages: Map<string, number>;
  counts: Record<string, number>;
};
export type Traffic = {
  address: string;
  tally: Tally;
  isStopped: () => boolean;
  random: () => number;
  dataDir: string;
};

export const createTally = (): Tally => ({
  requests: 0,
  failures: 0,
  failureMessages: new Map(),
  counts: {},
});

export function fail({ tally }: Pick<Traffic, "tally">, message: string): void {
  tally.failures += 1;
  tally.failureMessages.set(message, (tally.failureMessages.get(message) ?? 0) + 1);
}

export function count({ tally }: Pick<Traffic, "tally">, name: string): void {
  tally.counts[name] = (tally.counts[name] ?? 0) + 1;
}

const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36";
const PHONE = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36";

/** A request without a response after this time has failed. */
const LIMIT_MS = 60_000;

/** Sends one request; returns its text if the status is one of `expected`, otherwise counts a failure and returns null. */
export async function sendRequest(
  traffic: Traffic,
  path: string,
  {
    expected = [200],
    headers = {},
    body,
  }: { expected?: number[]; headers?: Record<string, string>; body?: object } = {},
): Promise<{ text: string; headers: Headers } | null> {
  traffic.tally.requests += 1;
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new Error(`no response within ${LIMIT_MS / 1000} s`)),
    LIMIT_MS,
  );
  try {
    const response = await fetch(traffic.address + path, {
      headers: {
        "user-agent": path.includes("/mobile") ? PHONE : DESKTOP,
        "x-forwarded-for": clientAddress(),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      redirect: headers.rsc ? "follow" : "manual", // Next redirects router requests to its own URL
      signal: timeout.signal,
    });
    const text = await response.text();
    if (expected.includes(response.status)) return { text, headers: response.headers };
    fail(traffic, `${path.split("?")[0]?.replace(/[0-9a-f-]{20,}/, "…")} responded ${response.status}`);
  } catch (error) {
    if (!traffic.isStopped()) fail(traffic, `${path.split("?")[0]}: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
  return null;
}

const pickUniform = <T>({ random }: Traffic, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;
const PAGE_PREFIXES = ["", "/mobile", "/zh", "/zh/mobile", "/ja", "/ja/mobile"] as const;

/** Requests random pages in all languages and surfaces: some with an ETag, some as the router, some unknown. */
export async function runBrowser(traffic: Traffic, slugs: readonly string[], posts: readonly string[]) {
  const { random } = traffic;
  const etags = new Map<string, string>();
  while (!traffic.isStopped()) {
    const prefix = pickUniform(traffic, PAGE_PREFIXES);
    if (random() < 0.12) {
      await sendRequest(traffic, `${prefix}/product/nothing-${randomUUID()}`, { expected: [404] });
      count(traffic, "unknown URLs");
      continue;
    }
    const offers = prefix.endsWith("/mobile") ? "/limited" : "/limited-offer";
    const path = pickUniform(traffic, [
      `/product/${pickUniform(traffic, slugs)}`,
      `/product/${pickUniform(traffic, slugs)}`,
      `/product/${pickUniform(traffic, slugs)}`,
      `/product/detail/${1001 + Math.floor(random() * slugs.length)}`,
      pickUniform(traffic, ["/top-trending", "/top-trending?sort=price_asc", "/top-trending?page=2"]),
      pickUniform(traffic, [
        offers,
        "/blog",
        `/blog/detail/${pickUniform(traffic, posts)}`,
        "/free-voucher",
        "/refund-policy",
      ]),
      "",
    ]);
    const pagePath = `${prefix}${path}` || "/";
    const cachedEtag = etags.get(pagePath);
    const rscHeader = random() < 0.05 ? { rsc: "1" } : null;
    const headers: Record<string, string> =
      rscHeader ?? (cachedEtag && random() < 0.5 ? { "if-none-match": cachedEtag } : {});
    const response = await sendRequest(traffic, pagePath, {
      expected: [200, 304, ...(path.includes("detail") ? [404] : [])],
      headers,
    });
    const etag = response?.headers.get("etag");
    if (etag && etags.size < 500) etags.set(pagePath, etag);
    count(traffic, rscHeader ? "router payloads" : "pages");
    if (response?.headers.get("cache-status")?.includes("hit")) count(traffic, "pages from the cache");
    if (/Application error|Internal Server Error/.test(response?.text ?? ""))
      fail(traffic, `${path}: error page`);
    await new Promise((resolve) => setTimeout(resolve, 5 + random() * 30));
  }
}

const KEYWORDS = [
  "draft",
  "translate",
  "视频",
  "写作",
  "動画",
  "コード",
  "voice",
  "imag",
  "(",
  "a b c d",
  "' or 1=1 --",
  "音楽 生成",
];

export async function runSearch(traffic: Traffic) {
  while (!traffic.isStopped()) {
    const keyword = pickUniform(traffic, KEYWORDS);
    const page = `${pickUniform(traffic, ["", "/zh", "/ja"])}/search?q=${encodeURIComponent(keyword)}`;
    const response =
      traffic.random() < 0.5
        ? await sendRequest(traffic, page)
        : await sendRequest(traffic, "/api/v1/product/search", { body: { keyword, size: 20 } });
    if (response) count(traffic, "searches");
    await new Promise((resolve) => setTimeout(resolve, 30 + traffic.random() * 60));
  }
}

/** Runs a script in a child process, as an operator does. */
function runScript(path: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", path, ...args], {
      cwd: repositoryRoot,
      env: process.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("exit", (code) => resolve({ code, output }));
  });
}

const PRODUCTS = 150;

/** Imports the same products repeatedly with new prices and keys; a page must show a changed price immediately. */
export async function runImports(traffic: Traffic, keysPerRound: number, pauseMs: number) {
  for (let round = 1; !traffic.isStopped(); round += 1) {
    const price = (index: number) => 5 + ((round * 7 + index) % 90) + 0.25;
    const catalog = Array.from({ length: PRODUCTS }, (_, index) => productLine(index, price(index)));
    const file = (name: string) => join(traffic.dataDir, name);
    writeFileSync(file("soak.jsonl"), `${catalog.join("\n")}\n`);
    const keys = Array.from(
      { length: keysPerRound },
      (_, index) => `soak-${index % PRODUCTS},week,SOAK-${randomUUID()},`,
    );
    writeFileSync(file("soak.csv"), `product,plan,key,redeem_by\n${keys.join("\n")}\n`);
    for (const [path, name] of [
      ["scripts/import-catalog.ts", "soak.jsonl"],
      ["scripts/import-keys.ts", "soak.csv"],
    ] as const) {
      const { code, output } = await runScript(path, [file(name)]);
      if (code !== 0) fail(traffic, `${path} exited with ${code}: ${output.slice(-300)}`);
      else count(traffic, "imports");
    }
    const index = Math.floor(traffic.random() * PRODUCTS);
    const page = await sendRequest(traffic, `/product/soak-${index}`);
    if (page && !page.text.includes(price(index).toFixed(2)))
      fail(traffic, "a page shows an outdated price after an import");
    for (const end = Date.now() + pauseMs; Date.now() < end && !traffic.isStopped(); )
      await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function productLine(index: number, price: number): string {
  const text = (name: string) => ({
    name: `${name} ${index}`,
    tagline: `${name}, ${name}.`,
    description: `${name} ${index}, ${name}.`,
    includes: [name],
  });
  return JSON.stringify({
    kind: "product",
    slug: `soak-${index}`,
    vendor: "Soak & Sons",
    category: "writing",
    sort_num: index % 20,
    activation: { url: "https://maker.example/redeem", steps: { en: ["Enter the code."] } },
    texts: { en: text("Soaked"), zh: text("浸泡"), ja: text("つけおき") },
    plans: [{ type: "week", price }],
  });
}
