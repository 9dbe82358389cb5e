import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import {
  canReach,
  chooseDatabaseUser,
  findBinaries,
  findClusterFolder,
  fixClusterOwner,
  type SystemUser,
} from "./database-files";
import { freePort, portError } from "./ports";
import {
  createCluster,
  findPostmaster,
  killOrphanBackends,
  logPath,
  resetPassword,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster";
import {
  getProcessMark,
  getStartTime,
  isRunning,
  type ProcessMark,
  readJson,
  withLock,
  writeJson,
} from "./process-lock";

export type Database = { url: string; port: number; stop(): Promise<void>; reused: boolean };
export type StartOptions = {
  dataDir: string;
  port?: number;
  durable?: boolean;
  say?: (line: string) => void;
};
/** What a data folder remembers of its database, in `postgres.json`, readable by its owner only. */
type Remembered = { dataDir: string; cluster: string; port: number; password: string };
type Access = { port: number; password: string };

const recordOf = (dataDir: string) => join(dataDir, "postgres.json");

/**
 * The embedded Postgres of a data folder: made at first, reused while it runs, started again otherwise. It outlives
 * this process (kill -9 included) until `stop()`. `durable: false` trades safety for speed: throw-away data only.
 */
export async function startDatabase(options: StartOptions): Promise<Database> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  return withLock(join(dataDir, "postgres.lock"), 120, () => start({ ...options, dataDir }));
}

async function start({ dataDir, port, durable = true, say = console.log }: StartOptions): Promise<Database> {
  const record = findRecord(dataDir);
  const kept = record && existsSync(record.cluster) ? record : undefined;
  const owner = chooseDatabaseUser(kept?.cluster ?? join(dataDir, "postgres"));
  const cluster = kept?.cluster ?? join(findClusterFolder(owner, dataDir, say), "postgres");
  if (!canReach(join(cluster, ".."), owner))
    throw new Error(`${owner?.name} cannot reach the database in ${cluster}.`);
  const password = kept?.password ?? randomBytes(24).toString("base64url");
  const stop = () => stopPostmaster(cluster, !durable);

  const live = findPostmaster(cluster);
  const hasGone = () => !findPostmaster(cluster);
  if (live && kept && (await whenReady({ port: live.port, password }, cluster, hasGone, say))) {
    if (live.port !== kept.port) writeJson(recordOf(dataDir), { ...kept, port: live.port });
    return { url: urlOf({ port: live.port, password }), port: live.port, stop, reused: true };
  }

  const bin = join(findBinaries(owner, dataDir, say), "bin");
  fixClusterOwner(cluster, owner);
  if (!kept) await settleUnknown({ bin, cluster, dataDir, owner, password, say });
  const remember = (at: number) => writeJson(recordOf(dataDir), { dataDir, cluster, port: at, password });
  if (!kept) remember(port ?? 0);
  if (!existsSync(join(cluster, "PG_VERSION"))) createCluster({ bin, cluster, owner, password, durable });

  let wanted = port ?? kept?.port ?? 0;
  const until = Date.now() + 30_000;
  for (;;) {
    if (port && (await portError(port, ["127.0.0.1"])))
      throw new Error(`Port ${port} for the database is taken.`);
    if (!wanted || (await portError(wanted, ["127.0.0.1"]))) wanted = await freePort();
    const postmaster = spawnPostmaster({ bin, cluster, owner, port: wanted, durable });
    if (await whenReady({ port: wanted, password }, cluster, postmaster.hasEnded, say)) break;
    const logged = postmaster.logged();
    // Taken in the last moment, or the processes of a killed server are still leaving: both pass.
    const passes = /could not (bind|create any)|still in use|lock file .* already exists/i.test(logged);
    if (!passes || Date.now() > until)
      throw new Error(`The database does not start (${logPath(cluster)}):\n${logged.trim()}`);
    await sleep(500);
    if (/still in use/.test(logged)) killOrphanBackends(cluster);
  }
  remember(wanted);
  await createShop({ port: wanted, password });
  return { url: urlOf({ port: wanted, password }), port: wanted, stop, reused: false };
}

/** A record that came with a copied tree belongs to the original, unless that is gone (the tree was moved). */
function findRecord(dataDir: string): Remembered | undefined {
  const record = readJson<Remembered>(recordOf(dataDir));
  if (!record || record.dataDir === dataDir) return record;
  const inside = record.cluster.startsWith(record.dataDir + sep);
  const cluster = inside ? dataDir + record.cluster.slice(record.dataDir.length) : record.cluster;
  return inside || !existsSync(record.dataDir) ? { ...record, dataDir, cluster } : undefined;
}

