import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { findPostmaster } from "@/scripts/postgres/postmaster";
import { demoAccount } from "@/scripts/start/demo-account";
import { freePort } from "@/scripts/start/ports";
import { readJson } from "@/scripts/start/process-lock";
import { repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { openProxy } from "@/tests/setup/proxy";
import { startTestServer } from "@/tests/setup/shop";
import { sleep } from "@/tests/setup/shopper";
import { describeOutage, measureOutage, type OutageRequest } from "./outage";
import { runTrial, type TrialResult } from "./table";

type OutageTrial = [name: string, run: () => Promise<TrialResult>];

/** The parts of a database that is frozen, slow or out of disk space. Each runs its own shop, as `npm start` does. */
export const outageTrials = (dataDir: string, seed: number): OutageTrial[] => [
  ["frozen-database", () => frozenDatabase(dataDir, seed)],
  ["slow-database", () => slowDatabase(dataDir, seed)],
  ["full-database", () => fullDatabase(dataDir, seed)],
];

const ROUNDS = 3;

type Shop = {
  address: string;
  databaseUrl: string;
  cluster: string;
  dataDir: string;
  /** What `npm start` printed. */
  output(): string;
  stop(): Promise<void>;
};

/** `npm start` with an embedded database in `dataDir`. */
async function startShop(dataDir: string): Promise<Shop> {
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const log = join(dataDir, "npm-start.log");
  const { PATH, HOME, TMPDIR } = process.env;
  const output = openSync(log, "a");
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start/serve.ts"], {
    cwd: repositoryRoot,
    env: {
      PATH,
      HOME,
      TMPDIR,
      ...testEnvironment,
      NODE_ENV: "production",
      WORKER: "beside",
      LOG_LEVEL: "warn",
      PORT: String(port),
      DATA_DIR: dataDir,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  const address = `http://localhost:${port}`;
  await waitForReady(address, child, 180);
  const record = readJson<{ cluster: string; port: number; password: string }>(
    join(dataDir, "postgres.json"),
  );
  if (!record) throw new Error("the shop has no record of its database");
  return {
    address,
    dataDir,
    cluster: record.cluster,
    databaseUrl: `postgres://passlane:${record.password}@127.0.0.1:${record.port}/passlane`,
    output: () => readFileSync(log, "utf8"),
    async stop() {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function waitForReady(address: string, child: ChildProcess, seconds: number): Promise<void> {
  for (
    const end = Date.now() + seconds * 1000;
    Date.now() < end && child.exitCode === null;
    await sleep(100)
  ) {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(
      () => undefined,
    );
    if (response?.ok) return;
  }
  throw new Error(`${address} is not ready within ${seconds} s (exit code ${child.exitCode}).`);
}

/** A signed-in customer who adds products to the cart and notes which additions were acknowledged. */
async function createCustomer(address: string) {
  const call = async (path: string, body?: object, token?: string) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    // biome-ignore lint/suspicious/noExplicitAny: tests read the data of any call
    return (await response?.json().catch(() => undefined)) as { code: string; data: any } | undefined;
  };
  const signedIn = await call("/auth/login/email", {
    user_email: demoAccount.email,
    user_password: demoAccount.password,
  });
  const token: string = signedIn?.data.token ?? "";
  if (!token) throw new Error(`the demo account cannot sign in: ${JSON.stringify(signedIn)}`);
  const list = await call("/product/list?size=100&in_stock=true", undefined, token);
  const products: number[] = list?.data.items.map((item: { product_id: number }) => item.product_id) ?? [];
  const product = products.shift() ?? 0;
  const acknowledged: number[] = [];
  return {
    token,
    /** The product that the requests of an outage add. */
    product,
    /** Adds one more product. */
    async add(): Promise<void> {
      const next = products.shift();
      if (next === undefined) return;
      const response = await call("/cart/auto-add", { product_id: next }, token);
      if (response?.code === "200") acknowledged.push(next);
    },
    async findLost(): Promise<string[]> {
      const cart = await call("/cart/list", undefined, token);
      const kept = new Set(cart?.data.cart_items.map((item: { product_id: number }) => item.product_id));
      return acknowledged
        .filter((id) => !kept.has(id))
        .map((id) => `the acknowledged cart line of product ${id} is lost`);
    },
  };
}

const listRequests = ({ token, product }: { token: string; product: number }): OutageRequest[] => [
  ...["/", "/zh", "/ja/mobile", "/top-trending", "/zh/mobile/limited", "/blog", "/ja/refund-policy"].map(
    (path): OutageRequest => ({ kind: "cached", path }),
  ),
  { kind: "page", path: "/search?q=a" },
  { kind: "page", path: "/ja/mobile/search-results?q=a" },
  { kind: "call", path: "/api/v1/product/list" },
  { kind: "call", path: "/api/v1/cart/list", headers: { authorization: `Bearer ${token}` } },
  {
    kind: "call",
    path: "/api/v1/cart/auto-add",
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ product_id: product }),
  },
  { kind: "readyz", path: "/readyz" },
];

/** Runs one outage and adds it to the result. */
async function runOutage(result: TrialResult, outage: Parameters<typeof measureOutage>[0]): Promise<void> {
  const measured = await measureOutage(outage);
  result.trials += 1;
  result.recoveryMs.push(measured.recoveryMs);
  result.violations.push(...measured.violations);
  if (measured.servedShare < 0.95)
    result.violations.push(`only ${measured.servedShare} of the cached pages were served`);
  const description = describeOutage(measured);
  console.log(`  ${description}`);
  result.brokenVariant = description;
}

/** Every Postgres process of a cluster. */
function findPostgresProcesses(cluster: string): number[] {
  const postmaster = findPostmaster(cluster);
  if (!postmaster) throw new Error("no postmaster");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(postmaster.pid)], { encoding: "utf8" });
  return [postmaster.pid, ...children.split("\n").filter(Boolean).map(Number)];
}

