import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { freePort } from "@/scripts/start/ports";
import { repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { MAX_READ } from "@/tests/setup/rows-of-plan";
import { shopCounts } from "./consoles-rows";
import type { CallResult, ConsolesResult, ListResult, Timing, VariantResult } from "./consoles-run";
import { openReusableDatabase } from "./generate-database";
import { generateShop } from "./generate-shop";

/** Bar of a list's first and hundredth page over HTTP (docs/performance.md#bars). */
const LIST_BAR = 50;
const FOLDER = resolve(repositoryRoot, ".data/bench-consoles");

type Options = {
  /** 1: a million orders. */
  size: number;
  /** Lists to measure, separated by commas; all of them by default. */
  lists: string | undefined;
};

/** The number of rows in the table of docs/performance.md: those closest to their limits. */
const NEAREST = 12;

/**
 * The staff console on a shop with a million orders and products and ten million keys, which is generated once and kept. Returns the
 * table, its rows that miss their bar or come nearest to it, and whether all bars hold. `.data/bench-consoles/result.json` has every
 * figure, with the statement that read most.
 */
export async function consolesBench({
  size,
  lists,
}: Options): Promise<{ all: string; nearest: string; holds: boolean }> {
  const counts = shopCounts(size);
  const fill = (url: string) => generateShop({ url, counts });
  const database = await openReusableDatabase({
    folder: FOLDER,
    name: `shop_${Math.round(size * 1000)}`,
    fill,
  });
  try {
    const result = await runMeasurement(database.url, lists);
    writeFileSync(resolve(FOLDER, "result.json"), JSON.stringify(result, null, 1));
    const rows = [...result.lists.map(listRow), ...result.calls.map(callRow)];
    const missed = rows.filter(({ holds }) => !holds);
    const near = rows.filter(({ holds }) => holds).sort((one, other) => other.share - one.share);
    const count = (value: number) => value.toLocaleString("en");
    const shop = `${count(counts.orders)} orders, ${count(counts.products)} products, ${count(counts.keys)} keys`;
    const nearest = renderTable([...missed, ...near.slice(0, NEAREST)]);
    const others = Math.max(0, near.length - NEAREST);
    return {
      all: `${renderTable(rows)}\n\n${shop}.`,
      nearest: `${nearest}\n\nThe other ${others} hold. ${shop}.`,
      holds: missed.length === 0,
    };
  } finally {
    await database.stop();
  }
}

async function runMeasurement(url: string, lists: string | undefined): Promise<ConsolesResult> {
  const folder = resolve(FOLDER, "server");
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "lab/bench/consoles-run.ts", ...(lists ? [lists] : [])],
    {
      cwd: repositoryRoot,
      env: {
        ...process.env,
        ...testEnvironment,
        NODE_ENV: "production",
        DEV: "",
        DATABASE_URL: url,
        DATA_DIR: folder,
        APP_URL: `http://localhost:${port}`,
        PORT: String(port),
        TRUSTED_PROXIES: "1", // clients have their own addresses (tests/setup/client-address.ts)
        LOG_LEVEL: "silent",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`consoles-run.ts exited with code ${code}.`);
  return JSON.parse(output.trim().split("\n").at(-1)!) as ConsolesResult;
}

/** `share`: the slowest 95th percentile divided by its limit. */
type Row = { cells: string[]; share: number; holds: boolean };

function renderTable(rows: Row[]): string {
  const head = ["List or call", "Tried", "First page", "Later page", "CPU", "Rows", "Holds"];
  const cells = rows.map(({ cells, holds }) => [...cells, holds ? "yes" : "**no**"]);
  return [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const milliseconds = ({ p50, p95 }: Timing) =>
  p95 === Number.MAX_SAFE_INTEGER ? "failed" : `${p50.toFixed(0)}/${p95.toFixed(0)}`;
const slowerOf = ({ first, later }: VariantResult) => Math.max(first.p95, later?.p95 ?? 0);
const largest = <T>(values: readonly T[], of: (value: T) => number): T =>
  values.reduce((most, value) => (of(value) > of(most) ? value : most));

/** The figures of a list are those of its slowest filter. */
function listRow({ name, unknown, variants }: ListResult): Row {
  const first = largest(variants, ({ first: { p95 } }) => p95);
  const paged = variants.filter(({ later }) => later !== null);
  const later = paged.length > 0 ? largest(paged, (one) => one.later!.p95) : null;
  const missed = variants.filter((one) => slowerOf(one) > LIST_BAR || !(one.rows <= MAX_READ));
  for (const { label, first, page, later, rows } of missed)
    console.log(
      `  misses: ${name} ${label}: first ${milliseconds(first)}, page ${page} ${later ? milliseconds(later) : "–"}, ${rows} rows`,
    );
  for (const filter of unknown)
    console.log(`  ${name}: no value for the filter ${filter} (consoles-lists.ts)`);
  return {
    cells: [
      `\`${name}\``,
      String(variants.length),
      milliseconds(first.first),
      later ? `${milliseconds(later.later!)} (${Math.max(...paged.map(({ page }) => page))})` : "–",
      Math.max(...variants.flatMap(({ first, later }) => [first.cpu, later?.cpu ?? 0])).toFixed(0),
      Math.round(Math.max(...variants.map(({ rows }) => rows))).toLocaleString("en"),
    ],
    share: Math.max(...variants.map(slowerOf)) / LIST_BAR,
    holds: missed.length === 0 && unknown.length === 0,
  };
}

function callRow({ name, barMs, queries }: CallResult): Row {
  const slowest = largest(queries, ({ timing: { p95 } }) => p95);
  return {
    cells: [
      name,
      String(queries.length),
      milliseconds(slowest.timing),
      "–",
      Math.max(...queries.map(({ timing: { cpu } }) => cpu)).toFixed(0),
      "–",
    ],
    share: slowest.timing.p95 / barMs,
    holds: slowest.timing.p95 <= barMs,
  };
}