type Unknown = {
  bin: string;
  cluster: string;
  dataDir: string;
  owner: SystemUser;
  password: string;
  say: (line: string) => void;
};

/** A cluster without a record: in the data folder it only lost its password; elsewhere its data folder was removed. */
async function settleUnknown({ bin, cluster, dataDir, owner, password, say }: Unknown) {
  if (!existsSync(cluster)) return;
  await stopPostmaster(cluster);
  if (cluster.startsWith(dataDir + sep)) {
    rmSync(join(cluster, "postmaster.pid"), { force: true });
    resetPassword(bin, cluster, owner, password);
    return;
  }
  const aside = `${cluster}.${new Date().toISOString().replace(/[:.]/g, "-")}`;
  renameSync(cluster, aside);
  say(`${dataDir} was emptied, so its database begins anew; the old one was put aside in ${aside}.`);
}

function urlOf({ port, password }: Access, database = "passlane"): string {
  return `postgres://passlane:${password}@127.0.0.1:${port}/${database}`;
}

function connect(access: Access) {
  return postgres(urlOf(access, "postgres"), { max: 1, connect_timeout: 5, onnotice: () => {} });
}

/** True once the server answers, false when it ended first. A crash recovery may take its time, and says so. */
async function whenReady(
  access: Access,
  cluster: string,
  hasEnded: () => boolean,
  say: (line: string) => void,
): Promise<boolean> {
  const begun = Date.now();
  for (let said = 0; ; ) {
    const sql = connect(access);
    try {
      await sql`select 1`;
      return true;
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (hasEnded()) return false;
      if (code === "28P01")
        throw new Error(`The database in ${cluster} refuses the password in postgres.json.`);
      const seconds = Math.floor((Date.now() - begun) / 1000);
      if (seconds > 600)
        throw new Error(`The database does not answer (${code}); its log is ${logPath(cluster)}.`);
      if (seconds >= said + 10) {
        said = seconds;
        say(`The database is recovering, ${seconds} s so far …`);
      }
      await sleep(50);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}

async function createShop(access: Access) {
  const sql = connect(access);
  try {
    const found = await sql`select 1 from pg_database where datname = 'passlane'`;
    if (found.length === 0) await sql`create database passlane`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Whether the database of a data folder runs. */
export function isDatabaseRunning(dataDir: string): boolean {
  const record = findRecord(realpathSync(dataDir));
  return record !== undefined && findPostmaster(record.cluster) !== undefined;
}

const whole = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }; // what was killed may still be leaving

/** Stops the database of a data folder and removes the folder and the cluster, wherever it was placed. */
export async function removeDatabase(dataDir: string) {
  if (!existsSync(dataDir)) return;
  const record = findRecord(realpathSync(dataDir));
  if (record) {
    await stopPostmaster(record.cluster, true);
    killOrphanBackends(record.cluster);
    const home = join(record.cluster, "..");
    if (home !== realpathSync(dataDir)) rmSync(home, whole);
  }
  // The note of the owner goes last: if this is interrupted, a sweep still finds the folder.
  for (const name of readdirSync(dataDir)) if (name !== "owner.json") rmSync(join(dataDir, name), whole);
  rmSync(dataDir, whole);
}

/** A database for tests in a folder of its own under `.data`; `stop()` leaves nothing behind. */
export async function startTestDatabase(label: string): Promise<Database & { dataDir: string }> {
  await sweepTestDatabases();
  const dataDir = resolve(`.data/test-${label}-${process.pid}-${randomBytes(3).toString("hex")}`);
  mkdirSync(dataDir, { recursive: true });
  writeJson(join(dataDir, "owner.json"), getProcessMark(process.pid));
  const database = await startDatabase({ dataDir, durable: false, say: () => {} });
  return { ...database, dataDir, stop: () => removeDatabase(dataDir) };
}

/** Removes the test databases whose process is gone. */
export async function sweepTestDatabases() {
  const root = resolve(".data");
  const names = existsSync(root) ? readdirSync(root).filter((name) => name.startsWith("test-")) : [];
  for (const name of names) {
    const owner = readJson<ProcessMark>(join(root, name, "owner.json"));
    // Killed before it could note its owner: the name tells the process, if not when it began.
    const isOwned = owner ? isRunning(owner) : getStartTime(Number(name.split("-").at(-2))) !== undefined;
    if (!isOwned) await removeDatabase(join(root, name));
  }
}
