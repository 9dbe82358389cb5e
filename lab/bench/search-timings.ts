import { existsSync, readFileSync } from "node:fs";
import { client, closeDatabase } from "@/db/client";
import { getHomePage, listFreeProducts } from "@/lib/catalog/listing/get-home-page";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import {
  listDiscountedProducts,
  listHotProducts,
  listProducts,
  listRelatedProducts,
} from "@/lib/catalog/listing/list-products";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { suggestSearch } from "@/lib/catalog/search/suggest-search";
import { env } from "@/lib/platform/env";
import { between, seeded } from "./generate-texts";
import { generateListQueries, generateQueries } from "./search-queries";

/**
 * Runs all queries on the database of DATABASE_URL and prints the timings as one line of JSON. It is a separate process,
 * because the connection pool belongs to one database. Times are CPU times of the database, planning included.
 */
export type Timing = { kind: string; count: number; p50: number; p95: number; worst: string };

const RUNS = 3;
const sql = client();

/** Returns a clock of the CPU time of the pool's Postgres processes in ms; wall time without /proc. */
async function createCpuClock(): Promise<() => number> {
  const backends = Array.from(
    { length: env().DATABASE_POOL },
    () => sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.2)`,
  );
  const pids = new Set((await Promise.all(backends)).map(([row]) => row!.pid));
  const paths = [...pids].map((pid) => `/proc/${pid}/schedstat`);
  if (!paths.every((path) => existsSync(path))) return () => performance.now();
  return () => paths.reduce((sum, path) => sum + Number(readFileSync(path, "utf8").split(" ")[0]), 0) / 1e6;
}
const now = await createCpuClock();

async function measureTask(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const startedAt = now();
    await run();
    times.push(now() - startedAt);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1]!;
}

type TimedTask = { kind: string; label: string; run: () => Promise<unknown> };

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function summarize(kind: string, measured: { label: string; ms: number }[]): Timing {
  const sorted = [...measured].sort((a, b) => a.ms - b.ms);
  const times = sorted.map(({ ms }) => ms);
  const worst = sorted
    .slice(-3)
    .map(({ label, ms }) => `${label} ${ms.toFixed(1)}`)
    .join("; ");
  return { kind, count: times.length, p50: quantile(times, 0.5), p95: quantile(times, 0.95), worst };
}

async function createTasks(): Promise<TimedTask[]> {
  const [range] = await sql<{ least: number; most: number }[]>`
    select min(id) as least, max(id) as most from products`;
  const random = seeded(7);
  const ids = Array.from({ length: 200 }, () => between(random, range!.least, range!.most));
  const pages = await Promise.all(ids.slice(0, 20).map((id) => findProductPage({ id, locale: "en" })));
  const queries = await generateQueries(sql, Number(process.argv[2] ?? 25));
  return [
    ...queries.map(({ kind, input }) => ({
      kind: `search: ${kind}`,
      label: JSON.stringify({ ...input, size: undefined }),
      run: () => searchProducts(input, "ja"),
    })),
    ...queries
      .filter(({ input }) => input.sort === "recommend")
      .slice(0, 200)
      .map(({ input: { keyword } }) => ({
        kind: "suggest",
        label: keyword,
        run: () => suggestSearch(keyword, "zh"),
      })),
    ...generateListQueries().map(({ kind, input }) => ({
      kind,
      label: JSON.stringify({ ...input, size: undefined }),
      run: () => listProducts({ ...input, size: 20 }, "en"),
    })),
    { kind: "home", label: "home", run: () => getHomePage("en") },
    { kind: "hot", label: "hot", run: () => listHotProducts("en") },
    { kind: "deals", label: "deals", run: () => listDiscountedProducts("en") },
    { kind: "free", label: "free", run: () => listFreeProducts("en") },
    { kind: "categories", label: "categories", run: () => listCategories("en") },
    ...ids.map((id) => ({
      kind: "detail",
      label: String(id),
      run: () => findProductPage({ id, locale: "ja" }),
    })),
    ...pages
      .filter((page) => page !== null)
      .map((page) => ({
        kind: "related",
        label: page.slug,
        run: () => listRelatedProducts(page, "en"),
      })),
  ];
}

/** Runs the first tasks of each kind on every connection until Postgres caches their plans. */
async function warmUp(tasks: readonly TimedTask[]): Promise<void> {
  const kinds = new Map<string, TimedTask[]>();
  for (const task of tasks) {
    const sameKind = kinds.get(task.kind) ?? [];
    if (sameKind.length < WARM_UP_TASKS) kinds.set(task.kind, [...sameKind, task]);
  }
  for (const task of [...kinds.values()].flat())
    for (let i = 0; i < 7; i++) await Promise.all(runOnAllConnections(task));
}
const WARM_UP_TASKS = 6;
const runOnAllConnections = ({ run }: TimedTask) => Array.from({ length: env().DATABASE_POOL }, run);

const tasks = await createTasks();
await warmUp(tasks);
const measured = new Map<string, { label: string; ms: number }[]>();
for (const { kind, label, run } of tasks)
  measured.set(kind, [...(measured.get(kind) ?? []), { label, ms: await measureTask(run) }]);
const searches = [...measured].filter(([kind]) => kind.startsWith("search:"));
const ranked = searches.filter(([kind]) => !/sorted: price|filtered and sorted/.test(kind));
const summaries = [
  summarize(
    "ranked",
    ranked.flatMap(([, timings]) => timings),
  ),
  summarize(
    "search",
    searches.flatMap(([, timings]) => timings),
  ),
];
console.log(
  JSON.stringify([...summaries, ...[...measured].map(([kind, timings]) => summarize(kind, timings))]),
);
await closeDatabase();
