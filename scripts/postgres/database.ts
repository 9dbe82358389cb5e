import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSql } from "@/db/connect";
import { waitForDatabase } from "@/db/wait-for-database";
import { freePort, portError } from "../start/ports";
import {
  getProcessMark,
  isRunning,
  type ProcessMark,
  readJson,
  withLock,
  writeJson,
} from "../start/process-lock";
import { getStartTime } from "../start/process-start.mjs";
import {
  canReach,
  chooseDatabaseUser,
  findBinaries,
  findClusterFolder,
  findMemoryFolder,
  fixClusterOwner,
} from "./database-files";
import {
  type Cluster,
  createCluster,
  findPostmaster,
  killOrphanBackends,
  logPath,
  resetPassword,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster";

export type Database = { url: string; port: number; stop(): Promise<void>; reused: boolean };
export type StartOptions = {
  dataDir: string;
  port?: number;
  durable?: boolean;
  /** Keeps a new database in memory where there is enough; needs `durable: false`. */
  inMemory?: boolean;
  say?: (line: string) => void;
};
/** The record of a data folder's database in `postgres.json`, readable by its owner only. */
type DatabaseRecord = { dataDir: string; cluster: string; port: number; password: string };
type Access = { port: number; password: string };

const recordPath = (dataDir: string) => join(dataDir, "postgres.json");

/**
 * Starts the embedded Postgres of a data folder, or reuses it if it runs. It runs until `stop()`, even if this process is
 * killed. `durable: false` trades safety for speed, for temporary data only.
 */
export async function startDatabase(options: StartOptions): Promise<Database> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  return withLock(join(dataDir, "postgres.lock"), 120, () => start({ ...options, dataDir }));
}

async function start({
  dataDir,
  port,
  durable = true,
  inMemory = false,
  say = console.log,
}: StartOptions): Promise<Database> {
  const record = findRecord(dataDir);
  const kept = record && existsSync(record.cluster) ? record : undefined;
  const owner = chooseDatabaseUser(kept?.cluster ?? join(dataDir, "postgres"));
  const chooseFolder = () =>
    (inMemory && findMemoryFolder(dataDir)) || findClusterFolder(owner, dataDir, say);
  const cluster = kept?.cluster ?? join(chooseFolder(), "postgres");
  if (!canReach(join(cluster, ".."), owner))
    throw new Error(`${owner?.name} cannot reach the database in ${cluster}.`);
  const password = kept?.password ?? randomBytes(24).toString("base64url");
  const stop = () => stopPostmaster(cluster, !durable);

  const live = findPostmaster(cluster);
  const hasEnded = () => !findPostmaster(cluster);
  if (live && kept && (await whenReady({ port: live.port, password }, cluster, hasEnded, say))) {
    if (live.port !== kept.port) writeJson(recordPath(dataDir), { ...kept, port: live.port });
    return { url: databaseUrl({ port: live.port, password }), port: live.port, stop, reused: true };
  }

  const bin = join(findBinaries(owner, dataDir, say), "bin");
  fixClusterOwner(cluster, owner);
  const place = { bin, cluster, owner };
  if (!kept) await recoverUnknownCluster(place, { dataDir, password, say });
  const saveRecord = (recordedPort: number) =>
    writeJson(recordPath(dataDir), { dataDir, cluster, port: recordedPort, password });
  if (!kept) saveRecord(port ?? 0);
  if (!existsSync(join(cluster, "PG_VERSION"))) createCluster(place, { password, durable });

  let currentPort = port ?? kept?.port ?? 0;
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (port && (await portError(port, ["127.0.0.1"])))
      throw new Error(`Port ${port} for the database is taken.`);
    if (!currentPort || (await portError(currentPort, ["127.0.0.1"]))) currentPort = await freePort();
    const postmaster = spawnPostmaster(place, { port: currentPort, durable });
    if (await whenReady({ port: currentPort, password }, cluster, postmaster.hasEnded, say)) break;
    const logged = postmaster.logged();
    // The port was taken at the last moment, or processes of a killed server are still ending: both are temporary.
    const isTemporary = /could not (bind|create any)|still in use|lock file .* already exists/i.test(logged);
    if (!isTemporary || Date.now() > deadline)
      throw new Error(`The database does not start (${logPath(cluster)}):\n${logged.trim()}`);
    await sleep(500);
    if (/still in use/.test(logged)) killOrphanBackends(cluster);
  }
  saveRecord(currentPort);
  await waitForDatabase(() => createShopDatabase({ port: currentPort, password }), { say });
  return { url: databaseUrl({ port: currentPort, password }), port: currentPort, stop, reused: false };
}

/**
 * Finds the record of a data folder. A record in a copied checkout belongs to the original, unless that no longer
 * exists.
 */
