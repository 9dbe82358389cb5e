// npm run sbom [-- --out FOLDER] [-- --dev]: writes what the shop consists of into FOLDER (sbom/ by default): sbom.cdx.json
// (CycloneDX, by npm itself from the lockfile) and licenses.txt, a table of every package with its version and license. --dev
// includes the packages of development. Ends with 1 when a package names no license, or one that is not among KNOWN.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./start/run.mjs";

/** Licenses under which the packages may be used and passed on in an image with their notices. */
const KNOWN = [
  ...[
    "MIT",
    "MIT-0",
    "ISC",
    "0BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
    "BlueOak-1.0.0",
    "Unlicense",
    "Zlib",
  ],
  ...[
    "Public Domain",
    "CC0-1.0",
    "CC-BY-4.0",
    "Python-2.0",
    "OFL-1.1",
    "MPL-2.0",
    "LGPL-3.0-or-later",
    "PostgreSQL",
    "W3C-20150513",
  ],
];

/** Packages whose manifest names no license; it is in their files. */
const READ_IN_FILES = { "png-js": "MIT" };

const { values } = parseArgs({
  options: { out: { type: "string", default: "sbom" }, dev: { type: "boolean" } },
});
const folder = resolve(root, values.out);
mkdirSync(folder, { recursive: true });

const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
if (!values.dev) args.push("--omit", "dev");
const sbom = execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 256 * 2 ** 20 });
writeFileSync(join(folder, "sbom.cdx.json"), sbom);

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const packages = Object.entries(lock.packages)
  .filter(([path, { link, dev }]) => path !== "" && !link && (values.dev || !dev))
  .map(
    ([
      path,
      { name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), version, license },
    ]) => ({
      name,
      version,
      license: license ?? READ_IN_FILES[name] ?? "",
    }),
  );
const rows = [...new Map(packages.map((entry) => [`${entry.name}@${entry.version}`, entry])).values()].sort(
  (a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en", { numeric: true }),
);
const counts = new Map();
for (const { license } of rows) counts.set(license, (counts.get(license) ?? 0) + 1);
const summary = [...counts]
  .sort(([, a], [, b]) => b - a)
  .map(([license, count]) => `${license || "none named"} ${count}`)
  .join(", ");
writeFileSync(
  join(folder, "licenses.txt"),
  [
    "# Licenses",
    "",
    `${rows.length} packages${values.dev ? "" : " of production"}, from package-lock.json by \`npm run sbom\`: ${summary}.`,
    "",
    "| Package | Version | License |",
    "| --- | --- | --- |",
    ...rows.map(({ name, version, license }) => `| ${name} | ${version} | ${license || "none named"} |`),
    "",
  ].join("\n"),
);

/** An expression such as `(MIT OR GPL-3.0)` is known when one of its alternatives is. */
const isKnown = (license) =>
  license
    .replaceAll(/[()]/g, "")
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((part) => KNOWN.includes(part)));
const open = rows.filter(({ license }) => !isKnown(license));
console.log(`${rows.length} packages in ${folder}: sbom.cdx.json, licenses.txt`);
if (open.length > 0) {
  console.error(
    `To be looked at:\n${open.map(({ name, version, license }) => `  ${name}@${version}: ${license || "no license"}`).join("\n")}`,
  );
  process.exitCode = 1;
}
