import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getStartTime } from "../start/process-start.mjs";
import { cleanEnv, createPrivateFolder, type SystemUser } from "./database-files";

/** The folder of a database cluster, the binaries that run it, and its operating system user. */
export type Cluster = { bin: string; cluster: string; owner: SystemUser };

/** The live postmaster of a cluster. A pid file left by a crash, a copy or a reboot is ignored. */
export function findPostmaster(cluster: string): { pid: number; port: number } | undefined {
  const path = join(cluster, "postmaster.pid");
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n");
  const pid = Number(lines[0]);
  return pid > 1 && servesCluster(pid, cluster) ? { pid, port: Number(lines[3]) } : undefined;
}

/**
 * Runs initdb in a draft folder that is renamed when complete, so that an interrupted start leaves no incomplete
 * cluster.
 */
export function createCluster(
  { bin, cluster, owner }: Cluster,
  { password, durable }: { password: string; durable: boolean },
) {
  // initdb builds shell commands from its own path.
  if (/["$`\\]/.test(bin))
    throw new Error(`Postgres cannot be set up from a path with " $ \` or \\ in it: ${bin}`);
  const draft = `${cluster}.new`;
  const secret = `${cluster}.password`;
  rmSync(draft, { recursive: true, force: true });
  createPrivateFolder(draft, owner);
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  if (owner) chownSync(secret, owner.uid, owner.gid);
  const flags = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  flags.push("--username=passlane", "--auth=scram-sha-256", `--pwfile=${secret}`, "--no-instructions");
  if (!durable) flags.push("--no-sync");
  const run = spawnSync(join(bin, "initdb"), ["-D", ".", ...flags], {
    ...spawnOptions(owner),
    cwd: draft,
    encoding: "utf8",
  });
  rmSync(secret, { force: true });
  if (run.status !== 0) throw new Error(`initdb failed: ${run.error?.message ?? run.stderr.trim()}`);
  renameSync(draft, cluster);
}

/**
 * A quarter of the machine's memory, as Postgres recommends, so that the tables of the search stay in memory.
 * Allocated on use.
 */
function sharedMegabytes(): number {
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY; // 0: no limit
  return Math.round(Math.min(1024, Math.max(128, Math.min(totalmem(), allowed) / 4 / 2 ** 20)));
}

/**
 * Starts a postmaster in its own session, so that neither Ctrl-C nor the end of this process stops it. Without pg_ctl,
 * whose shell fails on some paths and hides why a start failed.
 */
export function spawnPostmaster(
  { bin, cluster, owner }: Cluster,
  { port, durable }: { port: number; durable: boolean },
) {
  rmSync(join(cluster, "postmaster.pid"), { force: true });
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // Tests and fault trials have several servers, each with its pools (docs/operations.md#processes).
    max_connections: 400,
    shared_buffers: `${sharedMegabytes()}MB`,
    timezone: "UTC",
    log_timezone: "UTC",
    ...(durable
      ? {}
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_wal_size: "256MB" }),
  };
  const args = [
    "-D",
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const path = logPath(cluster);
  if (existsSync(path) && statSync(path).size > 5_000_000) renameSync(path, `${path}.1`);
  const log = openSync(path, "a", 0o600);
  const from = statSync(path).size;
  const child = spawn(join(bin, "postgres"), args, {
    ...spawnOptions(owner),
    cwd: cluster,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  let ended = false;
  child.once("exit", () => (ended = true));
  child.once("error", () => (ended = true));
  return { hasEnded: () => ended, logged: () => readFileSync(path).subarray(from).toString("utf8") };
}

/**
 * Kills every Postgres process of a cluster without a postmaster: busy backends of a killed postmaster, which hold its
 * shared memory and keep a new one from starting, or a postmaster that has just started.
 */
export function killOrphanBackends(cluster: string) {
  if (process.platform !== "linux" || findPostmaster(cluster)) return;
  for (const name of readdirSync("/proc")) {
    if (/^\d+$/.test(name) && servesCluster(Number(name), cluster)) send(Number(name), "SIGKILL");
  }
}

/** Shuts down fast, with a checkpoint as `pg_ctl stop` does, and immediately if that takes too long. */
export async function stopPostmaster(cluster: string, immediately = false) {
  const found = findPostmaster(cluster);
  if (!found) return;
  const signals: [NodeJS.Signals, number][] = immediately ? [] : [["SIGINT", 20]];
  signals.push(["SIGQUIT", 10], ["SIGKILL", 5]);
  const startTime = getStartTime(found.pid);
  for (const [signal, seconds] of signals) {
    send(found.pid, signal);
    for (let waited = 0; waited < seconds * 20; waited++) {
      if (getStartTime(found.pid) !== startTime) return;
      await sleep(50);
    }
  }
  throw new Error(`The database (process ${found.pid}) does not stop.`);
}

/** Gives the superuser a new password if the old one is lost. The cluster must be stopped. */
export function resetPassword({ bin, cluster, owner }: Cluster, password: string) {
  const input = `ALTER ROLE passlane PASSWORD '${password}';\n`;
  const args = ["--single", "-D", cluster, "postgres"];
  const run = spawnSync(join(bin, "postgres"), args, {
    ...spawnOptions(owner),
    cwd: cluster,
    input,
    encoding: "utf8",
  });
  if (run.status !== 0 || run.stderr.includes("ERROR"))
    throw new Error(`No new password for the database: ${run.stderr.trim()}`);
}

export function logPath(cluster: string): string {
  return join(dirname(cluster), "postgres.log");
}

function spawnOptions(owner: SystemUser) {
  return owner ? { env: cleanEnv, uid: owner.uid, gid: owner.gid } : { env: cleanEnv };
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** True if the process is a Postgres of this folder. The id may have been reused by another program. */
function servesCluster(pid: number, cluster: string): boolean {
  if (!getStartTime(pid)) return false;
  try {
    if (process.platform !== "linux") {
      const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
      return command.includes(`postgres -D ${cluster} `);
    }
    const workingFolder = statSync(`/proc/${pid}/cwd`);
    const folder = statSync(cluster);
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    return name === "postgres" && workingFolder.dev === folder.dev && workingFolder.ino === folder.ino;
  } catch {
    return false;
  }
}
