import { type ChildProcess, spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type Variables = Record<string, string | undefined>;
type Output = "inherit" | number;
export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null };
export type ServerProcess = { process: ChildProcess; ended: Promise<ExitStatus>; stop(): Promise<void> };

export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const YOUNG_SPACE = "--max-semi-space-size";

/**
 * Room for what a render leaves behind: objects die there in time, and are not copied from one half to the other. An
 * operator's own NODE_OPTIONS goes before it.
 */
export const serverFlags = (env: Variables): string[] =>
  env.NODE_OPTIONS?.includes(YOUNG_SPACE) ? [] : [`${YOUNG_SPACE}=64`];

const following = new Set<ChildProcess>();

/** Starts Node with TypeScript; the child ends when this process does, even if that is killed. */
function startNode(args: string[], env: Variables, output: Output, detached = false): ChildProcess {
  const preload = ["--import", "tsx", "--import", "./scripts/follow-parent.mjs"];
  const child = spawn(process.execPath, [...preload, ...args], {
    cwd: repositoryRoot,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", output, output, "ipc"],
    detached,
  });
  following.add(child);
  child.once("exit", () => following.delete(child));
  return child;
}

function whenEnded(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((done) => {
    child.once("exit", (code, signal) => done({ code, signal }));
    child.once("error", () => done({ code: 127, signal: null }));
  });
}

/** Runs a script of the tree to its end and returns its exit code; it says itself what is wrong. */
export async function runScript(args: string[], env: Variables): Promise<number> {
  const { code } = await whenEnded(startNode(args, env, "inherit"));
  return code ?? 1;
}

/** Calls one exported function in a process of its own, so that each process reads its configuration once. */
async function callExport(file: string, name: string, args: unknown[], env: Variables, output: Output) {
  const code = `const m = await import(${JSON.stringify(`./${file}`)});
    await m[${JSON.stringify(name)}](...${JSON.stringify(args)});
    process.exit(0);`;
  const ended = await whenEnded(startNode(["--input-type=module", "-e", code], env, output));
  if (ended.code !== 0) throw new Error(`${name} of ${file} failed (${ended.signal ?? ended.code}).`);
}

/** Migrates and, for a demo (`catalog`), imports the catalogue when there is no product yet and makes the demo account. */
export async function prepareDatabase(
  env: Variables,
  { output = "inherit" as Output, catalog = true, account = true } = {},
) {
  await callExport("scripts/migrate.ts", "migrate", [env.DATABASE_URL], env, output);
  if (catalog) {
    await callExport("scripts/import-catalog.ts", "importCatalogWhenEmpty", [], env, output);
    await callExport("scripts/import-posts.ts", "importSeedPosts", [], env, output);
  }
  // Its password is known to everyone: only for a database of our own.
  if (account) await callExport("scripts/demo-account.ts", "createDemoAccount", [], env, output);
}

/**
 * Starts server.ts. `apart` gives it a session of its own, so that Ctrl-C reaches only the one who started it.
 * `stop()` is SIGTERM, ten seconds to drain, then SIGKILL.
 */
export function startServer(
  env: Variables,
  { output = "inherit" as Output, apart = false } = {},
): ServerProcess {
  const child = startNode([...serverFlags(env), "server.ts"], env, output, apart);
  const ended = whenEnded(child);
  const stop = async () => {
    child.kill("SIGTERM");
    const hard = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(hard);
  };
  return { process: child, ended, stop };
}

/** Ends every child at once, for the way out of a step that was interrupted. */
export async function endChildren() {
  for (const child of following) child.kill("SIGTERM");
  await Promise.all([...following].map(whenEnded));
}

/** Waits until the server says it is ready; false when it ended or took longer than `seconds`. */
export async function waitUntilReady(
  address: string,
  server: ServerProcess,
  seconds: number,
): Promise<boolean> {
  let gone = false;
  server.ended.then(() => (gone = true));
  const until = Date.now() + seconds * 1000;
  while (!gone && Date.now() < until) {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    );
    if (answer?.ok && !gone) return true;
    await sleep(150);
  }
  return false;
}
