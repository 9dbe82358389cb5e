// npm run release: builds this version into releases/<id>, a folder that runs with Node alone (docs/operations.md#releases).
// The build that `npm start` serves, and every earlier release, stay as they are.

import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hashSources, nextBuild, writeDocuments } from "./build.mjs";
import { prepareBrowserFiles } from "./release/browser-files.mjs";
import { checkNode, ensureInstalled } from "./start/install.mjs";
import { bareEnvironment, endAll, root, run } from "./start/run.mjs";

/** Next's build of a release, in the root because the build's links to packages have this depth. */
const BUILD = ".next-release";
/** Bundled beside Next's own server.js: `node worker.js` and so on. `node command.js` runs the operator's commands. */
const ENTRIES = { worker: "scripts/work.ts", migrate: "scripts/migrate.ts" };
/** Files that Next traces although the server does not read them; `.next` is the build that `npm start` serves. */
const SURPLUS = [".data", ".next", "docs", "package-lock.json"];
const TRACE_FILE = /\.(?:nft\.json|js\.map)$/;
/** How many earlier releases' browser files a release holds, for pages that were loaded before it. */
const EARLIER_RELEASES = 2;
/** Set by the release, so that no operator forgets them, as for `npm start` (scripts/start/server-process.ts). */
const BEFORE_NEXT = `process.env.APP_MODE ||= "production";
process.env.NEXT_MANUAL_SIG_HANDLE = "true"; // the shop handles signals itself
process.env.KEEP_ALIVE_TIMEOUT ||= "75000"; // longer than a proxy keeps a connection
delete process.env.HOSTNAME; // the container's name, on which alone Next would listen
`;
/** The schema after the last migration, for drizzle-kit alone. */
const SNAPSHOT = /_snapshot\.json$/;
/** Read by their paths, which Next does not trace (`turbopackIgnore`): each family with the weight of its bold letters. */
const FONTS = {
  "nanum-gothic": 700,
  "noto-sans": 600,
  "noto-sans-arabic": 600,
  "noto-sans-hebrew": 600,
  "noto-sans-jp": 600,
  "noto-sans-sc": 600,
  "noto-sans-thai": 600,
};
/** What is compiled holds its packages; what is binary stays a package. */
const BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.20",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  external: ["next", "sharp", "@node-rs/argon2", "pg-native"],
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
  },
  logLevel: "warning",
};

checkNode();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => endAll().then(() => process.exit(130)));

const { values } = parseArgs({
  options: { id: { type: "string" }, previous: { type: "string" }, salt: { type: "string" } },
});
const id = values.id ?? createId();
if (!/^[\w-]{1,40}$/.test(id)) fail("The id of a release has letters, digits, - and _, 40 at most.");
const target = join(root, "releases", id);
if ((await readdir(join(root, "releases")).catch(() => [])).includes(id)) fail(`releases/${id} exists.`);
const previous = await findPrevious();
if (!(await ensureInstalled())) process.exit(1);

const draft = join(root, "releases", `.${id}`);
await rm(draft, { recursive: true, force: true });
console.log(`Building the release ${id} …`);
if (!(await buildPages())) fail("The build failed.");
await copyBuild();
await compileEntries();
await rename(draft, target);
console.log(`releases/${id} is complete: node migrate.js, then node server.js and node worker.js in it.`);

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** The time, so that folders sort by age, and the sources. */
function createId() {
  const time = new Date()
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .replace("T", "-");
  return `${time}-${hashSources().slice(0, 7)}`;
}

/** The folder of the release before this one: `--previous` (empty: none), else the newest of releases/. */
async function findPrevious() {
  if (values.previous === "") return undefined;
  if (values.previous !== undefined) {
    const folder = resolve(process.env.INIT_CWD ?? root, values.previous);
    return { folder, ...(await readAbout(folder).catch(() => fail(`${folder} is no release.`))) };
  }
  const names = await readdir(join(root, "releases")).catch(() => []);
  const folders = names.filter((name) => !name.startsWith(".")).map((name) => join(root, "releases", name));
  const found = await Promise.all(
    folders.map((folder) =>
      readAbout(folder).then(
        (about) => ({ folder, ...about }),
        () => undefined,
      ),
    ),
  );
  return found.filter(Boolean).sort((a, b) => b.built_at.localeCompare(a.built_at))[0];
}

