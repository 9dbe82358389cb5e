import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { OPENAPI_TYPE } from "@/lib/platform/api/openapi-files";
import { freePort } from "@/scripts/start/ports";
import { repositoryRoot } from "@/scripts/start/server-process";
import { findBrowser } from "@/scripts/test/browser.mjs";
import { waitUntilInteractive } from "@/tests/e2e/fixtures";
import { clientAddress } from "@/tests/setup/client-address";
import { testEnvironment } from "@/tests/setup/environment";
import { sleep } from "@/tests/setup/shopper";
import { startBalancer } from "./balancer";
import { runTrial, type TrialResult } from "./table";

type Options = { databaseUrl: string; dataDir: string; seed: number; loads: number };
export type Release = { id: string; folder: string };
export type ReleaseProcess = {
  log: string;
  ended: Promise<number | null>;
  stop(): Promise<number | null>;
  kill(): void;
};
export type Instance = ReleaseProcess & { port: number; address: string };

const NOBODY = 65534;
const READY_MS = 60_000;
/** What an image of less than 300 MB leaves to a release beside Debian slim (75 MB) and the stripped binary of Node 24 (112 MB). */
const MAX_RELEASE_MB = 113;
const PAGES = ["/", "/login", "/categories", "/help", "/zh", "/ja/help", "/search"];

/**
 * Two releases that share nothing, each in its own folder away from the sources, behind one balancer as during a
 * rollout, and the newer one alone after it: every page gets its scripts. The second is built while the first one
 * serves. As root, all run as nobody, who can write nothing but the journal.
 */
export const twoReleases = ({ databaseUrl, dataDir, seed, loads }: Options): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Pages of two releases that share no folder get their scripts",
      trial:
        "a page loaded in a new browser context, and a link followed, from two instances of two releases, then with the newer one's files alone",
      seed,
    },
    async (result) => {
      const journal = createFolder(join(dataDir, "journal"));
      const start = (release: Release) =>
        startInstance(release, { databaseUrl, dataDir, variables: { ASSIGNMENT_JOURNAL_DIR: journal } });
      const stops: (() => Promise<unknown>)[] = [];
      try {
        const first = await moveAway(await buildRelease("trial-first", { previous: "" }), dataDir);
        const size = sizeInMegabytes(first.folder);
        if (size > MAX_RELEASE_MB)
          result.violations.push(`a release has ${size} MB, more than ${MAX_RELEASE_MB}`);
        await runEntry(first, "migrate.js", { databaseUrl, dataDir });
        const old = await start(first);
        stops.push(old.stop);
        result.violations.push(...(await findWrongAnswers(old.address)));
        const probing = probeUntilStopped(old.address);
        const second = await moveAway(
          await buildRelease("trial-second", { previous: first.folder, salt: "second" }),
          dataDir,
        );
        const { answers, failures } = await probing.stop();
        if (answers === 0 || failures.length > 0)
          result.violations.push(`while another release was built: ${failures[0] ?? "no answer"}`);
        const current = await start(second);
        stops.push(current.stop);
        const load = async (name: string, count: number, pages: Instance[], files = pages) => {
          const port = await freePort();
          const [apps, fileApps] = [pages, files].map((instances) => instances.map((app) => app.port));
          const dir = join(dataDir, name);
          const balancer = await startBalancer({ port, apps: apps!, files: fileApps, dir, required: true });
          return loadPagesAt(`http://localhost:${port}`, count).finally(() => balancer.stop());
        };
        const together = await load("together", loads, [old, current]);
        const afterwards = await load("afterwards", loads, [old], [current]);
        result.trials = 2 * loads;
        for (const { missing, dead } of [together, afterwards]) result.violations.push(...missing, ...dead);
        const few = Math.min(loads, 6);
        const broken = await load("broken", few, [current], [old]);
        if (broken.missing.length === 0)
          result.violations.push("with the files of the older release alone no page misses a script");
        result.brokenVariant =
          `with the older release's files alone ${broken.missing.length} scripts were missing in ${few} loads: detected; ` +
          `${answers} answers of the first release while the second was built; a release has ${size} MB, ` +
          `the second, with the browser files of the first, ${sizeInMegabytes(second.folder)} MB`;
        await expectCleanEnds([old, current], result);
        stops.length = 0;
      } finally {
        await Promise.all(stops.map((stop) => stop()));
        for (const id of ["trial-first", "trial-second"]) removeRelease(id);
      }
    },
  );

/** Moves a release out of the source tree. */
async function moveAway({ id, folder }: Release, dataDir: string): Promise<Release> {
  const moved = { id, folder: join(dataDir, id) };
  cpSync(folder, moved.folder, { recursive: true, verbatimSymlinks: true });
  removeRelease(id);
  return moved;
}

