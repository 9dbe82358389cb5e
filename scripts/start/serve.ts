import { existsSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askDatabase } from "@/db/ask-database";
import { parseEnv, readSecretFiles } from "@/lib/platform/env";
import { rejectDemoDatabase } from "@/lib/staff/demo/reject-demo-database";
import { type Database, isDatabaseRunning, startDatabase } from "../postgres/database";
import { rejectOldDatabase } from "../postgres/old-database";
import { demoAccount } from "./demo-account";
import { rejectDemoSecrets } from "./demo-secrets";
import { type Front, requireNginx, startFront } from "./front";
import { freePort, portError } from "./ports";
import { getProcessMark, isRunning, type ProcessMark, readJson, takeLock, writeJson } from "./process-lock";
import { loadSecrets } from "./secrets";
import {
  endChildren,
  prepareDatabase,
  repositoryRoot,
  runScript,
  type ServerProcess,
  startServer,
  waitUntilReady,
} from "./server-process";

for (const file of [".env.local", ".env"])
  if (existsSync(join(repositoryRoot, file))) process.loadEnvFile(join(repositoryRoot, file));

const dev = process.argv[2] === "--dev";
/** `npm start -- --front`: nginx on PORT, as in production, and the server on a port inside. */
const withFront = process.argv[2] === "--front";
const script = process.argv[2] === "--run" ? process.argv.slice(3) : undefined;
const production = process.env.APP_MODE === "production";
const variables = readSecretFiles(process.env);
const embedded = !production && !variables.DATABASE_URL && !variables.DATABASE_URL_FILE;
const dataDir = resolve(repositoryRoot, process.env.DATA_DIR || ".data");
const port = Number(process.env.PORT || 3000);
const address = `http://localhost:${port}`;
const lockPath = join(dataDir, "serve.lock");
const serverRecord = join(dataDir, "server.json");
const frontRecord = join(dataDir, "front.json");
const command = dev ? "npm run dev" : "npm start";

let release = () => {};
let database: Promise<Database> | undefined;
let server: ServerProcess | undefined;
let front: Front | undefined;
let stoppingSince = 0;

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(name, () => void stop(0, name === "SIGINT" ? name : "SIGTERM"));
process.on("disconnect", () => void stop(0)); // scripts/start.mjs was killed
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {}); // the terminal was closed

(script ? runWithEnvironment(script) : main()).catch((error: Error) => {
  if (stoppingSince) return;
  console.error(error.message);
  return stop(1);
});

async function main() {
  if (!production) claimDataFolder();
  const env = await configuration();
  if (production && !existsSync(join(repositoryRoot, ".next", "passlane-build")))
    throw new Error(
      "Nothing is built here: run npm run build first, or npm run release (docs/operations.md#releases).",
    );
  await checkPort();
  if (withFront) {
    requireNginx();
    // The public address stays the same, and the front is the only trusted proxy.
    env.APP_URL ||= address;
    env.TRUSTED_PROXIES ||= "1";
    env.PORT = String(await freePort());
  }
  // Production serves what was built: building takes a minute, and would replace the files of other processes.
  // The tests check the types. The database is prepared meanwhile.
  const building =
    !dev && !production && runScript(["scripts/build.mjs"], { ...process.env, TYPES_CHECKED: "1" });
  if (embedded) {
    console.log("Starting the database …");
    database = startDatabase({ dataDir });
    env.DATABASE_URL = (await database).url;
  }
  if (stoppingSince) return;
  const databaseUrl = env.DATABASE_DIRECT_URL || env.DATABASE_URL!;
  await rejectOldDatabase(databaseUrl, advice());
  await rejectDemoDatabase(databaseUrl, parseEnv(env), console.log);
  console.log("Migrating the database …");
  await prepareDatabase(env, { catalog: !production, account: embedded, history: embedded });
  if (building && (await building) !== 0) return stop(1);
  if (dev) rmSync(join(repositoryRoot, ".next/dev/openapi"), { recursive: true, force: true });
  if (stoppingSince) return;
  if (embedded) void watchDatabase();
  await supervise(env);
}

/**
 * `--run SCRIPT …`: runs a script with the shop's configuration and an up-to-date database, with or without a running
 * server.
 */
