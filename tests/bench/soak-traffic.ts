import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tree } from "../../scripts/server-process";

/** What went through, and what went wrong: the first few of each kind in words. */
export type Tally = {
  requests: number;
  failures: number;
  words: Map<string, number>;
  counts: Record<string, number>;
};
export type Traffic = {
  address: string;
  tally: Tally;
  over: () => boolean;
  random: () => number;
  dataDir: string;
};

export const newTally = (): Tally => ({ requests: 0, failures: 0, words: new Map(), counts: {} });

export function fail({ tally }: Pick<Traffic, "tally">, words: string): void {
  tally.failures += 1;
  tally.words.set(words, (tally.words.get(words) ?? 0) + 1);
}

export function count({ tally }: Pick<Traffic, "tally">, name: string): void {
  tally.counts[name] = (tally.counts[name] ?? 0) + 1;
}

const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36";
const PHONE = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36";

/** Longer than any busy machine takes: who waits so long has been forgotten. */
const LIMIT_MS = 60_000;

/** One request that must be answered with one of `expected`; its text, or null when it was not. */
export async function get(
  traffic: Traffic,
  path: string,
  {
    expected = [200],
    headers = {},
    body,
  }: { expected?: number[]; headers?: Record<string, string>; body?: object } = {},
): Promise<{ text: string; headers: Headers } | null> {
  traffic.tally.requests += 1;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  try {
    const response = await fetch(traffic.address + path, {
      headers: {
        "user-agent": path.includes("/mobile") ? PHONE : DESKTOP,
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      redirect: headers.rsc ? "follow" : "manual", // Next sends a router on to the address of its own
      signal: late.signal,
    });
    const text = await response.text();
    if (expected.includes(response.status)) return { text, headers: response.headers };
    fail(traffic, `${path.split("?")[0]?.replace(/[0-9a-f-]{20,}/, "…")} answered ${response.status}`);
  } catch (error) {
    if (!traffic.over()) fail(traffic, `${path.split("?")[0]}: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
  return null;
}

const pick = <T>({ random }: Traffic, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const PLACES = ["", "/mobile", "/zh", "/zh/mobile", "/ja", "/ja/mobile"] as const;

/** Looks around: pages of every kind in every place, some again with what they know, some for the router, some unknown. */
export async function browse(traffic: Traffic, slugs: readonly string[], posts: readonly string[]) {
  const { random } = traffic;
  const etags = new Map<string, string>();
  while (!traffic.over()) {
    const place = pick(traffic, PLACES);
    if (random() < 0.12) {
      await get(traffic, `${place}/product/nothing-${randomUUID()}`, { expected: [404] });
      count(traffic, "unknown addresses");
      continue;
    }
    const offers = place.endsWith("/mobile") ? "/limited" : "/limited-offer";
    const path = pick(traffic, [
      `/product/${pick(traffic, slugs)}`,
      `/product/${pick(traffic, slugs)}`,
      `/product/${pick(traffic, slugs)}`,
      `/product/detail/${1001 + Math.floor(random() * slugs.length)}`,
      pick(traffic, ["/top-trending", "/top-trending?sort=price_asc", "/top-trending?page=2"]),
      pick(traffic, [
        offers,
        "/blog",
        `/blog/detail/${pick(traffic, posts)}`,
        "/free-voucher",
        "/refund-policy",
      ]),
      "",
    ]);
    const whole = `${place}${path}` || "/";
    const known = etags.get(whole);
    const router = random() < 0.05 ? { rsc: "1" } : null;
    const headers: Record<string, string> =
      router ?? (known && random() < 0.5 ? { "if-none-match": known } : {});
    const found = await get(traffic, whole, {
      expected: [200, 304, ...(path.includes("detail") ? [404] : [])],
      headers,
    });
    const etag = found?.headers.get("etag");
    if (etag && etags.size < 500) etags.set(whole, etag);
    count(traffic, router ? "router payloads" : "pages");
    if (found?.headers.get("cache-status")?.includes("hit")) count(traffic, "pages from the cache");
    if (/Application error|Internal Server Error/.test(found?.text ?? ""))
      fail(traffic, `${path}: an error page`);
    await new Promise((done) => setTimeout(done, 5 + random() * 30));
  }
}

const WORDS = [
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

export async function search(traffic: Traffic) {
  while (!traffic.over()) {
    const keyword = pick(traffic, WORDS);
    const page = `${pick(traffic, ["", "/zh", "/ja"])}/search?q=${encodeURIComponent(keyword)}`;
    const answer =
      traffic.random() < 0.5
        ? await get(traffic, page)
        : await get(traffic, "/api/v1/product/search", { body: { keyword, size: 20 } });
    if (answer) count(traffic, "searches");
    await new Promise((done) => setTimeout(done, 30 + traffic.random() * 60));
  }
}

/** A script of the shop in a process of its own, as an operator runs it. */
function script(path: string, args: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ["--import", "tsx", path, ...args], {
      cwd: tree,
      env: process.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.once("exit", (code) => done({ code, said }));
  });
}

const PRODUCTS = 150;

/** Imports the same products again and again with other prices, and keys for them; a changed price must show at once. */
export async function importAll(traffic: Traffic, keysPerRound: number, pauseMs: number) {
  for (let round = 1; !traffic.over(); round += 1) {
    const price = (at: number) => 5 + ((round * 7 + at) % 90) + 0.25;
    const catalog = Array.from({ length: PRODUCTS }, (_, at) => productLine(at, price(at)));
    const file = (name: string) => join(traffic.dataDir, name);
    writeFileSync(file("soak.jsonl"), `${catalog.join("\n")}\n`);
    const keys = Array.from(
      { length: keysPerRound },
      (_, at) => `soak-${at % PRODUCTS},week,SOAK-${randomUUID()},`,
    );
    writeFileSync(file("soak.csv"), `product,plan,key,redeem_by\n${keys.join("\n")}\n`);
    for (const [path, name] of [
      ["scripts/import-catalog.ts", "soak.jsonl"],
      ["scripts/import-keys.ts", "soak.csv"],
    ] as const) {
      const { code, said } = await script(path, [file(name)]);
      if (code !== 0) fail(traffic, `${path} ended with ${code}: ${said.slice(-300)}`);
      else count(traffic, "imports");
    }
    const at = Math.floor(traffic.random() * PRODUCTS);
    const page = await get(traffic, `/product/soak-${at}`);
    if (page && !page.text.includes(price(at).toFixed(2)))
      fail(traffic, "a page shows the price before the import");
    for (const end = Date.now() + pauseMs; Date.now() < end && !traffic.over(); )
      await new Promise((done) => setTimeout(done, 200));
  }
}

function productLine(at: number, price: number): string {
  const text = (name: string) => ({
    name: `${name} ${at}`,
    tagline: `${name}, ${name}.`,
    description: `${name} ${at}, ${name}.`,
    includes: [name],
  });
  return JSON.stringify({
    kind: "product",
    slug: `soak-${at}`,
    vendor: "Soak & Sons",
    category: "writing",
    sort_num: at % 20,
    activation: { url: "https://maker.example/redeem", steps: { en: ["Enter the code."] } },
    texts: { en: text("Soaked"), zh: text("浸泡"), ja: text("つけおき") },
    plans: [{ type: "week", price }],
  });
}