const frozenDatabase = (dataDir: string, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "A frozen database: cached pages as stale, else 503 within 3 s, nothing lost",
      trial: "SIGSTOP of every Postgres process for 15 s",
      seed,
    },
    async (result) => {
      const shop = await startShop(join(dataDir, "frozen"));
      try {
        const customer = await createCustomer(shop.address);
        for (let round = 0; round < ROUNDS; round += 1) {
          await customer.add();
          let frozen: number[] = [];
          await runOutage(result, {
            address: shop.address,
            requests: listRequests(customer),
            async begin() {
              frozen = findPostgresProcesses(shop.cluster);
              for (const pid of frozen) process.kill(pid, "SIGSTOP");
            },
            async end() {
              for (const pid of frozen) process.kill(pid, "SIGCONT");
            },
            ms: 15_000,
            recoveryLimitMs: 10_000,
          });
          await customer.add();
          result.violations.push(...(await customer.findLost()));
        }
      } finally {
        await shop.stop();
      }
    },
  );

const slowDatabase = (dataDir: string, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "A slow database: cached pages as stale, else 503 within 3 s, nothing lost",
      trial: "answers delayed by 1 to 5 s for 10 s",
      seed,
    },
    async (result) => {
      const shop = await startShop(join(dataDir, "slow"));
      const url = new URL(shop.databaseUrl);
      const proxy = await openProxy(Number(url.port));
      url.port = String(proxy.port);
      const server = await startTestServer({
        databaseUrl: url.href,
        dataDir: shop.dataDir,
        log: join(shop.dataDir, "slow-server.log"),
      });
      try {
        const customer = await createCustomer(server.address);
        for (const delayMs of [1_000, 2_000, 5_000]) {
          await customer.add();
          await runOutage(result, {
            address: server.address,
            requests: listRequests(customer),
            begin: async () => proxy.set("latency", delayMs / 2),
            end: async () => proxy.set("none"),
            ms: 10_000,
            recoveryLimitMs: 15_000,
          });
          result.violations.push(...(await customer.findLost()));
        }
      } finally {
        await server.stop();
        await proxy.close();
        await shop.stop();
      }
    },
  );

const fullDatabase = (dataDir: string, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "A full disk: Postgres stops and comes back by itself when there is room, nothing lost",
      trial: "a disk of 400 MB filled until Postgres stops",
      seed,
    },
    async (result) => {
      const disk = join(dataDir, "small-disk");
      mkdirSync(disk, { recursive: true });
      if (!mount(disk)) {
        result.brokenVariant = "not run: a small disk needs the right to mount one";
        return;
      }
      const shop = await startShop(join(disk, "data"));
      const filler = join(disk, "filler");
      try {
        const customer = await createCustomer(shop.address);
        for (let round = 0; round < ROUNDS; round += 1) {
          await customer.add();
          await runOutage(result, {
            address: shop.address,
            requests: listRequests(customer),
            begin: () => fillDisk(filler, shop),
            async end() {
              rmSync(filler);
            },
            ms: 15_000,
            recoveryLimitMs: 60_000,
          });
          await customer.add();
          result.violations.push(...(await customer.findLost()));
        }
        if (!/The disk is full/.test(shop.output()))
          result.violations.push("npm start did not say that the disk is full");
      } finally {
        rmSync(filler, { force: true });
        await shop.stop();
        const log = join(disk, "data", "npm-start.log");
        if (existsSync(log)) writeFileSync(join(dataDir, "npm-start-full.log"), readFileSync(log));
        execFileSync("umount", ["-l", disk]);
      }
    },
  );

function mount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Fills the disk and writes until Postgres stops, because it can make no new segment of its log. The connection is older:
 * Postgres refuses new ones on a full disk.
 */
async function fillDisk(filler: string, { databaseUrl, cluster }: Shop): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 2, onnotice: () => {} });
  await sql`select 1`;
  execFileSync("sh", ["-c", `cat /dev/zero > "$1" 2>/dev/null || true`, "sh", filler]);
  for (const end = Date.now() + 30_000; Date.now() < end && findPostmaster(cluster); )
    await sql`
      select pg_logical_emit_message(true, 'fill', repeat('x', 900000)) from generate_series(1, 20)`.catch(
      () => sleep(100),
    );
  await sql.end({ timeout: 1 });
  if (findPostmaster(cluster)) throw new Error("Postgres still runs on the full disk");
}
