import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SHUTDOWN_NOTICE } from "@/lib/platform/env";
import { recordServing } from "./serving.mjs";

export type Variables = Record<string, string | undefined>;
type Output = "inherit" | number;
export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null };
export type ServerProcess = {
  process: ChildProcess;
  ended: Promise<ExitStatus>;
  stop(signal?: "SIGTERM" | "SIGINT"): Promise<void>;
};

export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const YOUNG_GENERATION_FLAG = "--max-semi-space-size";

/**
 * Enlarges V8's young generation, so that most objects of a render are garbage before they would be copied. An
 * operator's NODE_OPTIONS takes precedence.
 */
export const serverFlags = (env: Variables): string[] =>
  env.NODE_OPTIONS?.includes(YOUNG_GENERATION_FLAG) ? [] : [`${YOUNG_GENERATION_FLAG}=64`];

const children = new Set<ChildProcess>();

const TYPESCRIPT = ["--import", "tsx"];
/** The child ends when this process ends, even if it is killed. */
const FOLLOW = ["--import", "./scripts/start/follow-parent.mjs"];

/** Starts Node with TypeScript and as a child that follows this process, or only with `preload`. */
function startNode(
  args: string[],
  env: Variables,
  output: Output,
  { detached = false, preload = [...TYPESCRIPT, ...FOLLOW] } = {},
): ChildProcess {
  const child = spawn(process.execPath, [...preload, ...args], {
    cwd: repositoryRoot,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", output, output, "ipc"],
    detached,
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

function whenEnded(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: 127, signal: null }));
  });
}

/** Runs a script of this repository to its end and returns its exit code. The script prints its own errors. */
export async function runScript(args: string[], env: Variables): Promise<number> {
  const { code } = await whenEnded(startNode(args, env, "inherit"));
  return code ?? 1;
}

type ExportedCall = [file: string, name: string, ...args: unknown[]];

/**
 * Calls exported functions, one after the other, in a separate process: each process reads its configuration once, and takes
 * seconds to start.
 */
async function callExports(calls: ExportedCall[], env: Variables, output: Output) {
  const code = `for (const [file, name, ...args] of ${JSON.stringify(calls)}) {
      const module = await import("./" + file);
      await module[name](...args);
    }
    process.exit(0);`;
  const ended = await whenEnded(startNode(["--input-type=module", "-e", code], env, output));
  const names = calls.map(([file, name]) => `${name} of ${file}`).join(", ");
  if (ended.code !== 0) throw new Error(`One of these failed (${ended.signal ?? ended.code}): ${names}.`);
}

/**
 * Migrates and, for a demo (`catalog`), imports the catalogue when there is no product yet and creates the demo
 * account; with `history` also the demo's orders and reviews.
 */
export async function prepareDatabase(
  env: Variables,
  { output = "inherit" as Output, catalog = true, account = true, history = false } = {},
) {
  const url = env.DATABASE_DIRECT_URL || env.DATABASE_URL;
  const calls: ExportedCall[] = [["scripts/migrate.ts", "migrate", url]];
  if (catalog) {
    calls.push(["scripts/import-catalog.ts", "importCatalogWhenEmpty"]);
    calls.push(["scripts/import-posts.ts", "importSeedPosts"]);
  }
  // Only in the embedded database, because the password of the demo account is public.
  if (account) calls.push(["scripts/start/demo-account.ts", "createDemoAccount"]);
  if (account && history) calls.push(["scripts/start/demo-data.ts", "createDemoData"]);
  await callExports(calls, env, output);
}

/** Signals are handled by the shop (lib/platform/start-serving.ts). */
export const NEXT_VARIABLES = { NEXT_MANUAL_SIG_HANDLE: "true", NEXT_TELEMETRY_DISABLED: "1" };

/** What Node runs for `next start` or, with DEV, `next dev`. */
export const nextCommand = (env: Variables): string[] => [
  ...serverFlags(env),
  join(repositoryRoot, "node_modules", "next", "dist", "bin", "next"),
  env.DEV ? "dev" : "start",
  ...["-p", env.PORT || "3000"],
  // Longer than proxies keep connections open, because a proxy could otherwise send a write on a connection that is
  // closing.
  ...(env.DEV ? [] : ["--keepAliveTimeout", "75000"]),
];

const DRAIN_MS = 10_000;

const noticeSeconds = ({ SHUTDOWN_NOTICE_SECONDS: seconds, APP_MODE: mode }: Variables): number =>
  Number(seconds || SHUTDOWN_NOTICE[mode === "production" ? "production" : "demo"]);

/**
 * Starts Next and, unless WORKER is off, the worker: when one ends, so does the other. `detached` starts them in a
 * separate session, so that Ctrl-C stops only the parent. `stop()` sends a signal, waits for the notice of a SIGTERM
 * and ten seconds of draining, then sends SIGKILL.
 */
export function startServer(
  env: Variables,
  { output = "inherit" as Output, detached = false } = {},
): ServerProcess {
  // `next dev` starts its own child with the same preloads, which would follow it before it begins.
  const preload = env.DEV ? [] : FOLLOW;
  const child = startNode(nextCommand(env), { ...env, ...NEXT_VARIABLES }, output, { detached, preload });
  const ended = whenEnded(child);
  if (env.WORKER !== "off") {
    // Each process on a machine needs its own port for its metrics.
    const METRICS_PORT = env.METRICS_PORT && String(Number(env.METRICS_PORT) + 1);
    const worker = startNode(["scripts/work.ts"], { ...env, METRICS_PORT }, output, { detached });
    void whenEnded(worker).then(() => child.kill("SIGTERM"));
    void ended.then(() => worker.kill("SIGTERM"));
  }
  if (!env.DEV && child.pid) {
    const address = `http://localhost:${env.PORT || 3000}`;
    void ended.then(recordServing(join(repositoryRoot, ".next"), { pid: child.pid, address }));
  }
  const stop = async (signal: "SIGTERM" | "SIGINT" = "SIGTERM") => {
    child.kill(signal);
    const killTimer = setTimeout(() => child.kill("SIGKILL"), DRAIN_MS + 1_000 * noticeSeconds(env));
    await ended;
    clearTimeout(killTimer);
  };
  return { process: child, ended, stop };
}

/** Ends all children, after an interruption. */
export async function endChildren() {
  for (const child of children) child.kill("SIGTERM");
  await Promise.all([...children].map(whenEnded));
}

/** Waits until the server is ready. Resolves with false if it ends or takes longer than `seconds`. */
export async function waitUntilReady(
  address: string,
  server: ServerProcess,
  seconds: number,
): Promise<boolean> {
  let hasEnded = false;
  server.ended.then(() => (hasEnded = true));
  const deadline = Date.now() + seconds * 1000;
  while (!hasEnded && Date.now() < deadline) {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    );
    if (response?.ok && !hasEnded) return true;
    await sleep(150);
  }
  return false;
}
