// node scripts/complete-lock.mjs: adds to package-lock.json the binaries for other platforms that the registry did
// not have when the lockfile was written. Without them "npm ci" rejects it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

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

lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? "The lockfile is complete." : `Added:\n  ${added.join("\n  ")}`);

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
