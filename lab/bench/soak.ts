import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeDatabase, startDatabase } from "@/scripts/postgres/database";
import { freePort } from "@/scripts/start/ports";
import { takeLock } from "@/scripts/start/process-lock";
import { NEXT_VARIABLES, nextCommand, prepareDatabase, repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { seeded } from "@/tests/setup/shopper";
import { runBuyer } from "./soak-buyers";
import { findGrowth, type Sample, soakTable } from "./soak-samples";
import { createTally, runBrowser, runImports, runSearch, type Traffic } from "./soak-traffic";

/**
 * npm run soak [-- --minutes=30] [--write]: browses, searches, buys, reviews and imports concurrently on the production
 * build, takes a sample every ten seconds and prints one table. Exits with 1 when anything failed or memory still grew.
 * `--write` updates the table in docs/performance.md.
 */
const minutes = Number(process.argv.find((argument) => argument.startsWith("--minutes="))?.slice(10) ?? 30);
const dataDir = join(repositoryRoot, ".data", "soak");
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
  TRUSTED_PROXIES: "1", // clients have their own addresses (tests/setup/client-address.ts)
  LOG_LEVEL: "info",
  WORKER: "beside",
});
await prepareDatabase(process.env, { account: false });
const { client, closeDatabase } = await import("@/db/client");
const { auditSale } = await import("@/tests/setup/audit");

const log = join(dataDir, "server.log");
const samples: Sample[] = [];
const tally = createTally();
let stopped = false;
const startedAt = performance.now();
const random = seeded(20261121);
const traffic: Traffic = {
  address: `http://localhost:${port}`,
  tally,
  isStopped: () => stopped,
  random,
  dataDir,
};

function startServer(): ChildProcess {
  const output = openSync(log, "a");
  const imports = ["./scripts/start/follow-parent.mjs", "./lab/bench/soak-probe.mjs"];
  const child = spawn(
    process.execPath,
    [...imports.flatMap((module) => ["--import", module]), ...nextCommand(process.env)],
    {
      cwd: repositoryRoot,
      env: { ...process.env, ...NEXT_VARIABLES },
      stdio: ["ignore", output, output, "ipc"],
    },
  );
  closeSync(output);
  return child;
}

/** Total size of the files in a folder. */
async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    names
      .filter((argument) => argument.isFile())
      .map((argument) =>
        stat(join(argument.parentPath, argument.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

type Memory = Pick<Sample, "rss" | "heap" | "heapAfterGc" | "external"> & { cache?: Sample["cache"] };

async function createSample({ cache, ...memory }: Memory): Promise<Sample> {
  const [row] = await client()<{ connections: number; queue: number }[]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select count(*)::int from graphile_worker.jobs where run_at <= now() and attempts < max_attempts) as queue`;
  return {
    ...memory,
    ...row!,
    seconds: (performance.now() - startedAt) / 1000,
    cache: cache ?? { pages: 0, notFound: 0, bytes: 0 },
    disk: await folderSize(join(repositoryRoot, ".next")),
    requests: tally.requests,
    failures: tally.failures,
  };
}

const server = startServer();
server.on("message", (memory: Memory) => {
  if (!stopped)
    createSample(memory).then((sample) => {
      samples.push(sample);
      const { seconds, rss, heap, heapAfterGc, cache, connections, queue, requests, failures } = sample;
      const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
      console.log(
        `${seconds.toFixed(0)} s: rss ${mb(rss)}, heap ${mb(heap)} (after GC ${mb(heapAfterGc)}), cache ${cache.pages}+${cache.notFound} pages ${mb(cache.bytes)}, ${connections} connections, ${queue} jobs due, ${requests} requests, ${failures} failures`,
      );
    }, console.error);
});
let exited = false;
server.once("exit", (code, signal) => {
  exited = true;
  if (!stopped) {
    console.error(`The server exited unexpectedly (${signal ?? code}): see ${log}.`);
    process.exit(1);
  }
});

for (const end = Date.now() + 90_000; Date.now() < end && !exited; await sleep(150))
  if (
    await fetch(`${traffic.address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  )
    break;
const listSlugs = async (table: "products" | "posts") =>
  (await client()<{ slug: string }[]>`select slug from ${client()(table)} order by id`).map(
    ({ slug }) => slug,
  );
const [slugs, posts] = [await listSlugs("products"), await listSlugs("posts")];

/** Registers a traffic loop and reports it when it fails. */
const running = new Set<string>();
const problems: string[] = [];
const startLoop = (name: string, work: Promise<void>) => {
  running.add(name);
  work.catch((error) => problems.push(`${name} failed: ${error}`)).finally(() => running.delete(name));
};
for (let i = 1; i <= 5; i += 1) startLoop(`browser ${i}`, runBrowser(traffic, slugs, posts));
startLoop("search", runSearch(traffic));
for (let i = 1; i <= 2; i += 1) startLoop(`buyer ${i}`, runBuyer(traffic));
startLoop("import", runImports(traffic, 600, 30_000));

for (const end = Date.now() + minutes * 60_000; Date.now() < end && problems.length === 0; )
  await sleep(1_000);
stopped = true;
for (const end = Date.now() + 90_000; Date.now() < end && running.size > 0; ) await sleep(100);
problems.push(...[...running].map((name) => `${name} did not stop`));
await sleep(5_000);
server.kill("SIGTERM");
while (!exited) await sleep(50);

const errors = readFileSync(log, "utf8")
  .split("\n")
  .filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
problems.push(...errors.slice(0, 5).map((line) => `log: ${line.slice(0, 400)}`), ...findGrowth(samples));
problems.push(
  ...[...tally.failureMessages].map(([words, times]) => `${times} × ${words}`),
  ...(await auditSale()),
);
const events = Object.entries(tally.counts).sort(([, a], [, b]) => b - a);
const facts = `${minutes} minutes, ${samples.length} samples, ${tally.requests} requests, ${new Date().toISOString().slice(0, 10)}: ${events.map(([name, times]) => `${times} ${name}`).join(", ")}. ${errors.length} errors in the log; the rules of docs/reliability.md#orders hold at the end.`;
console.log(`\n${soakTable(samples)}\n\n${facts}`);
if (problems.length > 0)
  console.error(`\nProblems:\n  ${problems.join("\n  ")}\nThe logs and the database are in ${dataDir}.`);
else if (process.argv.includes("--write")) write(`${soakTable(samples)}\n\n${facts}`);
await closeDatabase();
if (problems.length === 0) await removeDatabase(dataDir).catch(() => {});
else await database.stop().catch(() => {});
lock.release();
process.exit(problems.length > 0 ? 1 : 0);

/** Replaces the text between the soak markers of docs/performance.md. */
function write(text: string) {
  const path = join(repositoryRoot, "docs/performance.md");
  const [start, end] = ["<!-- soak -->", "<!-- /soak -->"];
  const page = readFileSync(path, "utf8");
  const [before, after] = [page.split(start)[0] ?? "", page.split(end)[1] ?? ""];
  if (!page.includes(start) || !page.includes(end)) throw new Error(`${path} has no soak markers.`);
  writeFileSync(path, `${before}${start}\n${text}\n${end}${after}`);
}