/** Returns the pages, pictures, documents and calls of a release that respond incorrectly to a guest or a buyer. */
async function findWrongAnswers(address: string): Promise<string[]> {
  const product = await createProduct({ plans: [{ keys: 1 }] });
  const buyer = await createSignedInUser();
  const order = await createOrder(buyer, product.plans[0]!.id, { status: "completed" });
  const html = "text/html; charset=utf-8";
  const expected: [path: string, status: number, type: string][] = [
    ["/", 200, html],
    [`/product/${product.slug}`, 200, html],
    ["/product/of-nobody", 404, html],
    ["/zh/login", 200, html],
    ["/console", 404, html],
    [`/share-image/ja/product/${product.slug}`, 200, "image/png"],
    ["/terms-of-service", 200, html],
    ["/apple-icon.png", 200, "image/png"],
    ["/api/v1/product/list", 200, "application/json"],
    ["/api/v1/openapi.json", 200, OPENAPI_TYPE],
    ["/api/v1/docs/swagger-ui.css", 200, "text/css"],
    [`/api/v1/order/invoice?order_id=${order.id}`, 200, "application/pdf"],
  ];
  const wrong: string[] = [];
  for (const [path, status, type] of expected) {
    const response = await fetch(address + path, { headers: { authorization: buyer.bearer } });
    const found = response.headers.get("content-type") ?? "none";
    if (response.status !== status || !found.startsWith(type))
      wrong.push(`${path} answered ${response.status} with ${found}`);
    if (type === html && !response.headers.get("content-security-policy")?.includes("script-src 'self'"))
      wrong.push(`${path} has no strict policy`);
    await response.arrayBuffer();
  }
  return wrong;
}

export const removeRelease = (id: string) =>
  rmSync(join(repositoryRoot, "releases", id), { recursive: true, force: true });

export function createFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  return path;
}

/** `previous`: the folder of the release before it, whose browser files it takes over; empty: none. */
export async function buildRelease(
  id: string,
  { previous, salt }: { previous: string; salt?: string },
): Promise<Release> {
  removeRelease(id);
  const args = ["scripts/release.mjs", `--id=${id}`, `--previous=${previous}`];
  if (salt) args.push(`--salt=${salt}`);
  const { code, output } = await runNode(args, { cwd: repositoryRoot, env: process.env });
  if (code !== 0) throw new Error(`The release ${id} was not built: ${output.slice(-2000)}`);
  return { id, folder: join(repositoryRoot, "releases", id) };
}

/** The size of all files of a folder. A file that symbolic links lead to counts once. */
function sizeInMegabytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const paths = new Set(names.map((name) => realpathSync(join(folder, name))));
  const files = [...paths].map((path) => lstatSync(path)).filter((found) => found.isFile());
  return Math.round(files.reduce((sum, { size }) => sum + size, 0) / 1e6);
}

function runNode(args: string[], options: Parameters<typeof spawn>[2]) {
  return new Promise<{ code: number | null; output: string }>((done, fail) => {
    let output = "";
    const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.once("error", fail).once("close", (code) => done({ code, output }));
  });
}

/** How an entry of a release is started: `variables` add to those of tests and replace them. */
export type Start = { databaseUrl: string; dataDir: string; variables?: Record<string, string> };

/** Nothing of this process but PATH: a release has its own configuration. As root, nobody, if nobody may enter the folder. */
function processOptions({ folder }: Release, { databaseUrl, dataDir, variables = {} }: Start) {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    ...testEnvironment,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: "6",
    DATA_DIR: dataDir,
    LOG_LEVEL: "info",
    ...variables,
  } as unknown as NodeJS.ProcessEnv;
  const nobody = { uid: NOBODY, gid: NOBODY };
  const canEnter =
    process.getuid?.() === 0 && spawnSync("ls", [folder], { ...nobody, stdio: "ignore" }).status === 0;
  return { cwd: "/", env, ...(canEnter && nobody) };
}

export async function runEntry(release: Release, entry: string, start: Start): Promise<void> {
  const { code, output } = await runNode([join(release.folder, entry)], processOptions(release, start));
  if (code !== 0) throw new Error(`${entry} of ${release.id} failed: ${output}`);
}

