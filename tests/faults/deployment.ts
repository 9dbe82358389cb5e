import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/scripts/ports";
import { repositoryRoot, serverFlags } from "@/scripts/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { startBalancer } from "./balancer";
import type { MailServer } from "./mail-server";
import { type FaultProxy, openProxy } from "./proxy";

export type Part = {
  name: string;
  kind: "app" | "worker" | "provider";
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it; `variables` and `preload` for this life only. Resolves when it is ready. */
  start(variables?: Record<string, string>, preload?: string): Promise<void>;
  /** How often it ended by itself. */
  deaths(): number;
};

export type Stand = {
  /** The address of the load balancer, which browsers use. */
  address: string;
  balancer: string;
  apps: Part[];
  workers: Part[];
  proxies: { database: FaultProxy; provider: FaultProxy; mail: FaultProxy };
  mail: MailServer;
  /** Acts as the card holder at the provider, or plans faults there. */
  atProvider(path: string, body?: object): Promise<{ status: string } | null>;
  logs: string[];
  environment: Record<string, string>;
  stop(): Promise<void>;
};

type Options = {
  databaseUrl: string;
  dataDir: string;
  logDir: string;
  mail: MailServer;
  /** The full run: a real load balancer, or none at all. */
  real: boolean;
};

/**
 * Two instances and two workers of the production build behind a load balancer; Postgres, the payment provider (over
 * HTTP) and the mail provider are each behind a fault proxy.
 */
export async function openStand({ databaseUrl, dataDir, logDir, mail, real }: Options): Promise<Stand> {
  if (!existsSync(".next/BUILD_ID")) throw new Error("The stand needs a build first: node scripts/build.mjs");
  mkdirSync(logDir, { recursive: true });
  const ports = await distinctPorts(4);
  const [front, first, second, payments] = ports as [number, number, number, number];
  const proxies = {
    database: await openProxy(Number(new URL(databaseUrl).port)),
    provider: await openProxy(payments),
    mail: await openProxy(mail.port),
  };
  const through = new URL(databaseUrl);
  through.port = String(proxies.database.port);
  through.hostname = "127.0.0.1";
  const address = `http://localhost:${front}`;
  const environment: Record<string, string> = {
    ...testEnvironment,
    NODE_ENV: "production",
    DEV: "",
    APP_URL: address,
    DATA_DIR: dataDir,
    DATABASE_URL: through.href,
    DATABASE_POOL: "12",
    PAYMENT_MODE: "test",
    STRIPE_SECRET_KEY: "sk_test_stand",
    STRIPE_PUBLISHABLE_KEY: "pk_test_stand",
    STRIPE_API_BASE: `http://127.0.0.1:${proxies.provider.port}`,
    MAIL_MODE: "resend",
    RESEND_API_KEY: "re_stand",
    RESEND_BASE_URL: `http://127.0.0.1:${proxies.mail.port}`,
    RATE_LIMIT_IP_SCALE: "100000",
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "info",
    WORKER: "off",
  };
  const part = (name: string, kind: Part["kind"], port: number, variables: Record<string, string>) =>
    makePart({ name, kind, port, log: join(logDir, `${name}.log`), env: { ...environment, ...variables } });
  const provider = part("provider", "provider", payments, {
    PAYMENT_MODE: "sandbox",
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: "8",
    PROVIDER_PORT: String(payments),
    PORT: String(front),
  });
  const apps = [first, second].map((port, at) => part(`app${at}`, "app", port, { PORT: String(port) }));
  const workers = [0, 1].map((at) =>
    part(`worker${at}`, "worker", 0, { DATABASE_POOL: "6", PORT: String(front) }),
  );
  const parts = [provider, ...apps, ...workers];
  await Promise.all(parts.map((one) => one.start()));
  const balancer = await startBalancer({ port: front, apps: [first, second], dir: logDir, real });
  await until(`${address}/readyz`, 120);
  return {
    address,
    balancer: balancer.name,
    apps,
    workers,
    proxies,
    mail,
    environment,
    logs: [...parts.map(({ name }) => name), "one-sale", "rotation"].map((name) =>
      join(logDir, `${name}.log`),
    ),
    async atProvider(path, body = {}) {
      const response = await fetch(`http://127.0.0.1:${payments}/control/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      return (await response.json()) as { status: string } | null;
    },
    async stop() {
      await Promise.all(parts.map((one) => one.kill()));
      await balancer.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    },
  };
}

async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

const SCRIPT = { app: "server.ts", worker: "scripts/work.ts", provider: "tests/faults/provider.ts" };

type Made = {
  name: string;
  kind: Part["kind"];
  port: number;
  log: string;
  env: Record<string, string>;
};

/** A process that is restarted when it ends by itself, as under a supervisor; a killed one is started by the trial. */
function makePart({ name, kind, port, log, env }: Made): Part {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let again: NodeJS.Timeout | undefined;
  let deaths = 0;
  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start: Part["start"] = async (variables = {}, preload) => {
    const output = openSync(log, "a");
    const imports = ["tsx", "./scripts/follow-parent.mjs", ...(preload ? [preload] : [])];
    const started = spawn(
      process.execPath,
      [
        ...imports.flatMap((path) => ["--import", path]),
        ...(kind === "app" ? serverFlags(process.env) : []),
        SCRIPT[kind],
      ],
      {
        cwd: repositoryRoot,
        env: { ...process.env, ...env, ...variables } as NodeJS.ProcessEnv,
        stdio: ["ignore", output, output, "ipc"],
      },
    );
    child = started;
    closeSync(output);
    ended = new Promise<void>((done) => started.once("exit", () => done()));
    started.once("exit", () => {
      if (child !== started) return;
      deaths++;
      again = setTimeout(() => void start(variables, preload).catch(() => {}), 500);
    });
    if (kind === "app") await until(`http://127.0.0.1:${port}/readyz`, 300, running);
    if (kind === "provider") await until(`http://127.0.0.1:${port}/up`, 300, running);
  };
  return {
    name,
    kind,
    start,
    deaths: () => deaths,
    async kill() {
      clearTimeout(again);
      const victim = child;
      child = undefined;
      victim?.kill("SIGKILL");
      await ended;
    },
  };
}

async function until(address: string, seconds: number, running = () => true): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end && running(); await sleep(50)) {
    const response = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (response?.ok) return;
  }
  if (running()) throw new Error(`${address} does not get ready within ${seconds} s.`);
}

/** Where a run keeps its database and logs. */
export const standDir = (name: string) => resolve(repositoryRoot, ".data", name);
