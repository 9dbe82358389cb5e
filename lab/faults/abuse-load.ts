import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@/scripts/start/server-process";
import { sleep } from "@/tests/setup/shopper";

/** Responses by status. */
export type Statuses = Record<string, number>;

export type Attack = {
  /** Requested in turn. */
  paths: string[];
  connections: number;
  /** The number of address groups that the requests come from, as a declared proxy reports them. 1 by default. */
  addresses?: number;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

const run = promisify(execFile);

/** Loads a server with wrk in one thread. `dir` is a folder for its input. */
export async function runAttack(
  port: number,
  seconds: number,
  dir: string,
  { paths, connections, addresses = 1, method = "GET", headers = {}, body }: Attack,
): Promise<Statuses> {
  mkdirSync(dir, { recursive: true });
  const pathsFile = join(dir, "attack-paths.txt");
  const bodyFile = join(dir, "attack-body.txt");
  writeFileSync(pathsFile, paths.map((path) => `${path}\n`).join(""));
  if (body !== undefined) writeFileSync(bodyFile, body);
  const size = ["-t", "1", "-c", String(connections), "-d", `${seconds}s`, "--timeout", "30s"];
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const script = ["-s", "lab/faults/abuse.lua", `http://127.0.0.1:${port}`, "--"];
  const input = [pathsFile, method, body === undefined ? "-" : bodyFile, String(addresses)];
  const { stdout } = await run("wrk", [...size, ...headerOptions, ...script, ...input], {
    cwd: repositoryRoot,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Statuses;
}

/** Clients that send requests and never read a response. They connect again when the server disconnects them. */
export async function runStalledReaders(
  port: number,
  seconds: number,
  { paths, connections }: Attack,
): Promise<Statuses> {
  const sockets = new Set<Socket>();
  let disconnected = 0;
  let running = true;
  const open = (index: number) => {
    const socket = connect(port, "127.0.0.1").pause();
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      disconnected += 1;
      if (running) open(index);
    });
    const path = paths[index % paths.length];
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nX-Forwarded-For: 198.18.0.1\r\n\r\n`);
  };
  for (let index = 0; index < connections; index++) open(index);
  await sleep(seconds * 1000);
  running = false;
  for (const socket of sockets) socket.destroy();
  return { disconnected };
}
