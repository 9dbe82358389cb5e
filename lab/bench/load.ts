import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repositoryRoot } from "@/scripts/start/server-process";
import { clientAddress } from "@/tests/setup/client-address";

export type Load = {
  port: number;
  /** Requested in turn. */
  paths: string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
};
export type LoadResult = {
  requests: number;
  /** Broken connections, timeouts and responses with a status of 400 or more. */
  failures: number;
  seconds: number;
  p50Ms: number;
};

const run = promisify(execFile);

/** Throws when wrk, the load generator, is not installed. */
export async function checkWrk(): Promise<void> {
  const { code } = (await run("wrk", ["-v"]).catch((error: unknown) => error)) as { code?: unknown };
  if (code === "ENOENT") throw new Error("The bench needs wrk: apt-get install wrk, or brew install wrk.");
}

/**
 * Loads a server with wrk in one thread, over keep-alive connections with one request in flight each. The requests come
 * from 1,000 addresses in turn (TRUSTED_PROXIES=1).
 */
export async function loadWithWrk({ port, paths, headers, connections, seconds }: Load): Promise<LoadResult> {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const size = ["-t", "1", "-c", String(connections), "-d", `${seconds}s`];
  const script = ["-s", "lab/bench/wrk.lua", `http://localhost:${port}`, "--", ...paths];
  const { stdout } = await run("wrk", [...size, ...headerOptions, ...script], { cwd: repositoryRoot });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as LoadResult;
}

/** Requests each path once, each from another address, over a limited number of connections. Returns the time of each response in milliseconds. */
export async function requestEach({
  port,
  paths,
  headers,
  connections,
}: Omit<Load, "seconds">): Promise<number[]> {
  const remaining = paths.values();
  const times: number[] = [];
  const requestInTurn = async () => {
    for (const path of remaining) {
      const startedAt = performance.now();
      const response = await fetch(`http://localhost:${port}${path}`, {
        headers: { ...headers, "x-forwarded-for": clientAddress() },
        redirect: "manual",
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} responded ${response.status}.`);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, requestInTurn));
  return times;
}
