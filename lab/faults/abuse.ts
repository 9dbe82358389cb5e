import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { generateCatalog } from "@/lab/bench/generate-catalog";
import { vocabulary } from "@/lab/bench/generate-texts";
import { checkWrk } from "@/lab/bench/load";
import { migrate } from "@/scripts/migrate";
import { requireNginx } from "@/scripts/start/front";
import { startTestServer, type TestServer } from "@/tests/setup/shop";
import { seeded, sleep } from "@/tests/setup/shopper";
import { type Attack, runAttack, runStalledReaders, type Statuses } from "./abuse-load";
import { createProbe, type ProbeProduct, type ProbeResult } from "./abuse-probe";
import { runTrial, type TrialResult } from "./table";

/** The bar of every case: the 95th percentile of the probing shopper's response times. */
const BAR_MS = 300;
const SECONDS = 15;
const PRODUCTS = 20_000;
const FEED = "/feeds/products.jsonl";

type Options = { databaseUrl: string; dataDir: string; logDir: string; seed: number; size: number };
type Shop = { server: TestServer; port: number; probe: Awaited<ReturnType<typeof createProbe>> };
type Case = {
  name: string;
  attack: string;
  create?: (words: Words) => Attack;
  /** Clients that do not read. */
  stalled?: boolean;
};
type Words = { slugs: string[]; latin: readonly string[]; random: () => number };

const repeat = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index));

/** A word of the catalog, or letters that match nothing and are checked for typos. */
function randomWord({ latin, random }: Words): string {
  if (random() < 0.5) return latin[Math.floor(random() * latin.length)] ?? "pass";
  const letters = repeat(5 + Math.floor(random() * 5), () => 97 + Math.floor(random() * 26));
  return String.fromCharCode(...letters);
}

const randomSlug = ({ slugs, random }: Words) => slugs[Math.floor(random() * slugs.length)] ?? "";

/** Attacks that a single machine can run (docs/reliability.md#limits). */
const CASES: Case[] = [
  { name: "alone", attack: "none: the shopper alone, for comparison" },
  {
    name: "parameters",
    attack: "10 lanes of small requests with thousands of parameters",
    create: () => ({
      connections: 10,
      paths: repeat(50, (n) => `/search?n=${n}&${"q&".repeat(n % 2 ? 7_000 : 1_500)}q=x`),
    }),
  },
  {
    name: "forms",
    attack: "10 lanes of forms of 60 kB with 15,000 fields",
    create: () => ({
      connections: 10,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "a=1&".repeat(15_000),
      paths: ["/api/v1/product/search", "/api/v1/auth/login/email", "/api/v1/visit/record"],
    }),
  },
  {
    name: "search",
    attack: "10 lanes of searches with random words",
    create: (words) => ({
      connections: 10,
      paths: repeat(2_000, (n) =>
        n % 4 === 0
          ? `/api/v1/product/suggest?keyword=${randomWord(words)}`
          : `/search?q=${randomWord(words)}+${randomWord(words)}`,
      ),
    }),
  },
  {
    name: "share-images",
    attack: "10 lanes of share images",
    create: (words) => ({
      connections: 10,
      paths: repeat(2_000, (n) => `/share-image/${["en", "zh", "ja"][n % 3]}/product/${randomSlug(words)}`),
    }),
  },
  {
    name: "unknown-pages",
    attack: "10 lanes of unknown pages and uncached renders",
    create: (words) => ({
      connections: 10,
      paths: repeat(2_000, (n) => (n % 2 ? `/product/none-${n}` : `/zh/product/${randomSlug(words)}?x=${n}`)),
    }),
  },
  {
    name: "addresses",
    attack: "50 lanes of uncached renders and searches from 5 address groups",
    create: (words) => ({
      connections: 50,
      addresses: 5,
      paths: repeat(4_000, (n) =>
        n % 3 ? `/ja/product/${randomSlug(words)}?x=${n}` : `/search?q=${randomWord(words)}`,
      ),
    }),
  },
  {
    name: "groups",
    attack: "50 lanes of uncached renders and searches from 500 address groups",
    create: (words) => ({
      connections: 50,
      addresses: 500,
      paths: repeat(4_000, (n) =>
        n % 3 ? `/ja/product/${randomSlug(words)}?x=${n}` : `/search?q=${randomWord(words)}`,
      ),
    }),
  },
  {
    name: "feed-readers",
    attack: "20 readers of feed and sitemaps",
    create: () => ({
      connections: 20,
      paths: [FEED, FEED, "/sitemap.xml", "/sitemaps/products-1.xml", "/robots.txt"],
    }),
  },
  {
    name: "stalled-readers",
    attack: "200 clients that do not read the feed, sitemaps and pages",
    stalled: true,
    create: (words) => ({
      connections: 200,
      paths: [FEED, "/sitemaps/products-1.xml", `/product/${randomSlug(words)}`, "/"],
    }),
  },
  {
    name: "page-cache",
    attack: "10 lanes of one-off spellings of cached pages, from 5 address groups",
    create: (words) => ({
      connections: 10,
      addresses: 5,
      paths: repeat(4_000, (n) => {
        const slug = randomSlug(words);
        const encoded = `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`;
        return [`/product/${slug}?plan=${n}`, `/product/${encoded}`, `/top-trending?page=${(n % 900) + 1}`][
          n % 3
        ]!;
      }),
    }),
  },
];

