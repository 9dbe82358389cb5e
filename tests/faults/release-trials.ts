import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
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
import { findBrowser } from "@/scripts/browser.mjs";
import { freePort } from "@/scripts/ports";
import { repositoryRoot } from "@/scripts/server-process";
import { waitUntilInteractive } from "@/tests/e2e/fixtures";
import { clientAddress } from "@/tests/setup/client-address";
import { testEnvironment } from "@/tests/setup/environment";
import { startBalancer } from "./balancer";
import { sleep } from "./shopper";
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
 * Two releases behind one balancer, as during a rollout: every page gets its scripts. The second is built while the first
 * one serves. As root, all run as nobody, who can write nothing but the shared folder of static files.
 */
export const twoReleases = ({ databaseUrl, dataDir, seed, loads }: Options): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Pages of two releases behind one balancer get their scripts",
      trial:
        "a page loaded in a new browser context, and a link followed, from two instances of two releases",
      seed,
    },
    async (result) => {
      const published = createFolder(join(dataDir, "static"));
      const journal = createFolder(join(dataDir, "journal"));
      const start = (release: Release, variables: Record<string, string>) =>
        startInstance(release, {
          databaseUrl,
          dataDir,
          variables: { ASSIGNMENT_JOURNAL_DIR: journal, ...variables },
        });
      const stops: (() => Promise<unknown>)[] = [];
      try {
        const first = await buildRelease("trial-first");
        const size = sizeInMegabytes(first.folder);
        if (size > MAX_RELEASE_MB)
          result.violations.push(`a release has ${size} MB, more than ${MAX_RELEASE_MB}`);
        await runEntry(first, "migrate.js", { databaseUrl, dataDir });
        const old = await start(first, { STATIC_FILES_DIR: published });
        stops.push(old.stop);
        const probing = probeUntilStopped(old.address);
        const second = await buildRelease("trial-second", "second");
        const { answers, failures } = await probing.stop();
        if (answers === 0 || failures.length > 0)
          result.violations.push(`while another release was built: ${failures[0] ?? "no answer"}`);
        const current = await start(second, { STATIC_FILES_DIR: published });
        stops.push(current.stop);
        const together = await loadPages([old, current], join(dataDir, "balancer"), loads);
        result.trials = loads;
        result.violations.push(...together.missing, ...together.dead);

        const alone = [await start(first, {}), await start(second, {})];
        stops.push(...alone.map(({ stop }) => stop));
        const broken = await loadPages(alone, join(dataDir, "balancer-broken"), Math.min(loads, 6));
        if (broken.missing.length === 0)
          result.violations.push("without the shared folder no page misses a script");
        result.brokenVariant =
          `without the shared folder ${broken.missing.length} scripts were missing in ${Math.min(loads, 6)} loads: detected; ` +
          `${answers} answers of the first release while the second was built`;
        await expectCleanEnds([old, current, ...alone], result);
        stops.length = 0;
      } finally {
        await Promise.all(stops.map((stop) => stop()));
        for (const id of ["trial-first", "trial-second"]) removeRelease(id);
      }
    },
  );

export const removeRelease = (id: string) =>
  rmSync(join(repositoryRoot, "releases", id), { recursive: true, force: true });

export function createFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  return path;
}

export async function buildRelease(id: string, salt?: string): Promise<Release> {
  removeRelease(id);
  const args = ["scripts/release.mjs", `--id=${id}`, ...(salt ? [`--salt=${salt}`] : [])];
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

/** Loads pages through a balancer. `missing`: scripts and styles that did not arrive; `dead`: pages that stay inert. */
async function loadPages(instances: Instance[], dir: string, loads: number) {
  const port = await freePort();
  const balancer = await startBalancer({
    port,
    apps: instances.map((app) => app.port),
    dir,
    required: false,
  });
  return loadPagesAt(`http://localhost:${port}`, loads).finally(() => balancer.stop());
}

/** Loads pages at an address, each in a new browser context. */
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
  // Each load comes from an address of its own, where proxies are trusted, so that they do not share a limit.
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
