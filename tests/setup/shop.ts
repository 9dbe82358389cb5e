import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../scripts/start/ports";
import { type ServerProcess, startServer, waitUntilReady } from "../../scripts/start/server-process";
import { testEnvironment } from "./environment";

export type TestServer = {
  /** The address that clients use: nginx' with `front`, the server's own otherwise. */
  address: string;
  /** The server behind the front, or the same address. */
  inside: string;
  /** Starts the server again after it ended; resolves when it is ready and its worker runs. */
  start(): Promise<void>;
  /** `kill -9`; resolves to the signal that ended the process. */
  kill(): Promise<string | null | undefined>;
  stop(): Promise<void>;
};

type ShopOptions = {
  databaseUrl: string;
  dataDir: string;
  /** The log file; it is appended to, so that one file holds several starts. */
  log: string;
  variables?: Record<string, string>;
  /** Starts nginx in front, which trusts the addresses of the test clients; with variables for nginx. */
  front?: { variables?: Record<string, string> };
};

/** The real server with its worker, from the production build, on a free port: for journeys and faults. */
export async function startTestServer({
  databaseUrl,
  dataDir,
  log,
  variables,
  front,
}: ShopOptions): Promise<TestServer> {
  if (!existsSync(".next/BUILD_ID")) throw new Error("The server needs a build first: npx next build");
  const port = await freePort();
  const inside = `http://localhost:${port}`;
  const frontPort = front ? await freePort() : port;
  const address = `http://localhost:${frontPort}`;
  mkdirSync(dirname(log), { recursive: true });
  const env = {
    ...process.env,
    ...testEnvironment,
    NODE_ENV: "production",
    DEV: "", // set by vitest
    PORT: String(port),
    APP_URL: address,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: "1", // test clients have their own addresses (client-address.ts)
    WORKER: "beside",
    LOG_LEVEL: "info",
    ...variables,
  };
  let server: ServerProcess | undefined;
  const start = async () => {
    const output = openSync(log, "a");
    const from = statSync(log).size;
    const started = startServer(env, { output });
    server = started;
    closeSync(output);
    if ((await waitUntilReady(inside, started, 300)) && (await waitForWorker(log, from, 180))) return;
    await started.stop();
    throw new Error(`The server does not get ready: see ${log}.`);
  };
  await start();
  const nginx =
    front &&
    // The journeys' loader of modules, which has none for JSON, does not read it.
    (await (
      await import("../../scripts/start/front")
    ).startFront({
      dir: join(dataDir, `front-${frontPort}`),
      port: frontPort,
      shop: [port],
      realAddresses: true,
      variables: front.variables,
    }));
  return {
    address,
    inside,
    start,
    async kill() {
      server?.process.kill("SIGKILL");
      return (await server?.ended)?.signal;
    },
    async stop() {
      await nginx?.stop();
      await server?.stop();
    },
  };
}

/** Waits until the worker of this start runs jobs; false after `seconds`. */
async function waitForWorker(log: string, from: number, seconds: number): Promise<boolean> {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(50))
    if (readFileSync(log).subarray(from).includes('"msg":"worker started"')) return true;
  return false;
}
