import { spawn } from "node:child_process";
import { repositoryRoot } from "@/scripts/start/server-process";
import { benchDatabase, hasBenchDatabase } from "./generate-database";
import type { Timing } from "./search-timings";
import type { BenchLine } from "./table";

/**
 * Search and lists on catalogs of a hundred thousand and a million products (docs/decisions/0012-search-in-postgres.md).
 * The second is measured with `full` or when its database exists, because generating it takes minutes. The bars in
 * milliseconds are for a machine on which the trivial handler takes 0.7 ms of CPU time.
 */
const SIZES = [
  { count: 100_000, name: "100 k", barMs: 25 },
  { count: 1_000_000, name: "1 M", barMs: 80 },
];
const REFERENCE_CPU_MS = 0.7;

export async function searchBench(trivialCpuMs: number, full: boolean): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const { count, name, barMs } of SIZES) {
    const bar = (barMs * trivialCpuMs) / REFERENCE_CPU_MS;
    if (count > 100_000 && !full && !(await hasBenchDatabase(count))) {
      lines.push({
        subject: `Search, ${name}`,
        ours: "not generated: --full",
        yardstick: "–",
        bar: `p95 ≤ ${bar.toFixed(0)} ms`,
        holds: null,
      });
      continue;
    }
    const timings = await measureTimings(await benchDatabase(count));
    const line = (kind: string, what: string, bar?: number): BenchLine => {
      const { count: queryCount, p50, p95 } = timings.find((timing) => timing.kind === kind)!;
      return {
        subject: `${what}, ${name} (${queryCount} queries)`,
        ours: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
        yardstick: "the database's own time",
        bar: bar ? `p95 ≤ ${bar.toFixed(0)} ms` : "a figure to know",
        holds: bar ? p95 <= bar : null,
      };
    };
    lines.push(line("ranked", "Search, ranked", bar));
    lines.push(line("search", "Search, all filters and sorts"));
    for (const [kind, what] of Object.entries({ list: "Lists", home: "Home", detail: "Product detail" }))
      lines.push(line(kind, what));
  }
  return lines;
}

/** Measures in a child process, because a connection pool belongs to one database. */
async function measureTimings(url: string): Promise<Timing[]> {
  const child = spawn(process.execPath, ["--import", "tsx", "lab/bench/search-timings.ts"], {
    cwd: repositoryRoot,
    env: { ...process.env, DATABASE_URL: url, DATABASE_POOL: "4" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`search-timings.ts exited with code ${code}.`);
  return JSON.parse(output) as Timing[];
}
