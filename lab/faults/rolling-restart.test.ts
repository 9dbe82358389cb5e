import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { findNginx, startFront } from "@/scripts/start/front";
import { freePort } from "@/scripts/start/ports";
import { findServing } from "@/scripts/start/serving.mjs";
import { needs } from "@/tests/setup/needs";
import { sendRequest } from "@/tests/setup/send-request";
import { startTestServer, type TestServer } from "@/tests/setup/shop";
import { shopperAt, sleep } from "@/tests/setup/shopper";
import { hasHaproxy, startBalancer } from "./balancer";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

/** A page that is cached, one that is not, and a call. */
const PATHS = ["/help", "/login", "/api/v1/product/list"];

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(closeDatabase);

/** `proxies`: by default the balancer, and the proxy that the clients stand for (client-address.ts). */
async function startInstance(noticeSeconds: number, proxies = "2"): Promise<TestServer> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  const server = await startTestServer({
    databaseUrl,
    dataDir,
    log: "test-results/rolling-restart.log",
    variables: { TRUSTED_PROXIES: proxies, SHUTDOWN_NOTICE_SECONDS: String(noticeSeconds) },
  });
  stops.push(() => server.stop());
  return server;
}

it("a terminating instance is immediately not ready, and serves pages and calls until the notice is over", async () => {
  const server = await startInstance(8);
  const statusOf = async (path: string) =>
    (await sendRequest(server.address, path).catch(() => ({ status: 0 }))).status;
  expect(await statusOf("/readyz")).toBe(200);
  for (const path of PATHS) expect([path, await statusOf(path)]).toEqual([path, 200]);
  expect(findServing(".next")).toMatchObject({ address: server.address }); // no build replaces its files
  const since = performance.now();
  const stopping = server.stop();
  await sleep(200);
  let answers = 0;
  for (; performance.now() - since < 6_000; await sleep(100)) {
    expect(await statusOf("/readyz")).toBe(503);
    for (const path of PATHS) expect([path, await statusOf(path)]).toEqual([path, 200]);
    answers += 1;
  }
  expect(answers).toBeGreaterThan(2);
  await stopping;
  expect(performance.now() - since).toBeLessThan(18_000);
  expect(await statusOf("/login")).toBe(0);
  expect(findServing(".next")?.address).not.toBe(server.address);
});

/**
 * Sends ten requests a second, each on its own connection, until `stop`, which returns how many the balancer did not
 * get answered, by phase. A 503 with a request's id is the shop's: a busy machine starves its database, which no
 * restart does.
 */
function startTraffic(address: string) {
  let phase = "start";
  const failed = new Map<string, number>();
  let sent = 0;
  let served = 0;
  const pending: Promise<void>[] = [];
  const send = async (path: string) => {
    const answer = await sendRequest(address, path, { headers: { connection: "close" } }).catch(
      ({ message }: Error) => ({ status: message, headers: {} as Record<string, string> }),
    );
    if (answer.status === 200) served++;
    else if (!answer.headers["x-request-id"]) {
      const failure = `${phase}: ${path} ${answer.status}`;
      failed.set(failure, (failed.get(failure) ?? 0) + 1);
    }
  };
  const timer = setInterval(() => pending.push(send(PATHS[sent++ % PATHS.length]!)), 100);
  return {
    name(next: string) {
      phase = next;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return { sent, served, failed: Object.fromEntries(failed) };
    },
  };
}

const BUYERS = 80;
const PLANS = 15;
/**
 * The statuses after which a client repeats a write with the same key: no response of the shop (0), a bad gateway, or a
 * slow database.
 */
const REPEATED = [0, 502, 503];

/**
 * Ten times a second a buyer puts one pass into the cart, each time another one, and repeats what was not answered. `stop` returns
 * how many were sent and repeated, what was refused, and how many lines the carts have, each with one pass.
 */
async function startWrites(address: string) {
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => createSignedInUser()));
  const products = await Promise.all(
    Array.from({ length: PLANS }, () => createProduct({ plans: [{ keys: 1 }] })),
  );
  const shoppers = buyers.map((buyer) => shopperAt(address, buyer));
  const refused: string[] = [];
  const pending: Promise<void>[] = [];
  let repeated = 0;
  const write = async (n: number) => {
    const { id, plans } = products[Math.floor(n / BUYERS)]!;
    const body = { product_id: id, vip_id: plans[0]!.id, quantity: 1 };
    const headers = { "idempotency-key": randomUUID() };
    for (;;) {
      const { status, code } = await shoppers[n % BUYERS]!("/cart/add", body, headers);
      if (!REPEATED.includes(status)) {
        if (code !== "200") refused.push(`${status} ${code}`);
        return;
      }
      repeated++;
      await sleep(500);
    }
  };
  const timer = setInterval(() => {
    if (pending.length < BUYERS * PLANS) pending.push(write(pending.length));
  }, 100);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    const ids = sql.join(
      buyers.map(({ id }) => sql`${id}`),
      sql`, `,
    );
    const [lines] = await db.execute<{ single: number }>(
      sql`select count(*) filter (where quantity = 1)::int as single from cart_lines where user_id in (${ids})`,
    );
    return { sent: pending.length, repeated, refused, single: lines?.single };
  };
}

