import { existsSync, readFileSync } from "node:fs";
import { client, closeDatabase } from "@/db/client";
import { getHomePage, listFreeProducts } from "@/lib/catalog/listing/queries-home";
import {
  findProductPage,
  listCategories,
  listDiscountedProducts,
  listHotProducts,
  listProducts,
  listRelatedProducts,
} from "@/lib/catalog/queries";
import { searchProducts, suggestSearch } from "@/lib/catalog/search/queries";
import { env } from "@/lib/platform/env";
import { between, seeded } from "./generate-texts";
import { listQuestions, searchQuestions } from "./search-queries";

/**
 * Runs all queries on the database of DATABASE_URL and prints the timings as one line of JSON. It is a separate process,
 * because the connection pool belongs to one database. Times are CPU times of the database, planning included.
 */
export type Timing = { kind: string; count: number; p50: number; p95: number; worst: string };

const RUNS = 3;
const sql = client();

/** Returns a clock of the CPU time of the pool's Postgres processes in ms; wall time without /proc. */
async function clock(): Promise<() => number> {
  const asked = Array.from(
    { length: env().DATABASE_POOL },
    () => sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.2)`,
  );
  const pids = new Set((await Promise.all(asked)).map(([row]) => row!.pid));
  const paths = [...pids].map((pid) => `/proc/${pid}/schedstat`);
  if (!paths.every((path) => existsSync(path))) return () => performance.now();
  return () => paths.reduce((sum, path) => sum + Number(readFileSync(path, "utf8").split(" ")[0]), 0) / 1e6;
}
const now = await clock();

async function took(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const begun = now();
    await work();
    times.push(now() - begun);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1]!;
}

type Task = { kind: string; what: string; work: () => Promise<unknown> };

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function timing(kind: string, measured: { what: string; ms: number }[]): Timing {
  const sorted = [...measured].sort((a, b) => a.ms - b.ms);
  const times = sorted.map(({ ms }) => ms);
  const worst = sorted
    .slice(-3)
    .map(({ what, ms }) => `${what} ${ms.toFixed(1)}`)
    .join("; ");
  return { kind, count: times.length, p50: quantile(times, 0.5), p95: quantile(times, 0.95), worst };
}

async function tasks(): Promise<Task[]> {
  const [range] = await sql<{ least: number; most: number }[]>`
    select min(id) as least, max(id) as most from products`;
  const random = seeded(7);
  const ids = Array.from({ length: 200 }, () => between(random, range!.least, range!.most));
  const pages = await Promise.all(ids.slice(0, 20).map((id) => findProductPage({ id, locale: "en" })));
  const questions = await searchQuestions(sql, Number(process.argv[2] ?? 25));
  return [
    ...questions.map(({ kind, input }) => ({
      kind: `search: ${kind}`,
      what: JSON.stringify({ ...input, size: undefined }),
      work: () => searchProducts(input, "ja"),
    })),
    ...questions
      .filter(({ input }) => input.sort === "recommend")
      .slice(0, 200)
      .map(({ input: { keyword } }) => ({
        kind: "suggest",
        what: keyword,
        work: () => suggestSearch(keyword, "zh"),
      })),
    ...listQuestions().map(({ kind, input }) => ({
      kind,
      what: JSON.stringify({ ...input, size: undefined }),
      work: () => listProducts({ ...input, size: 20 }, "en"),
    })),
    { kind: "home", what: "home", work: () => getHomePage("en") },
    { kind: "hot", what: "hot", work: () => listHotProducts("en") },
    { kind: "deals", what: "deals", work: () => listDiscountedProducts("en") },
    { kind: "free", what: "free", work: () => listFreeProducts("en") },
    { kind: "categories", what: "categories", work: () => listCategories("en") },
    ...ids.map((id) => ({
      kind: "detail",
      what: String(id),
      work: () => findProductPage({ id, locale: "ja" }),
    })),
    ...pages
      .filter((page) => page !== null)
      .map((page) => ({
        kind: "related",
        what: page.slug,
        work: () => listRelatedProducts(page, "en"),
      })),
  ];
}

/** Runs the first tasks of each kind on every connection until Postgres caches their plans. */
async function warm(all: readonly Task[]): Promise<void> {
  const kinds = new Map<string, Task[]>();
  for (const task of all) {
    const same = kinds.get(task.kind) ?? [];
    if (same.length < SHAPES) kinds.set(task.kind, [...same, task]);
  }
  for (const task of [...kinds.values()].flat()) for (let i = 0; i < 7; i++) await Promise.all(again(task));
}
const SHAPES = 6;
const again = ({ work }: Task) => Array.from({ length: env().DATABASE_POOL }, work);

const all = await tasks();
await warm(all);
const measured = new Map<string, { what: string; ms: number }[]>();
for (const { kind, what, work } of all)
  measured.set(kind, [...(measured.get(kind) ?? []), { what, ms: await took(work) }]);
const searches = [...measured].filter(([kind]) => kind.startsWith("search:"));
const ranked = searches.filter(([kind]) => !/sorted: price|filtered and sorted/.test(kind));
const whole = [
  timing(
    "ranked",
    ranked.flatMap(([, each]) => each),
  ),
  timing(
    "search",
    searches.flatMap(([, each]) => each),
  ),
];
console.log(JSON.stringify([...whole, ...[...measured].map(([kind, each]) => timing(kind, each))]));
await closeDatabase();
