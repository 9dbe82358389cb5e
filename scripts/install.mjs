import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { bin, heartbeat, root, run } from "./run.mjs";

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
  // Packages that hold an earlier patch cannot take another: they are installed anew.
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
    // A lockfile written where the registry lacked other platforms' binaries is refused by "ci" (complete-lock.mjs).
    console.log("npm ci refuses this lockfile; npm install keeps to its versions as well …");
    code = await npm(["install", "--no-save"], console.log);
  } else if (code !== 0) console.error(errors.join("\n"));
  stop();
  if (code !== 0) {
    console.error("The packages could not be installed (see above): this needs the npm registry this once.");
    return false;
  }
  if (!(await applyPatches())) return false;
  writeFileSync(marker, `${hash} all`);
  return true;
}

/** What `patches` mends in packages (docs/decisions/0023-patch-the-database-driver.md). Also where npm was told to run no scripts; twice is once. */
async function applyPatches({ quiet = false } = {}) {
  const output = [];
  const code = await run(bin("patch-package"), ["--error-on-fail"], { onLine: (line) => output.push(line) });
  if (code !== 0 && !quiet)
    console.error(`${output.join("\n")}\nThe packages could not be mended as the folder patches says.`);
  return code === 0;
}

function npm(command, onLine) {
  // A production or omit setting of the machine would drop the compiler and the database's binaries.
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
  const digest = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const name of readdirSync(join(root, "patches")).sort())
    digest.update(readFileSync(join(root, "patches", name)));
  return digest.update(`${process.platform} ${process.arch}`).digest("hex");
}