async function readAbout(folder) {
  return JSON.parse(await readFile(join(folder, "release.json"), "utf8"));
}

/** Next writes its own folder into the settings of TypeScript, which belong to the working tree. */
async function buildPages() {
  const settings = ["tsconfig.json", "next-env.d.ts"].map((name) => join(root, name));
  const before = await Promise.all(settings.map((path) => readFile(path).catch(() => undefined)));
  await rm(join(root, BUILD), { recursive: true, force: true });
  try {
    return await nextBuild({
      RELEASE_BUILD_FOLDER: BUILD,
      NEXT_DEPLOYMENT_ID: id,
      // Gives all files other names, as a release with other sources has: for tests.
      ...(values.salt && { NEXT_HASH_SALT: values.salt }),
    });
  } finally {
    for (const [index, path] of settings.entries())
      if (before[index]) await writeFile(path, before[index]);
      else await rm(path, { force: true });
  }
}

async function copyBuild() {
  const build = join(root, BUILD);
  await mkdir(join(root, "releases"), { recursive: true });
  await rename(join(build, "standalone"), draft);
  await Promise.all(SURPLUS.map((name) => rm(join(draft, name), { recursive: true, force: true })));
  await rename(join(draft, BUILD), join(draft, ".next"));
  for (const name of await readdir(join(draft, ".next/server"), { recursive: true }))
    if (TRACE_FILE.test(name)) await rm(join(draft, ".next/server", name));
  const server = await readFile(join(draft, "server.js"), "utf8");
  await writeFile(join(draft, "server.js"), BEFORE_NEXT + server.replaceAll(BUILD, ".next"));
  await rename(join(build, "static"), join(draft, ".next/static"));
  await prepareBrowserFiles(join(draft, ".next/static"));
  if (!(await writeDocuments(join(draft, ".next/openapi")))) fail("The build failed.");
  await rm(build, { recursive: true });
  for (const name of ["public", "db/migrations", "db/functions", "db/seed/legal", "LICENSE"])
    await cp(join(root, name), join(draft, name), {
      recursive: true,
      filter: (path) => !SNAPSHOT.test(path),
    });
  await copyTraced("scripts/drawing/picture-process.mjs");
  await copyFront(join(draft, "nginx"));
  for (const [family, bold] of Object.entries(FONTS)) await copyFonts(family, bold);
  await copyPackageFiles("swagger-ui-dist", ["swagger-ui.css", "swagger-ui-bundle.js"]);
  const about = {
    id,
    commit: readCommit(),
    built_at: new Date().toISOString(),
    browser_files: await addEarlierFiles(),
  };
  await writeFile(join(draft, "release.json"), `${JSON.stringify(about)}\n`);
}

/** Adds the browser files of the releases before this one. Returns the names of each release's own, the newest first. */
async function addEarlierFiles() {
  const own = { release: id, names: await listBrowserFiles(draft) };
  if (!previous) return [own];
  const { folder, browser_files = [{ release: previous.id, names: await listBrowserFiles(folder) }] } =
    previous;
  const earlier = browser_files.slice(0, EARLIER_RELEASES);
  for (const name of earlier.flatMap(({ names }) => names))
    await cp(join(folder, ".next/static", name), join(draft, ".next/static", name), { force: false });
  console.log(`With the browser files of ${earlier.map(({ release }) => release).join(" and ")}.`);
  return [own, ...earlier];
}

/** Without the compressed ones: few browsers ask for files of an earlier release. */
async function listBrowserFiles(release) {
  const entries = await readdir(join(release, ".next/static"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".gz"));
  return files.map(({ parentPath, name }) => relative(join(release, ".next/static"), join(parentPath, name)));
}