/** Starts an entry of a release, whose output goes to a log in `dataDir`. */
export function startEntry(release: Release, entry: string, name: string, start: Start): ReleaseProcess {
  const log = join(start.dataDir, `${release.id}-${name}.log`);
  const output = openSync(log, "a");
  const child: ChildProcess = spawn(process.execPath, [join(release.folder, entry)], {
    ...processOptions(release, start),
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  return {
    log,
    ended,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Starts an instance at a port, a free one by default. Resolves when it is ready. */
export async function startInstance(release: Release, start: Start, givenPort?: number): Promise<Instance> {
  const port = givenPort ?? (await freePort());
  const address = `http://localhost:${port}`;
  const variables = { PORT: String(port), APP_URL: address, ...start.variables };
  const instance = startEntry(release, "server.js", String(port), { ...start, variables });
  let hasEnded = false;
  void instance.ended.then(() => {
    hasEnded = true;
  });
  const isReady = async () =>
    (await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined))?.ok;
  for (const end = Date.now() + READY_MS; !(await isReady()); await sleep(100))
    if (Date.now() > end || hasEnded) {
      instance.kill();
      throw new Error(`${release.id} is not ready: ${readFileSync(instance.log, "utf8").slice(-1500)}`);
    }
  return { ...instance, port, address };
}

/** Asks for a page and for a file that no release has, again and again. */
function probeUntilStopped(address: string) {
  let isStopped = false;
  const failures: string[] = [];
  let answers = 0;
  const asking = (async () => {
    for (; !isStopped; await sleep(100))
      for (const [path, status] of [
        ["/login", 200],
        ["/_next/static/chunks/of-no-release.js", 404],
      ] as const) {
        const response = await fetch(address + path).catch((error: Error) => error);
        const found = response instanceof Error ? response.message : response.status;
        if (found === status) answers++;
        else failures.push(`${path}: ${found}`);
      }
  })();
  return {
    async stop() {
      isStopped = true;
      await asking;
      return { answers, failures };
    },
  };
}

/** Loads pages, each in a new browser context. `missing`: scripts and styles that did not arrive; `dead`: pages that stay inert. */
export async function loadPagesAt(address: string, loads: number) {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ["--disable-gpu", ...sandbox],
  });
  const missing: string[] = [];
  const dead: string[] = [];
  try {
    for (let n = 0; n < loads; n++) {
      const path = PAGES[n % PAGES.length]!;
      const failed = await loadPage(browser, address + path);
      missing.push(...failed.missing.map((file) => `${path} misses ${file}`));
      if (failed.dead) dead.push(`${path} stays inert: ${failed.dead}`);
    }
  } finally {
    await browser.close();
  }
  return { missing, dead };
}

async function loadPage(browser: Browser, address: string): Promise<{ missing: string[]; dead?: string }> {
  // Each load comes from its own address, where proxies are trusted, so that they do not share a limit.
  const context = await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": clientAddress() } });
  // Under tsx, functions that run in the page call this helper, which keeps their names.
  await context.addInitScript("globalThis.__name = (value) => value");
  const missing: string[] = [];
  context.on("response", (response) => {
    if (response.url().includes("/_next/static/") && response.status() >= 400)
      missing.push(`${response.url()} (${response.status()})`);
  });
  const page = await context.newPage();
  try {
    const response = await page.goto(address, { waitUntil: "load" });
    if (!response?.ok()) return { missing, dead: `answered with ${response?.status()}` };
    if (missing.length > 0) return { missing };
    await waitUntilInteractive(page);
    await followLink(page);
    return { missing };
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : String(error);
    return { missing, dead: `${message} At ${page.url()}: ${await describeInert(page)}` };
  } finally {
    await context.close();
  }
}

/** The controls that React has not hydrated, or else the text of the page. */
const describeInert = (page: Page): Promise<string> =>
  page
    .evaluate(() => {
      const controls = [...document.querySelectorAll("main :is(button, input, select, form, a[href^='/'])")];
      const inert = controls.filter((node) => !Object.keys(node).some((key) => key.startsWith("__react")));
      const text = inert.map((node) => node.outerHTML.slice(0, 80)).join(" ") || document.body?.textContent;
      return `${document.readyState}, ${inert.length} of ${controls.length} controls inert: ${text?.slice(0, 300)}`;
    })
    .catch(String);

/** A click that may reach the other release, which Next answers by loading the whole page. */
async function followLink(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  const link = page.locator("footer a[href$='/privacy-policy']").first();
  await link.click();
  await page.waitForURL((url) => url.pathname !== pathname && url.pathname.endsWith("/privacy-policy"));
  await waitUntilInteractive(page);
}

/** SIGTERM ends each instance in order, and none has logged an exception. */
async function expectCleanEnds(instances: Instance[], result: TrialResult): Promise<void> {
  for (const { stop, log } of instances) {
    const code = await stop();
    if (code !== 0) result.violations.push(`an instance ended with ${code}`);
    const errors = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => /exception|rejection|EROFS|EACCES/i.test(line));
    result.violations.push(...errors.slice(0, 3));
  }
}
