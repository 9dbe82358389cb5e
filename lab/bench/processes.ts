import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NEXT_VARIABLES, nextCommand, repositoryRoot } from "@/scripts/start/server-process";

export type StartedProcess = { process: ChildProcess; port: number; stop(): Promise<void> };

type StartOptions = {
  /** The script that Node runs, a file of this repository. Without it, `next start` serves the build in `cwd`. */
  script?: string;
  port?: number;
  env?: Record<string, string>;
  log: string;
  cwd?: string;
};

/** Starts a script or `next start` in a child process that ends with this one. */
export function startProcess({
  script,
  port = 0,
  env = {},
  log,
  cwd = repositoryRoot,
}: StartOptions): StartedProcess {
  const output = openSync(log, "a");
  // Like `npm start`, runs Next without tsx, whose hooks would resolve each import() of a request in another thread.
  const follow = resolve(repositoryRoot, "scripts/start/follow-parent.mjs");
  const imports = [...(script ? ["tsx"] : []), follow].flatMap((module) => ["--import", module]);
  const command = script
    ? [resolve(repositoryRoot, script)]
    : nextCommand({ ...process.env, ...env, PORT: String(port) });
  const child = spawn(process.execPath, [...imports, ...nodeFlags(env), ...command], {
    cwd,
    env: {
      ...process.env,
      TSX_TSCONFIG_PATH: resolve(repositoryRoot, "tsconfig.json"),
      ...env,
      ...(!script && NEXT_VARIABLES),
      PORT: String(port),
    },
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    process: child,
    port,
    async stop() {
      child.kill("SIGTERM");
      const killTimer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exited;
      clearTimeout(killTimer);
    },
  };
}

/** `BENCH_PROFILE=folder npm run bench` writes a CPU profile of each process. */
const nodeFlags = (env: Record<string, string>) => {
  const folder = env.BENCH_PROFILE ?? process.env.BENCH_PROFILE;
  return folder ? ["--cpu-prof", `--cpu-prof-dir=${resolve(repositoryRoot, folder)}`] : [];
};

/** Waits until a URL responds with a 2xx status. */
export async function waitUntilReady(url: string, child: StartedProcess, seconds = 90): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) {
    if (child.process.exitCode !== null) throw new Error(`${url}: the server exited.`);
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`${url} is not ready after ${seconds} s.`);
}

/** The next message of a process. */
export const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("a bench process exited"));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });

/** The processes that a process has started. */
function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Like `cpuMicros`, with the process's children, which are the workers of nginx. */
export const familyMicros = (pid: number | undefined): number =>
  [pid, ...childrenOf(pid)].reduce<number>((sum, each) => sum + cpuMicros(each), 0);

/** CPU time of a process with all its threads in microseconds (Linux counts in 10 ms); NaN without /proc. */
export function cpuMicros(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}