/** The commit that is checked out, with -dirty when files differ from it; undefined without a repository. */
function readCommit() {
  const args = ["describe", "--always", "--exclude=*", "--abbrev=40", "--dirty"];
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** The configuration of nginx with its error pages (docs/operations.md#the-front). */
async function copyFront(folder) {
  await cp(join(root, "deploy/nginx"), folder, { recursive: true });
  const args = ["--import", "tsx", "scripts/write-front-files.ts", join(folder, "errors")];
  if ((await run(process.execPath, args, { env: bareEnvironment() })) !== 0) fail("The build failed.");
}

/** Copies a script that is started by its path, with what it imports. */
async function copyTraced(script) {
  const { default: tracer } = await import("next/dist/compiled/@vercel/nft/index.js");
  const { fileList } = await tracer.nodeFileTrace([script], { base: root });
  for (const file of fileList) await cp(join(root, file), join(draft, file), { recursive: true });
}

/** Copies the parts of a family that its list names; the packages have the whole family in one file too. */
async function copyFonts(family, bold) {
  const folder = `node_modules/@fontsource/${family}`;
  const parts = Object.keys(JSON.parse(await readFile(join(root, folder, "unicode.json"), "utf8")));
  const files = parts.flatMap((part) =>
    [400, bold].map((weight) => `files/${family}-${part.replace(/[[\]]/g, "")}-${weight}-normal.woff`),
  );
  for (const name of ["unicode.json", "LICENSE", ...files])
    await cp(join(root, folder, name), join(draft, folder, name));
}

async function copyPackageFiles(name, files) {
  for (const file of ["package.json", ...files])
    await cp(join(root, "node_modules", name, file), join(draft, "node_modules", name, file));
}

/** Bundles the entries with their packages into `compiled`, and the process that writes documents. */
async function compileEntries() {
  const { build } = await import("esbuild");
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const commands = Object.fromEntries(
    Object.entries(scripts)
      .map(([name, script]) => [name, / --run (scripts\/.+\.ts)$/.exec(script)?.[1]])
      .filter(([, file]) => file && !Object.values(ENTRIES).includes(file)),
  );
  const commandFile = (name) => name.replace(":", "-");
  const { metafile } = await build({
    ...BUNDLE,
    entryPoints: {
      ...ENTRIES,
      ...Object.fromEntries(Object.entries(commands).map(([name, file]) => [commandFile(name), file])),
    },
    outdir: join(draft, "compiled"),
    splitting: true,
    metafile: true,
  });
  checkPackages(metafile);
  await build({
    ...BUNDLE,
    entryPoints: ["scripts/drawing/document-jobs.ts"],
    outfile: join(draft, "scripts/drawing/document-process.mjs"),
  });
  for (const name of Object.keys(ENTRIES))
    await writeFile(join(draft, `${name}.js`), entryFile(`"./compiled/${name}.js"`));
  const list = Object.keys(commands).map((name) => [name, `./compiled/${commandFile(name)}.js`]);
  await writeFile(
    join(draft, "command.js"),
    `const commands = ${JSON.stringify(Object.fromEntries(list), null, 2)};
const [name] = process.argv.splice(2, 1);
if (!Object.hasOwn(commands, name ?? "")) {
  console.error(\`node command.js NAME …, where NAME is one of: \${Object.keys(commands).join(", ")}\`);
  process.exit(2);
}
${entryFile("commands[name]")}`,
  );
}

/** Starts a compiled file as if it were the command itself, in the folder of the release. */
function entryFile(file) {
  return `process.env.NODE_ENV = "production";
process.env.APP_MODE ||= "production";
process.env.INIT_CWD ||= process.cwd();
process.chdir(import.meta.dirname);
const compiled = new URL(${file}, import.meta.url);
process.argv[1] = (await import("node:url")).fileURLToPath(compiled);
await import(compiled.href);
`;
}

/** Every package that is not bundled must have been traced. */
function checkPackages({ outputs }) {
  const { resolve } = createRequire(join(draft, "server.js"));
  const external = Object.values(outputs).flatMap(({ imports }) => imports.filter((item) => item.external));
  for (const name of new Set(external.map(({ path }) => path))) if (name !== "pg-native") resolve(name); // pg has a plain driver too
}