type Restart = { noticeSeconds: number; rolled: number; proxies?: string };
/** The balancer in front of the instances. `isBack` resolves when it sends requests to all of them. */
type InFront = { isBack(): Promise<unknown>; stop(): Promise<void> };

/** Restarts instances under reads and writes. */
async function roll(
  { noticeSeconds, rolled, proxies }: Restart,
  start: (options: { port: number; apps: number[] }) => Promise<InFront>,
) {
  const instances = [
    await startInstance(noticeSeconds, proxies),
    await startInstance(noticeSeconds, proxies),
  ];
  const port = await freePort();
  const inFront = await start({ port, apps: instances.map(({ address }) => Number(new URL(address).port)) });
  stops.push(() => inFront.stop());
  // Pages are cached, and nothing is rendered for the first time.
  for (const { address } of instances) for (const path of PATHS) await sendRequest(address, path);
  const traffic = startTraffic(`http://localhost:${port}`);
  const stopWrites = await startWrites(`http://localhost:${port}`);
  await sleep(6_000);
  for (const [index, instance] of instances.slice(0, rolled).entries()) {
    traffic.name(`stop ${index}`);
    await instance.stop();
    traffic.name(`start ${index}`);
    await instance.start();
    await sendRequest(instance.address, "/help");
    // The next instance is stopped when this one is back.
    await inFront.isBack();
  }
  const reads = await traffic.stop();
  return { ...reads, writes: await stopWrites() };
}

const haproxy = async (options: { port: number; apps: number[] }): Promise<InFront> => {
  const dir = "test-results/rolling-restart";
  const balancer = await startBalancer({ ...options, dir, required: true, checks: "slow" });
  return {
    async isBack() {
      while (!(await balancer.hasAll?.())) await sleep(200);
    },
    stop: balancer.stop,
  };
};

const front = async ({ port, apps }: { port: number; apps: number[] }): Promise<InFront> => {
  const dir = resolve("test-results/rolling-front");
  const { stop } = await startFront({ dir, port, shop: apps, realAddresses: true });
  return { isBack: () => sleep(3_000), stop }; // longer than its fail_timeout
};

it(
  "a restart of both instances behind the shop's nginx loses no page and no write",
  needs(findNginx(), "nginx"),
  async () => {
    const { sent, failed, writes } = await roll({ noticeSeconds: 1, rolled: 2, proxies: "1" }, front);
    console.log(`front: ${sent} reads, ${JSON.stringify({ failed, writes })}`);
    expect(failed).toEqual({});
    expect(writes).toMatchObject({ refused: [], single: writes.sent });
    expect(sent).toBeGreaterThan(100);
  },
);

it(
  "a rolling restart behind haproxy with checks of 5 s, two of which must fail, loses no request",
  needs(hasHaproxy(), "haproxy"),
  async () => {
    const { sent, served, failed, writes } = await roll({ noticeSeconds: 12, rolled: 2 }, haproxy);
    console.log(`rolling restart: ${served} of ${sent} reads, ${JSON.stringify(writes)}`);
    expect(failed).toEqual({});
    expect(writes).toMatchObject({ refused: [], single: writes.sent });
    expect(writes.sent).toBeGreaterThan(200);
    expect(sent).toBeGreaterThan(200);
    expect(served).toBeGreaterThan(sent / 2);
  },
);

it(
  "a notice of one second makes the same balancer respond 503, and clients that retry their writes lose none",
  needs(hasHaproxy(), "haproxy"),
  async () => {
    const { failed, writes } = await roll({ noticeSeconds: 1, rolled: 1 }, haproxy);
    console.log(`notice of one second: ${JSON.stringify({ failed, writes })}`);
    expect(Object.keys(failed).some((answer) => answer.endsWith(" 503"))).toBe(true);
    expect(writes).toMatchObject({ refused: [], single: writes.sent });
    expect(writes.repeated).toBeGreaterThan(0);
  },
);
