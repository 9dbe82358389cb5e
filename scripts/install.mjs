import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { heartbeat, root, run } from "./run.mjs";

const marker = join(root, "node_modules", ".passlane-lock");

/** One clear sentence instead of a syntax error somewhere in a dependency. */
export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return;
  console.error(`Passlane needs Node 20.20 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs from the lockfile unless node_modules already holds exactly that. Returns whether all is there. */
export async function ensureInstalled({ dev = true } = {}) {
  const hash = lockHash();
  const noted = readText(marker);
  if (noted === `${hash} all` || (!dev && noted === `${hash} without dev`)) return true;
  if (isComplete({ dev })) {
    writeFileSync(marker, `${hash} ${isComplete({ dev: true }) ? "all" : "without dev"}`);
    return true;
  }
  console.log("Installing packages from the lockfile (the first time takes a minute or two) …");
  const stop = heartbeat(() => `installing, ${countPackages()} of ${lockedPackages().length} packages`);
  const code = await npmCi();
  stop();
  if (code !== 0) {
    console.error(
      "The packages could not be installed: npm ci failed (see above). It needs the npm registry this once.",
    );
    return false;
  }
  writeFileSync(marker, `${hash} all`);
  return true;
}

function npmCi() {
  // A production or omit setting of the machine would drop the compiler and the database's binaries.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(NODE_ENV|npm_config_(omit|only|production|include|dry_run|package_lock))$/i.test(name),
    ),
  );
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  const cli = process.env.npm_execpath;
  if (cli && basename(cli) === "npm-cli.js") return run(process.execPath, [cli, ...args], { env });
  return run(process.platform === "win32" ? "npm.cmd" : "npm", args, { env });
}

/** What npm noted of the last install against what the lockfile asks for on this machine. */
function isComplete({ dev }) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!installed) return false;
  return lockedPackages().every(([path, wanted]) => {
    const found = installed[path];
    if (found) return found.version === wanted.version && existsSync(join(root, path));
    return (wanted.dev && !dev) || (wanted.optional && !fitsMachine(wanted));
  });
}

function fitsMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false; // fallbacks such as the wasm builds: npm leaves them out
  const allows = (list, value) =>
    !list || (list.some((item) => item === value) && !list.includes(`!${value}`));
  const ours = process.report?.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
  return (
    allows(os, process.platform) &&
    allows(cpu, process.arch) &&
    (process.platform !== "linux" || allows(libc, ours))
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
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform} ${process.arch}`).digest("hex");
}

function countPackages() {
  const modules = join(root, "node_modules");
  const list = (folder) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  return list(modules).reduce(
    (sum, name) => sum + (name.startsWith("@") ? list(join(modules, name)).length : 1),
    0,
  );
}
