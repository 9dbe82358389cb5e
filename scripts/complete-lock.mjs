// node scripts/complete-lock.mjs: adds to package-lock.json the binaries for other platforms that npm left out when it wrote
// the lockfile, without which "npm ci" rejects it, and asks the registry for the integrity value and the license of every entry without one.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./start/run.mjs";

const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8"));
// The names that the other packages of the lockfile use.
const listNames = (field) => [
  ...new Set(Object.values(lock.packages).flatMap((locked) => locked[field] ?? [])),
];
const systems = listNames("os");
const processors = listNames("cpu");
const added = [];

for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(parent, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...toPlatform(name),
      ...(dev ? { dev } : {}),
      optional: true,
    };
    added.push(`${name}@${version}`);
  }
}

const missing = Object.entries(lock.packages).filter(
  ([path, { integrity, license, optional, link, inBundle }]) =>
    path !== "" && !link && !inBundle && (!integrity || (optional && !license)),
);
const unknown = [];
await Promise.all(
  [0, 1, 2, 3].map(async (lane) => {
    for (const [path, entry] of missing.filter((_, i) => i % 4 === lane)) {
      const answer = await askRegistry(nameOf(path, entry), entry.version);
      if (answer) Object.assign(entry, answer);
      else unknown.push(`${path}@${entry.version}`);
    }
  }),
);

lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
if (added.length > 0) console.log(`Added:\n  ${added.join("\n  ")}`);
if (missing.length > unknown.length)
  console.log(`Integrity values or licenses added: ${missing.length - unknown.length}`);
if (unknown.length > 0) {
  console.error(`The registry has no integrity value of:\n  ${unknown.sort().join("\n  ")}`);
  process.exitCode = 1;
} else console.log("The lockfile is complete.");

/** An alias names its package; any other entry is named by its folder. */
function nameOf(path, { name }) {
  return name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

async function askRegistry(name, version) {
  const { stdout } = await promisify(execFile)("npm", [
    ...["view", `${name}@${version}`, "dist.integrity", "license", "--json"],
  ]).catch(() => ({ stdout: "" }));
  const { "dist.integrity": integrity, license } = stdout.trim() ? JSON.parse(stdout) : {};
  if (!integrity?.startsWith("sha512-")) return undefined;
  return { integrity, ...(typeof license === "string" && { license }) };
}

function isLocked(parent, name) {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${folder ? `${folder}/` : ""}node_modules/${name}`]) return true;
    if (!folder) return false;
  }
}

function toPlatform(name) {
  const parts = name.split("/").pop().split("-");
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors.filter((processor) => parts.includes(processor));
  if (cpu.length === 0)
    throw new Error(`${name} does not name its platform: add it to the lockfile by hand.`);
  const libc =
    os[0] === "linux" ? [parts.some((word) => word.startsWith("musl")) ? "musl" : "glibc"] : undefined;
  return { cpu, ...(libc ? { libc } : {}), ...(os.length > 0 ? { os } : {}) };
}
