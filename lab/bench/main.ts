import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release } from "node:os";
import { resolve } from "node:path";
import postgres from "postgres";
import { freePort } from "@/scripts/start/ports";
import { takeLock } from "@/scripts/start/process-lock";
import { prepareDatabase, repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import type { BenchContext, BenchPart } from "./context";
import { checkWrk } from "./load";
import { startProcess, waitUntilReady } from "./processes";
import { measureCpuMs } from "./rounds";
import { type BenchLine, benchTable } from "./table";
import { startTrivial, TRIVIAL_PATH } from "./trivial-app";

/**
 * npm run bench [-- --only=cached,orders] [--rounds=5] [--seconds=2] [--write]: measures every bar of
 * docs/performance.md#bars that needs no browser, with its yardstick in the same run, and prints one table. `--full`
 * includes the search on a million products and the staff console on a million orders, `--write` updates the tables in
 * docs/performance.md. `--only=consoles` measures the staff console; `--size=0.1` on a smaller shop, `--lists=orders,mails` some lists.
 */
const flag = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}`))?.replace(/^--\w+=?/, "");
const only = flag("only")?.split(",");
const rounds = Number(flag("rounds") || 5);
const seconds = Math.ceil(Number(flag("seconds") || 2)); // wrk takes whole seconds

const isFull = process.argv.includes("--full");
const isWritten = process.argv.includes("--write");

const folder = resolve(repositoryRoot, ".data/bench");
mkdirSync(resolve(repositoryRoot, ".data"), { recursive: true });
const lock = takeLock(`${folder}.lock`, {});
if (!("release" in lock)) throw new Error(`Another bench is running (process ${lock.heldBy.pid}).`);

const formatLoads = (figures: number[]) => figures.map((load) => load.toFixed(1)).join(", ");
const before = loadavg();

/** When, where and under which load a table was measured. */
const describeRun = (...details: string[]): string => {
  const processor = cpus();
  const machine = `${processor.length} × ${processor[0]?.model.trim()}, Linux ${release()}, Node ${process.versions.node}`;
  const load = `load average before ${formatLoads(before)}, after ${formatLoads(loadavg())} (1 is one busy core)`;
  return `${[new Date().toISOString().slice(0, 10), [machine, ...details].join(", "), load].join("; ")}.`;
};

/** Writes a table between the markers with this name. */
function writeTable(name: string, text: string): void {
  const path = resolve(repositoryRoot, "docs/performance.md");
  const [head = "", after = ""] = readFileSync(path, "utf8").split(`<!-- ${name} -->`);
  const [, rest = ""] = after.split(`<!-- /${name} -->`);
  writeFileSync(path, `${head}<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->${rest}`);
}

/** The staff console, in its own database. */
async function measureConsoles(): Promise<boolean> {
  const { consolesBench } = await import("./consoles");
  const { all, nearest, holds } = await consolesBench({
    size: Number(flag("size") || 1),
    lists: flag("lists"),
  });
  const run = describeRun("embedded Postgres");
  console.log(`\n${all} ${run}`);
  if (isWritten) writeTable("consoles", `${nearest} ${run}`);
  return holds;
}

const consolesHold = (only ? only.includes("consoles") : isFull) ? await measureConsoles() : true;
if (only?.every((name) => name === "consoles")) {
  lock.release();
  process.exit(consolesHold ? 0 : 1);
}
await checkWrk();

type BenchDatabase = { url: string; name: string; end(): Promise<void> };

/** Creates a database in the server of DATABASE_URL, or in a durable embedded Postgres. */
async function openDatabase(): Promise<BenchDatabase> {
  const serverUrl = process.env.DATABASE_URL;
  if (!serverUrl) {
    const { removeDatabase, startDatabase } = await import("@/scripts/postgres/database");
    await removeDatabase(folder); // remains of an interrupted run
    mkdirSync(folder, { recursive: true });
    const { url } = await startDatabase({ dataDir: folder, durable: true, say: () => {} });
    return { url, name: "embedded Postgres, durable", end: () => removeDatabase(folder) };
  }
  mkdirSync(folder, { recursive: true });
  const name = `passlane_bench_${process.pid}`;
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name: "the Postgres of DATABASE_URL",
    async end() {
      await server.unsafe(`drop database if exists ${name} with (force)`);
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const database = await openDatabase();
const port = await freePort();
Object.assign(process.env, testEnvironment, {
  NODE_ENV: "production",
  DEV: "",
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  APP_URL: `http://localhost:${port}`,
  TRUSTED_PROXIES: "1", // clients have their own addresses (tests/setup/client-address.ts)
  LOG_LEVEL: "info",
});
await prepareDatabase(process.env, { catalog: true, account: false });
process.env.LOG_LEVEL = "silent"; // for this process; child processes set their own level

const { apiCalls } = await import("./server-api");
const { cachedPage, htmlBytes, pageView, uncachedPage } = await import("./server-pages");
const { orderCreate } = await import("./server-orders");
const { checkoutOverHttp } = await import("./server-checkout");
const { searchBench } = await import("./search");
/** In this order, because orders change the stock. */
const PARTS: Record<string, BenchPart> = {
  cached: cachedPage,
  uncached: uncachedPage,
  html: htmlBytes,
  view: pageView,
  api: apiCalls,
  orders: orderCreate,
  checkout: checkoutOverHttp,
  search: ({ trivialCpuMs }) => searchBench(trivialCpuMs, isFull),
};

async function runAll(): Promise<BenchLine[]> {
  const server = startProcess({
    port,
    log: `${folder}/server.log`,
    env: { LOG_LEVEL: "info", WORKER: "off" },
  });
  const startWorker = () => startProcess({ script: "scripts/work.ts", port, log: `${folder}/worker.log` });
  const trivial = await startTrivial(`${folder}/trivial`, await freePort(), `${folder}/trivial.log`);
  const lines: BenchLine[] = [];
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/readyz`, server);
    const load = { paths: [TRIVIAL_PATH], headers: {}, connections: 8, seconds };
    const trivialCpuMs = await measureCpuMs(rounds, { server: trivial, load });
    const context: BenchContext = { rounds, seconds, server, startWorker, trivial, trivialCpuMs, folder };
    for (const [name, part] of Object.entries(PARTS)) {
      if (only && !only.includes(name)) continue;
      console.log(`${name} … (load ${loadavg()[0]?.toFixed(1)})`);
      for (const line of await part(context)) {
        lines.push(line);
        console.log(
          `  ${line.subject}: ${line.ours} | ${line.yardstick} | ${line.ratio?.toFixed(2) ?? "–"} | ${line.holds}`,
        );
      }
    }
  } finally {
    await Promise.all([trivial.stop(), server.stop()]);
  }
  return lines;
}

let failed = true;
try {
  const lines = await runAll();
  const run = describeRun(database.name, `${rounds} rounds of ${seconds} s`);
  console.log(`\n${benchTable(lines)}\n\n${run}`);
  const withBars = lines.filter(({ holds }) => holds !== null);
  if (isWritten) writeTable("bench", `${benchTable(withBars)}\n\n${run}`);
  failed = !consolesHold || lines.some(({ holds }) => holds === false);
} catch (error) {
  console.error(error);
} finally {
  const { closeDatabase } = await import("@/db/client");
  await closeDatabase();
  await database.end();
}
lock.release();
process.exit(failed ? 1 : 0);
