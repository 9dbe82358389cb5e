import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { prepareBrowserFiles } from "./release/browser-files.mjs";
import { bareEnvironment, bin, endAll, heartbeat, root, run } from "./start/run.mjs";
import { findServing } from "./start/serving.mjs";

const sources = ["app", "components", "lib", "db", "emails", "messages", "public"];
sources.push(
  "middleware.ts",
  "next.config.ts",
  "instrumentation.ts",
  "postcss.config.mjs",
  "package-lock.json",
  "scripts/release/browser-files.mjs",
  "scripts/write-openapi.ts",
);
const marker = join(root, ".next", "passlane-build");

/**
 * Builds if the sources differ from those of the last successful build. Returns true if the build is up to date. Refuses
 * while a server serves from the build, because its files would vanish below it. `typesChecked`: the build need not check the
 * types again, which is a third of its time.
 */
export async function buildWhenChanged({ typesChecked = false } = {}) {
  const sourceHash = hashSources();
  const createStamp = () => `${sourceHash} ${hash(["tsconfig.json"])}`;
  if (existsSync(marker) && readFileSync(marker, "utf8") === createStamp()) {
    console.log("The build is up to date.");
    return true;
  }
  const serving = findServing(join(root, ".next"));
  if (serving) {
    console.error(
      `The server at ${serving.address} (process ${serving.pid}) serves from this build: stop it first, or make a release beside it with npm run release (docs/operations.md#releases).`,
    );
    return false;
  }
  console.log("Building (the first time takes a minute) …");
  rmSync(marker, { force: true });
  if (!(await nextBuild(typesChecked ? { TYPES_CHECKED: "1" } : {}))) {
    console.error("The build failed.");
    return false;
  }
  const [documentsWritten] = await Promise.all([
    writeDocuments(join(root, ".next", "openapi")),
    prepareBrowserFiles(join(root, ".next", "static")),
  ]);
  if (!documentsWritten) return false;
  // Hashed after the build, because Next writes settings into tsconfig.json.
  writeFileSync(marker, createStamp());
  return true;
}

/** Runs `next build` with additional variables. Prints its steps, and what it printed last if it fails. */
export async function nextBuild(variables = {}) {
  const output = [];
  const stop = heartbeat(() => "building");
  const onLine = (line) => {
    output.push(line);
    if (isProgress(line)) console.log(`  ${line.trim()}`);
  };
  const env = { ...bareEnvironment(), NEXT_TELEMETRY_DISABLED: "1", ...variables };
  const code = await run(bin("next"), ["build"], { env, onLine });
  stop();
  if (code !== 0) console.error(output.slice(-80).join("\n"));
  return code === 0;
}

/** Writes the OpenAPI documents into a folder, where the server reads them (lib/platform/api/openapi-files.ts). */
export async function writeDocuments(folder) {
  const args = ["--import", "tsx", "scripts/write-openapi.ts", folder];
  const code = await run(process.execPath, args, { env: bareEnvironment() });
  if (code !== 0) console.error("The OpenAPI documents could not be written.");
  return code === 0;
}

/** A hash of everything that is built. */
export const hashSources = () => hash(sources);

/** Next's steps and warnings, without the table of routes. */
function isProgress(line) {
  return line.trim() !== "" && !/^[┌├└│ƒ○●◐λ]|^\s*(Route|\(\w+\)|[┌├└│])/.test(line);
}

function hash(names) {
  const digest = createHash("sha256");
  for (const path of names.flatMap((name) => listFiles(join(root, name)))) {
    digest
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return digest.digest("hex");
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => endAll().then(() => process.exit(130)));
  process.exit((await buildWhenChanged()) ? 0 : 1);
}
