import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeDatabase, startDatabase } from "../../scripts/database";
import { freePort } from "../../scripts/ports";
import { takeLock } from "../../scripts/process-lock";
import { fillDatabase, serverFlags, tree } from "../../scripts/server-process";
import { seeded } from "../faults/shopper";
import { testEnvironment } from "../setup/environment";
import { buy } from "./soak-buyers";
import { type Sample, soakTable, unsettled } from "./soak-samples";
import { browse, importAll, newTally, search, type Traffic } from "./soak-traffic";

/**
 * npm run soak [-- --minutes=30] [--write]: browses, searches, buys, reviews and imports concurrently on the production
 * build, takes a sample every ten seconds and prints one table. Exits with 1 when anything failed or memory still grew.
 * `--write` updates the table in docs/performance.md.
 */
const minutes = Number(process.argv.find((one) => one.startsWith("--minutes="))?.slice(10) ?? 30);
const dataDir = join(tree, ".data", "soak");
mkdirSync(dirname(dataDir), { recursive: true });
const lock = takeLock(`${dataDir}.lock`, {});
if (!("release" in lock)) throw new Error(`Another soak is running (process ${lock.heldBy.pid}).`);
await removeDatabase(dataDir);
mkdirSync(dataDir, { recursive: true });
const database = await startDatabase({ dataDir, durable: true, say: () => {} });
const port = await freePort();
Object.assign(process.env, testEnvironment, {
  NODE_ENV: "production",
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  PORT: String(port),
  APP_URL: `http://localhost:${port}`,
  RATE_LIMIT_IP_SCALE: "100000",
  LOG_LEVEL: "info",
  WORKER: "inline",
});
await fillDatabase(process.env, { account: false });
const { client, closeDatabase } = await import("@/db/client");
const { auditSale } = await import("../faults/audit");

const log = join(dataDir, "server.log");
const samples: Sample[] = [];
const tally = newTally();
let stopped = false;
const began = performance.now();
const random = seeded(20261121);
const traffic: Traffic = {
  address: `http://localhost:${port}`,
  tally,
  over: () => stopped,
  random,
  dataDir,
};

function startShop(): ChildProcess {
  const output = openSync(log, "a");
  const imports = ["tsx", "./scripts/follow-parent.mjs", "./tests/bench/soak-probe.mjs"];
  const flags = [...imports.flatMap((one) => ["--import", one]), ...serverFlags(process.env)];
  const child = spawn(process.execPath, [...flags, "server.ts"], {
    cwd: tree,
    env: process.env,
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  return child;
}

/** Total size of the files in a folder. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    names
      .filter((one) => one.isFile())
      .map((one) =>
        stat(join(one.parentPath, one.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

type Told = Pick<Sample, "rss" | "heap" | "left" | "external"> & { cache?: Sample["cache"] };

async function sampleOf({ cache, ...memory }: Told): Promise<Sample> {
  const [row] = await client()<{ connections: number; queue: number }[]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select count(*)::int from graphile_worker.jobs where run_at <= now() and attempts < max_attempts) as queue`;
  return {
    ...memory,
    ...row!,
    seconds: (performance.now() - began) / 1000,
    cache: cache ?? { pages: 0, notFound: 0, bytes: 0 },
    disk: await bytesIn(join(tree, ".next")),
    requests: tally.requests,
    failures: tally.failures,
  };
}

const shop = startShop();
shop.on("message", (told: Told) => {
  if (!stopped)
    sampleOf(told).then((sample) => {
      samples.push(sample);
      const { seconds, rss, heap, left, cache, connections, queue, requests, failures } = sample;
      const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
      console.log(
        `${seconds.toFixed(0)} s: rss ${mb(rss)}, heap ${mb(heap)} (after GC ${mb(left)}), cache ${cache.pages}+${cache.notFound} pages ${mb(cache.bytes)}, ${connections} connections, ${queue} jobs due, ${requests} requests, ${failures} failures`,
      );
    }, console.error);
});
let ended = false;
shop.once("exit", (code, signal) => {
  ended = true;
  if (!stopped) {
    console.error(`The server exited unexpectedly (${signal ?? code}): see ${log}.`);
    process.exit(1);
  }
});

for (const end = Date.now() + 90_000; Date.now() < end && !ended; await sleep(150))
  if (
    await fetch(`${traffic.address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  )
    break;
const slugsOf = async (table: "products" | "posts") =>
  (await client()<{ slug: string }[]>`select slug from ${client()(table)} order by id`).map(
    ({ slug }) => slug,
  );
const [slugs, posts] = [await slugsOf("products"), await slugsOf("posts")];

/** Registers a traffic loop and reports it when it fails. */
const open = new Set<string>();
const wrong: string[] = [];
const loop = (name: string, work: Promise<void>) => {
  open.add(name);
  work.catch((error) => wrong.push(`${name} failed: ${error}`)).finally(() => open.delete(name));
};
for (let i = 1; i <= 5; i += 1) loop(`browser ${i}`, browse(traffic, slugs, posts));
loop("search", search(traffic));
for (let i = 1; i <= 2; i += 1) loop(`buyer ${i}`, buy(traffic));
loop("import", importAll(traffic, 600, 30_000));

for (const end = Date.now() + minutes * 60_000; Date.now() < end && wrong.length === 0; ) await sleep(1_000);
stopped = true;
for (const end = Date.now() + 90_000; Date.now() < end && open.size > 0; ) await sleep(100);
wrong.push(...[...open].map((name) => `${name} did not stop`));
await sleep(5_000);
shop.kill("SIGTERM");
while (!ended) await sleep(50);

const errors = readFileSync(log, "utf8")
  .split("\n")
  .filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
wrong.push(...errors.slice(0, 5).map((line) => `log: ${line.slice(0, 400)}`), ...unsettled(samples));
wrong.push(...[...tally.words].map(([words, times]) => `${times} × ${words}`), ...(await auditSale()));
const did = Object.entries(tally.counts).sort(([, a], [, b]) => b - a);
const facts = `${minutes} minutes, ${samples.length} samples, ${tally.requests} requests, ${new Date().toISOString().slice(0, 10)}: ${did.map(([name, times]) => `${times} ${name}`).join(", ")}. ${errors.length} errors in the log; the rules of docs/reliability.md#orders hold at the end.`;
console.log(`\n${soakTable(samples)}\n\n${facts}`);
if (wrong.length > 0)
  console.error(`\nProblems:\n  ${wrong.join("\n  ")}\nThe logs and the database are in ${dataDir}.`);
else if (process.argv.includes("--write")) write(`${soakTable(samples)}\n\n${facts}`);
await closeDatabase();
if (wrong.length === 0) await removeDatabase(dataDir).catch(() => {});
else await database.stop().catch(() => {});
lock.release();
process.exit(wrong.length > 0 ? 1 : 0);

/** Replaces the text between the soak markers of docs/performance.md. */
function write(text: string) {
  const path = join(tree, "docs/performance.md");
  const [open, close] = ["<!-- soak -->", "<!-- /soak -->"];
  const page = readFileSync(path, "utf8");
  const [before, after] = [page.split(open)[0] ?? "", page.split(close)[1] ?? ""];
  if (!page.includes(open) || !page.includes(close)) throw new Error(`${path} has no soak markers.`);
  writeFileSync(path, `${before}${open}\n${text}\n${close}${after}`);
}
