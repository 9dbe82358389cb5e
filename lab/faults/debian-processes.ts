import { execFileSync, type SpawnOptions, spawnSync } from "node:child_process";
import { chownSync, closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chooseDatabaseUser, cleanEnv } from "@/scripts/postgres/database-files";

/** What the trials on Debian's packages share (debian-postgres.ts, ha-cluster.ts): a folder, its owner, and processes in it. */

export const USER = "passlane";
export const PASSWORD = "s3cret";
export const DATABASE = "passlane";
const POSTGRES_ROOT = "/usr/lib/postgresql";

/** Debian installs haproxy and PgBouncer outside of a user's PATH. */
const variables = { ...cleanEnv, PATH: `${cleanEnv.PATH}:/usr/sbin` };

/** The address of the shop's database on a port, or on a host with its port. */
export const shopUrl = (host: number | string, query = ""): string =>
  `postgres://${USER}:${PASSWORD}@${typeof host === "number" ? `127.0.0.1:${host}` : host}/${DATABASE}${query && `?${query}`}`;

/** The programs of Postgres: those of the preferred version, or of the newest one. */
export function findPostgres(preferred?: string): string | undefined {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT) : [];
  return versions
    .sort((a, b) => Number(b === preferred) - Number(a === preferred) || Number(b) - Number(a))
    .map((version) => join(POSTGRES_ROOT, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

export const hasCommand = (command: string, argument: string): boolean =>
  spawnSync(command, [argument], { stdio: "ignore", env: variables }).error === undefined;

export const readOutput = (command: string, argument: string): string =>
  spawnSync(command, [argument], { encoding: "utf8", env: variables }).stdout ?? "";

/** The postmaster of a data folder and its children; none when it does not run. */
export function listPostgresProcesses(data: string): number[] {
  try {
    const pid = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]!;
    // The process id in the file may belong to another process by now.
    if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(data)) return [];
    const list = execFileSync("ps", ["-o", "pid=", "--pid", pid, "--ppid", pid], { encoding: "utf8" });
    return list.trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** The settings of PgBouncer with transaction pooling before the database on `backend`. */
export function poolerSettings(
  folder: string,
  options: { port: number; backend: number; limits: string; more: Record<string, string | number> },
): string {
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: options.port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    max_client_conn: 500,
    logfile: join(folder, "pgbouncer.log"),
    ...options.more,
  };
  const backend = `host=127.0.0.1 port=${options.backend} dbname=${DATABASE} user=${USER} password=${PASSWORD}`;
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `[databases]\n${DATABASE} = ${backend} connect_query='${options.limits}'\n[pgbouncer]\n${lines.join("\n")}\n`;
}

export class DebianProcesses {
  private readonly owner = chooseDatabaseUser(undefined);

  protected constructor(protected readonly folder: string) {}

  /** Runs a command to its end. */
  protected run(command: string, args: string[], options: { bin?: string; timeout?: number } = {}): void {
    const { bin = "", timeout } = options;
    const path = existsSync(join(bin, command)) ? join(bin, command) : command;
    const name = join(this.folder, "commands.out");
    // A file, because the servers that pg_ctl starts would keep a pipe open.
    const output = openSync(name, "a");
    const { status } = spawnSync(path, args, {
      stdio: ["ignore", output, output],
      timeout,
      ...this.asOwner(),
    });
    closeSync(output);
    if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}, see ${name}`);
  }

  protected asOwner(): Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> {
    const { owner } = this;
    return { cwd: this.folder, env: variables, ...(owner && { uid: owner.uid, gid: owner.gid }) };
  }

  protected own(path: string): void {
    if (this.owner) chownSync(path, this.owner.uid, this.owner.gid);
  }
}
