import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/scripts/start/ports";
import { NEXT_VARIABLES, nextCommand, repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { type FaultProxy, openProxy } from "@/tests/setup/proxy";
import { startBalancer } from "./balancer";
import type { MailServer } from "./mail-server";

export type ManagedProcess = {
  name: string;
  kind: "app" | "worker" | "provider";
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it with additional variables and a preload, until the next start. Resolves when it is ready. */
  start(variables?: Record<string, string>, preload?: string): Promise<void>;
  /** How often it ended without `kill`. */
  unexpectedExits(): number;
};

export type Deployment = {
  /** The address of the load balancer, which browsers use. */
  address: string;
  balancer: string;
  apps: ManagedProcess[];
  workers: ManagedProcess[];
  proxies: { database: FaultProxy; provider: FaultProxy; mail: FaultProxy };
  mail: MailServer;
  /** Calls the control API of the provider: confirms a payment as the card holder, or plans faults. */
  callProvider(path: string, body?: object): Promise<{ status: string } | null>;
  logs: string[];
  environment: Record<string, string>;
  stop(): Promise<void>;
};

type Options = {
  databaseUrl: string;
  dataDir: string;
  logDir: string;
  mail: MailServer;
  /** Throws without haproxy and nginx instead of using the built-in proxy. */
  requireBalancer: boolean;
};

/**
 * Two instances and two workers of the production build behind a load balancer; Postgres, the payment provider (over
 * HTTP) and the mail provider are each behind a fault proxy.
 */
export async function startDeployment({
  databaseUrl,
  dataDir,
  logDir,
  mail,
  requireBalancer,
}: Options): Promise<Deployment> {
  if (!existsSync(".next/BUILD_ID")) throw new Error("The fault tests need a build: node scripts/build.mjs");
  mkdirSync(logDir, { recursive: true });
  const ports = await distinctPorts(4);
  const [front, first, second, payments] = ports as [number, number, number, number];
  const proxies = {
    database: await openProxy(Number(new URL(databaseUrl).port)),
    provider: await openProxy(payments),
    mail: await openProxy(mail.port),
  };
  const proxiedUrl = new URL(databaseUrl);
  proxiedUrl.port = String(proxies.database.port);
  proxiedUrl.hostname = "127.0.0.1";
  const address = `http://localhost:${front}`;
  const environment: Record<string, string> = {
    ...testEnvironment,
    NODE_ENV: "production",
    DEV: "",
    APP_URL: address,
    DATA_DIR: dataDir,
    DATABASE_URL: proxiedUrl.href,
    DATABASE_POOL: "12",
    ...providerVariables({ payments: proxies.provider.port, mail: proxies.mail.port }),
    LOG_LEVEL: "info",
  };
  const create = (
    name: string,
    kind: ManagedProcess["kind"],
    port: number,
    variables: Record<string, string>,
  ) =>
    createManagedProcess({
      name,
      kind,
      port,
      log: join(logDir, `${name}.log`),
      env: { ...environment, ...variables },
    });
  const log = join(logDir, "provider.log");
  const { provider, callProvider } = createProvider({ payments, front, databaseUrl, log, env: environment });
  const apps = [first, second].map((port, index) =>
    create(`app${index}`, "app", port, { PORT: String(port) }),
  );
  const workers = [0, 1].map((index) =>
    create(`worker${index}`, "worker", 0, { DATABASE_POOL: "6", PORT: String(front) }),
  );
  const processes = [provider, ...apps, ...workers];
  await Promise.all(processes.map((managed) => managed.start()));
  const balancer = await startBalancer({
    port: front,
    apps: [first, second],
    dir: logDir,
    required: requireBalancer,
  });
  await waitForUrl(`${address}/readyz`, 120);
  return {
    address,
    balancer: balancer.name,
    apps,
    workers,
    proxies,
    mail,
    environment,
    logs: [...processes.map(({ name }) => name), "resumable-sale", "rotation"].map((name) =>
      join(logDir, `${name}.log`),
    ),
    callProvider,
    async stop() {
      await Promise.all(processes.map((managed) => managed.kill()));
      await balancer.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    },
  };
}

/** The variables of an instance that reaches the payment provider and the mail provider on these ports, behind a balancer. */
export const providerVariables = ({ payments, mail }: { payments: number; mail: number }) => ({
  PAYMENT_MODE: "test",
  STRIPE_SECRET_KEY: "sk_test_faults",
  STRIPE_PUBLISHABLE_KEY: "pk_test_faults",
  STRIPE_API_BASE: `http://127.0.0.1:${payments}`,
  MAIL_MODE: "resend",
  RESEND_API_KEY: "re_faults",
  RESEND_BASE_URL: `http://127.0.0.1:${mail}`,
  TRUSTED_PROXIES: "2", // the balancer, and the proxy that the shoppers stand for (client-address.ts)
});

type ProviderOptions = {
  payments: number;
  /** The port of the shop, which receives the webhook events. */
  front: number;
  databaseUrl: string;
  log: string;
  env: Record<string, string>;
};

/** The payment provider as its own process, and the calls of its control API. */
export function createProvider({ payments, front, databaseUrl, log, env }: ProviderOptions) {
  const provider = createManagedProcess({
    name: "provider",
    kind: "provider",
    port: payments,
    log,
    env: {
      ...env,
      PAYMENT_MODE: "sandbox",
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: "",
      DATABASE_REPLICA_URL: "",
      DATABASE_POOL: "8",
      PROVIDER_PORT: String(payments),
      PORT: String(front),
    },
  });
  const callProvider: Deployment["callProvider"] = async (path, body = {}) => {
    const response = await fetch(`http://127.0.0.1:${payments}/control/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    return (await response.json()) as { status: string } | null;
  };
  return { provider, callProvider };
}

export async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

const SCRIPT = { worker: "scripts/work.ts", provider: "lab/faults/provider.ts" };

type ProcessOptions = {
  name: string;
  kind: ManagedProcess["kind"];
  port: number;
  log: string;
  env: Record<string, string>;
};

/** A process that restarts when it exits, as under a supervisor. After `kill` the trial has to start it. */
function createManagedProcess({ name, kind, port, log, env }: ProcessOptions): ManagedProcess {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let restart: NodeJS.Timeout | undefined;
  let exits = 0;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start: ManagedProcess["start"] = async (variables = {}, preload) => {
    const output = openSync(log, "a");
    const imports = [
      ...(kind === "app" ? [] : ["tsx"]), // as `npm start` does (lab/bench/processes.ts)
      "./scripts/start/follow-parent.mjs",
      ...(preload ? [preload] : []),
    ];
    const all = { ...process.env, ...env, ...variables, ...NEXT_VARIABLES };
    const command = kind === "app" ? nextCommand(all) : [SCRIPT[kind]];
    const started = spawn(process.execPath, [...imports.flatMap((path) => ["--import", path]), ...command], {
      cwd: repositoryRoot,
      env: all as NodeJS.ProcessEnv,
      stdio: ["ignore", output, output, "ipc"],
    });
    child = started;
    closeSync(output);
    ended = new Promise<void>((done) => started.once("exit", () => done()));
    started.once("exit", () => {
      if (child !== started) return;
      exits++;
      restart = setTimeout(() => void start(variables, preload).catch(() => {}), 500);
    });
    if (kind === "app") await waitForUrl(`http://127.0.0.1:${port}/readyz`, 300, isRunning);
    if (kind === "provider") await waitForUrl(`http://127.0.0.1:${port}/up`, 300, isRunning);
  };
  return {
    name,
    kind,
    start,
    unexpectedExits: () => exits,
    async kill() {
      clearTimeout(restart);
      const killed = child;
      child = undefined;
      killed?.kill("SIGKILL");
      await ended;
    },
  };
}

async function waitForUrl(address: string, seconds: number, isRunning = () => true): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end && isRunning(); await sleep(50)) {
    const response = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (response?.ok) return;
  }
  if (isRunning()) throw new Error(`${address} is not ready within ${seconds} s.`);
}

/** The folder of a run: its database and logs. */
export const runDir = (name: string) => resolve(repositoryRoot, ".data", name);