async function runWithEnvironment(args: string[]) {
  const env = await configuration();
  if (embedded) {
    database = startDatabase({ dataDir });
    env.DATABASE_URL = (await database).url;
    await rejectOldDatabase(env.DATABASE_URL, advice());
    await prepareDatabase(env, { catalog: false, account: false });
  } else await askDatabase(env.DATABASE_URL!, (sql) => sql`select 1`, console.log);
  return stop(await runScript(args, env));
}

/** Advice for a database that this version cannot migrate. */
const advice = () =>
  embedded
    ? `move ${dataDir} away (or set DATA_DIR to another folder) and start again with a new demo`
    : "set DATABASE_URL to an empty database";

/** Allows one start per data folder, because two would share a database and a build. */
function claimDataFolder() {
  try {
    mkdirSync(dataDir, { recursive: true });
    const lock = takeLock(lockPath, { address });
    if ("release" in lock) {
      release = lock.release;
      return;
    }
    const { pid, address: url } = lock.heldBy;
    throw new Error(
      `Passlane already runs from this folder at ${url}; stop it there with Ctrl-C, or with: kill ${pid}`,
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
    throw new Error(`${dataDir} cannot be written to (${code}): start as its owner, or set DATA_DIR.`);
  }
}

/** All variables of the server. A wrong one stops the start before any slow step. */
async function configuration(): Promise<Record<string, string | undefined>> {
  const env: Record<string, string | undefined> = {
    ...variables,
    ...(production ? {} : { APP_MODE: variables.APP_MODE || "demo", ...loadSecrets(dataDir, variables) }),
    NODE_ENV: dev ? "development" : "production",
    DATA_DIR: dataDir,
    DEV: dev ? "1" : "",
  };
  const unused = ["DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"].find((name) => variables[name]);
  if (embedded && unused) throw new Error(`Configuration: ${unused} is set without DATABASE_URL.`);
  if (production) rejectDemoSecrets(dataDir, variables);
  parseEnv({ ...env, ...(embedded && { DATABASE_URL: "postgres://127.0.0.1" }) });
  return env;
}

async function checkPort() {
  await stopLeftover(frontRecord);
  await stopLeftover(serverRecord);

  const problem = await portError(port);
  if (!problem) return;
  let other = Math.max(port, 1023) + 1;
  while (other < 65535 && (await portError(other))) other++;
  const reason = problem === "EADDRINUSE" ? "is used by another program" : `cannot be used (${problem})`;
  throw new Error(`Port ${port} ${reason}; choose another one, for example: PORT=${other} ${command}`);
}

async function stopLeftover(record: string) {
  const leftover = readJson<ProcessMark>(record);
  if (!leftover || !isRunning(leftover)) return;
  console.log("Stopping a server that an earlier start has left running …");
  process.kill(leftover.pid, "SIGTERM");
  for (let waited = 0; isRunning(leftover) && waited < 110; waited++) await sleep(100);
  if (isRunning(leftover)) process.kill(leftover.pid, "SIGKILL");
  await sleep(200);
}

/** A start waits a minute for its database, and takes longer on a busy machine. */
const READY_SECONDS = 180;

/**
 * Starts the server and, in demo mode, restarts it when it ends, up to five times a minute. While the embedded database
 * is down, the server is neither started nor expected to be ready.
 */
async function supervise(env: Record<string, string | undefined>) {
  const inside = `http://localhost:${env.PORT || 3000}`;
  let crashTimes: number[] = [];
  for (let isFirstStart = true; ; ) {
    await databaseRuns();
    if (stoppingSince) return;
    server = startServer(env, { detached: true });
    recordProcess(serverRecord, server.process.pid ?? 0);
    if (await waitUntilReady(inside, server, READY_SECONDS)) {
      if (withFront && !front) await openFront(Number(env.PORT));
      if (isFirstStart) printWelcome(env);
      else console.log(`Ready again: ${address}`);
      isFirstStart = false;
    } else if (isFirstStart && server.process.exitCode === null && server.process.signalCode === null) {
      if (stoppingSince) return;
      throw new Error(`The server runs, but ${inside}/readyz does not report that it is ready.`);
    }
    const { code, signal } = await server.ended;
    if (stoppingSince) return;
    const how = signal ? `signal ${signal}` : `exit code ${code}`;
    if (production) throw new Error(`The server ended unexpectedly (${how}).`);
    if (embedded && !isDatabaseRunning(dataDir)) crashTimes = [];
    crashTimes = [...crashTimes.filter((time) => time > Date.now() - 60_000), Date.now()];
    if (crashTimes.length > 5)
      throw new Error(`The server ended unexpectedly (${how}) more than five times in a minute.`);
    const seconds = 2 ** (crashTimes.length - 1) / 2;
    console.error(`The server ended unexpectedly (${how}); restarting in ${seconds} s.`);
    await sleep(seconds * 1000);
    if (stoppingSince) return;
  }
}

async function openFront(shopPort: number) {
  const staticFolder = join(repositoryRoot, ".next", "static");
  front = await startFront({ dir: join(dataDir, "front"), port, shop: [shopPort], staticFolder });
  recordProcess(frontRecord, front.process.pid ?? 0);
  void front.ended.then(() => {
    if (stoppingSince) return;
    console.error("nginx ended unexpectedly.");
    void stop(1);
  });
}

/** Records a process for `checkPort` of a later start. A full disk must not stop a running server. */
function recordProcess(record: string, pid: number) {
  if (production) return;
  try {
    writeJson(record, getProcessMark(pid));
  } catch (error) {
    console.error(`${record} cannot be written: ${(error as Error).message}`);
  }
}

const MAX_DATABASE_PAUSE_SECONDS = 30;

/**
 * Restarts the embedded database at the same address if it ends, with growing pauses until it runs: after a full disk it
 * starts again when there is room.
 */
async function watchDatabase() {
  const started = await database!;
  for (let pauseSeconds = 1; !stoppingSince; ) {
    await sleep(1000);
    if (stoppingSince) return;
    if (isDatabaseRunning(dataDir)) {
      pauseSeconds = 1;
      continue;
    }
    console.error("The database ended unexpectedly; restarting it.");
    database = startDatabase({ dataDir, port: started.port });
    try {
      await database;
      console.log("The database runs again.");
    } catch (error) {
      database = Promise.resolve(started);
      console.error(`${databaseProblem(error as Error)} The next attempt is in ${pauseSeconds} s.`);
      await sleep(pauseSeconds * 1000);
      pauseSeconds = Math.min(2 * pauseSeconds, MAX_DATABASE_PAUSE_SECONDS);
    }
  }
}

/** A failed start of the database in one sentence. */
function databaseProblem({ message }: Error): string {
  if (!/no space left|ENOSPC/i.test(message)) return message;
  const { bavail, bsize } = statfsSync(dataDir);
  const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
  return `The disk is full: ${dataDir} has ${megabytes} MB left, so the database cannot start. Free some space; the shop then continues by itself.`;
}

/** Resolves when the embedded database runs, which `watchDatabase` restarts. */
async function databaseRuns() {
  while (embedded && !stoppingSince && !isDatabaseRunning(dataDir)) await sleep(500);
}

function printWelcome(env: Record<string, string | undefined>) {
  const lines = [`Passlane is ready: ${address}`];
  if (embedded) {
    lines.push(`  demo account   ${demoAccount.email}, password ${demoAccount.password}`);
    lines.push(`  staff console  ${address}/console, accounts at ${address}/dev/accounts.json`);
  }
  if (!env.MAIL_MODE || env.MAIL_MODE === "local") lines.push(`  its email      ${address}/dev/mailbox`);
  lines.push("  stop           Ctrl-C");
  console.log(`\n${lines.join("\n")}\n`);
}

/** `signal`: Ctrl-C ends the server without the notice to load balancers. */
async function stop(code: number, signal?: "SIGTERM" | "SIGINT") {
  if (stoppingSince) {
    // Ctrl-C often arrives twice, from the terminal and forwarded. Only a later one kills the server.
    if (Date.now() - stoppingSince > 1500) server?.process.kill("SIGKILL");
    return;
  }
  stoppingSince = Date.now();
  if (!script && (server || database)) console.log("\nStopping …");
  await front?.stop();
  await server?.stop(signal);
  await endChildren();
  const started = await database?.catch(() => undefined);
  const inUse = script && (started?.reused || isRunning(readJson<ProcessMark>(lockPath)));
  if (!inUse) await started?.stop().catch((error: Error) => console.error(error.message));
  release();
  process.exit(code);
}
