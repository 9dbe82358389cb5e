import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { bin, heartbeat, root, run } from "./run.mjs";

const marker = join(root, "node_modules", ".passlane-lock");

/** Exits with a clear message on an old Node, instead of a syntax error in a dependency. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return;
  console.error(`Passlane needs Node 20.20 or newer; this is ${version}.`);
  process.exit(1);
}

/** Installs from the lockfile, unless node_modules matches it. Returns true on success. */
export async function ensureInstalled({ dev = true } = {}) {
  const hash = lockHash();
  const installedHash = readText(marker);
  if (installedHash === `${hash} all` || (!dev && installedHash === `${hash} without dev`)) return true;
  // Packages with an earlier patch cannot be patched again, so they are reinstalled.
  if (isComplete({ dev }) && (await applyPatches({ quiet: true }))) {
    writeFileSync(marker, `${hash} ${isComplete({ dev: true }) ? "all" : "without dev"}`);
    return true;
  }
  console.log("Installing packages from the lockfile (the first time takes a minute or two) …");
  const stop = heartbeat(() => "installing");
  const errors = [];
  let code = await npm(["ci"], (line) =>
    line.startsWith("npm error") ? errors.push(line) : console.log(line),
  );
  if (code !== 0 && errors.some((line) => line.includes("EUSAGE"))) {
    // "npm ci" rejects a lockfile without the binaries of other platforms (complete-lock.mjs).
    console.log("npm ci rejects this lockfile; npm install uses the same versions …");
    code = await npm(["install", "--no-save"], console.log);
  } else if (code !== 0) console.error(errors.join("\n"));
  stop();
  if (code !== 0) {
    console.error("The packages could not be installed (see above): the first start needs the npm registry.");
    return false;
  }
  if (!(await applyPatches())) return false;
  writeFileSync(marker, `${hash} all`);
  return true;
}

/**
 * Applies the patches of `patches` (docs/decisions/0023-patch-the-database-driver.md), also if npm ran no scripts.
 * Idempotent.
 */
async function applyPatches({ quiet = false } = {}) {
  const output = [];
  const code = await run(bin("patch-package"), ["--error-on-fail"], { onLine: (line) => output.push(line) });
  if (code !== 0 && !quiet)
    console.error(`${output.join("\n")}\nThe patches of the folder patches could not be applied.`);
  return code === 0;
}

function npm(command, onLine) {
  // Settings of the machine such as NODE_ENV=production would omit the compiler and the database's binaries.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(NODE_ENV|npm_config_(omit|only|production|include|dry_run|package_lock))$/i.test(name),
    ),
  );
  const args = [
    ...command,
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const cli = process.env.npm_execpath;
  if (cli && basename(cli) === "npm-cli.js") return run(process.execPath, [cli, ...args], { env, onLine });
  return run(process.platform === "win32" ? "npm.cmd" : "npm", args, { env, onLine });
}

/** Compares npm's record of the last installation with the lockfile. */
function isComplete({ dev }) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!installed) return false;
  return lockedPackages().every(([path, locked]) => {
    const record = installed[path];
    if (record) return record.version === locked.version && existsSync(join(root, path));
    return (locked.dev && !dev) || (locked.optional && !fitsMachine(locked));
  });
}

function fitsMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false; // fallbacks such as wasm builds, which npm omits
  const allows = (list, value) =>
    !list || (list.some((item) => item === value) && !list.includes(`!${value}`));
  const machineLibc = process.report?.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
  return (
    allows(os, process.platform) &&
    allows(cpu, process.arch) &&
    (process.platform !== "linux" || allows(libc, machineLibc))
  );
}

function lockedPackages() {
  return Object.entries(readPackages(join(root, "package-lock.json")) ?? {}).filter(([path]) => path !== "");
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8").trim() : "";
}

function lockHash() {
  const digest = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const name of readdirSync(join(root, "patches")).sort())
    digest.update(readFileSync(join(root, "patches", name)));
  return digest.update(`${process.platform} ${process.arch}`).digest("hex");
}