/**
 * Attacks by wrk while a shopper probes from another address: no request of
 * the shopper fails, and 95 % take at most 300 ms. `stop` ends the server, which the first case starts.
 */
export function abuseTrials({ databaseUrl, dataDir, logDir, seed, size }: Options) {
  const words: Words = { slugs: [], latin: vocabulary(2).latin, random: seeded(seed) };
  const seconds = Math.max(3, Math.round(SECONDS * size));
  let started: Promise<Shop> | undefined;

  const start = async (): Promise<Shop> => {
    await checkWrk();
    const url = await createCatalogDatabase(databaseUrl, Math.max(500, Math.round(PRODUCTS * size)));
    const products = await pickProducts(url);
    words.slugs = products.map(({ slug }) => slug);
    mkdirSync(logDir, { recursive: true });
    requireNginx();
    const server = await startTestServer({
      databaseUrl: url,
      dataDir,
      log: join(logDir, "abuse.log"),
      front: {},
    });
    const { address } = server;
    const probe = await createProbe({
      address,
      products: products.filter((_, n) => n % 7 === 0).slice(0, 200),
    });
    // The worker makes a feed at the first request; of a shop that is open, it exists.
    while (!(await fetch(address + FEED, { method: "HEAD" })).ok) await sleep(500);
    const firstProbeEnd = performance.now() + 3_000;
    await probe(() => performance.now() > firstProbeEnd); // code that is not compiled yet
    return { server, port: Number(new URL(address).port), probe };
  };

  const runCase = ({ attack: trial, create, stalled }: Case): Promise<TrialResult> =>
    runTrial({ invariant: "Nobody stops the shop", trial, seed }, async (result) => {
      started ??= start();
      const { port, probe } = await started;
      let isOver = false;
      const attack = async (): Promise<Statuses> => {
        if (!create) return sleep(seconds * 1000).then(() => ({}));
        if (stalled) return runStalledReaders(port, seconds, create(words));
        return runAttack(port, seconds, join(dataDir, "attack"), create(words));
      };
      const attacking = attack().finally(() => {
        isOver = true;
      });
      const [statuses, probed] = await Promise.all([attacking, probe(() => isOver)]);
      judge(result, statuses, probed);
    });

  return {
    parts: CASES.map((one): [string, () => Promise<TrialResult>] => [
      `abuse-${one.name}`,
      () => runCase(one),
    ]),
    async stop() {
      await (await started?.catch(() => undefined))?.server.stop();
    },
  };
}

function judge(result: TrialResult, statuses: Statuses, { timesMs, failures }: ProbeResult): void {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
  result.trials = timesMs.length;
  result.recoveryMs.push(...timesMs);
  if (p95 > BAR_MS) result.violations.push(`the 95th percentile of the shopper is ${Math.round(p95)} ms`);
  result.violations.push(...failures);
  for (const status of Object.keys(statuses))
    if (/^5/.test(status))
      result.violations.push(`${statuses[status]} responses to the attack are ${status}`);
  result.brokenVariant = describe(statuses);
}

const describe = (statuses: Statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count.toLocaleString("en")} × ${status}`)
    .join(", ") || "no response";

/** Its own database, because the generated keys hold no codes. */
async function createCatalogDatabase(serverUrl: string, count: number): Promise<string> {
  const name = `abuse_${randomUUID().slice(0, 8)}`;
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name}`);
  await server.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  await generateCatalog({ url: url.href, count, say: () => {} });
  return url.href;
}

async function pickProducts(url: string): Promise<ProbeProduct[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql<ProbeProduct[]>`
      select p.id, p.slug, min(pl.id)::int as "planId" from products p join plans pl on pl.product_id = p.id
      where p.listed and pl.listed and pl.availability = 'in_stock' and pl.price_cents > 0
        and exists (select from keys k where k.plan_id = pl.id and k.state = 'available'
          and (k.redeem_by is null or k.redeem_by > now() + interval '1 day'))
      group by p.id order by md5(p.slug) limit 2000`;
  } finally {
    await sql.end();
  }
}