function findRecord(dataDir: string): DatabaseRecord | undefined {
  const record = readJson<DatabaseRecord>(recordPath(dataDir));
  if (!record || record.dataDir === dataDir) return record;
  const inside = record.cluster.startsWith(record.dataDir + sep);
  const cluster = inside ? dataDir + record.cluster.slice(record.dataDir.length) : record.cluster;
  return inside || !existsSync(record.dataDir) ? { ...record, dataDir, cluster } : undefined;
}

/**
 * Handles a cluster without a record. In the data folder, its password is reset. Elsewhere, its data folder was
 * removed, so the cluster is renamed.
 */
async function recoverUnknownCluster(
  place: Cluster,
  { dataDir, password, say }: { dataDir: string; password: string; say: (line: string) => void },
) {
  const { cluster } = place;
  if (!existsSync(cluster)) return;
  await stopPostmaster(cluster);
  if (cluster.startsWith(dataDir + sep)) {
    rmSync(join(cluster, "postmaster.pid"), { force: true });
    resetPassword(place, password);
    return;
  }
  const backup = `${cluster}.${new Date().toISOString().replace(/[:.]/g, "-")}`;
  renameSync(cluster, backup);
  say(`${dataDir} was emptied, so a new database is created; the old one was moved to ${backup}.`);
}

function databaseUrl({ port, password }: Access, database = "passlane"): string {
  return `postgres://passlane:${password}@127.0.0.1:${port}/${database}`;
}

function connect(access: Access) {
  return openSql(databaseUrl(access, "postgres"), { max: 1, connect_timeout: 5 });
}

/** Resolves with true once the server answers, with false if it ends first. Reports a long crash recovery. */
async function whenReady(
  access: Access,
  cluster: string,
  hasEnded: () => boolean,
  say: (line: string) => void,
): Promise<boolean> {
  const startedAt = Date.now();
  for (let reportedSeconds = 0; ; ) {
    const sql = connect(access);
    try {
      await sql`select 1`;
      return true;
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (hasEnded()) return false;
      if (code === "28P01")
        throw new Error(`The database in ${cluster} rejects the password in postgres.json.`);
      const seconds = Math.floor((Date.now() - startedAt) / 1000);
      if (seconds > 600)
        throw new Error(`The database does not answer (${code}); its log is ${logPath(cluster)}.`);
      if (seconds >= reportedSeconds + 10) {
        reportedSeconds = seconds;
        say(`The database is recovering, ${seconds} s so far …`);
      }
      await sleep(50);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}

async function createShopDatabase(access: Access) {
  const sql = connect(access);
  try {
    const found = await sql`select 1 from pg_database where datname = 'passlane'`;
    if (found.length === 0) await sql`create database passlane`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** True if the database of a data folder runs. */
export function isDatabaseRunning(dataDir: string): boolean {
  const record = findRecord(realpathSync(dataDir));
  return record !== undefined && findPostmaster(record.cluster) !== undefined;
}

const removeOptions = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }; // killed processes may still be ending

/** Stops the database of a data folder and removes the folder and the cluster, wherever it was placed. */
export async function removeDatabase(dataDir: string) {
  if (!existsSync(dataDir)) return;
  const record = findRecord(realpathSync(dataDir));
  if (record) {
    await stopPostmaster(record.cluster, true);
    killOrphanBackends(record.cluster);
    const home = join(record.cluster, "..");
    if (home !== realpathSync(dataDir)) rmSync(home, removeOptions);
  }
  // owner.json is removed last, so that a sweep finds the folder if this is interrupted.
  for (const name of readdirSync(dataDir))
    if (name !== "owner.json") rmSync(join(dataDir, name), removeOptions);
  rmSync(dataDir, removeOptions);
}

/** Starts a test database in its own folder under `.data`; `stop()` removes it. */
export async function startTestDatabase(
  label: string,
  { inMemory }: Pick<StartOptions, "inMemory"> = {},
): Promise<Database & { dataDir: string }> {
  await sweepTestDatabases();
  const dataDir = resolve(`.data/test-${label}-${process.pid}-${randomBytes(3).toString("hex")}`);
  mkdirSync(dataDir, { recursive: true });
  writeJson(join(dataDir, "owner.json"), getProcessMark(process.pid));
  const database = await startDatabase({ dataDir, durable: false, inMemory, say: () => {} });
  return { ...database, dataDir, stop: () => removeDatabase(dataDir) };
}

/** Removes the test databases whose process no longer runs. */
export async function sweepTestDatabases() {
  const root = resolve(".data");
  const names = existsSync(root) ? readdirSync(root).filter((name) => name.startsWith("test-")) : [];
  for (const name of names) {
    const owner = readJson<ProcessMark>(join(root, name, "owner.json"));
    // A process that was killed before it wrote owner.json is identified by the folder's name.
    const isOwned = owner ? isRunning(owner) : getStartTime(Number(name.split("-").at(-2))) !== undefined;
    if (!isOwned) await removeDatabase(join(root, name));
  }
}
