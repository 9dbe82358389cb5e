import { type AddressInfo, connect, createServer, Socket } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProxy } from "../setup/proxy";
import { rounds } from "../setup/rounds";
import { SEED, seeded, sleep } from "../setup/shopper";

/*
 * Tests the patch of postgres.js (docs/decisions/0023-patch-the-database-driver.md). Without it resets hang for ever, and
 * a transaction started among many queries leaves its connection to others with the transaction open.
 */
const ROUNDS = rounds(40, 20);
const CONCURRENT = 6;
const TIMEOUT_MS = 8_000;

const { DATABASE_URL = "" } = process.env;
const direct = postgres(DATABASE_URL, { max: 1, onnotice: () => {} });

beforeAll(() => direct`create table broken_connections (attempt text, step int)`);
afterAll(async () => {
  await direct`drop table broken_connections`;
  await direct.end();
});

/** Resolves to "hangs" when the promise does not settle within the timeout. */
const orTimeout = <T>(promise: Promise<T>) =>
  Promise.race([promise, sleep(TIMEOUT_MS).then(() => "hangs" as const)]);

it("reset connections recover, and no statement runs in another transaction", async () => {
  const address = new URL(DATABASE_URL);
  const proxy = await openProxy(Number(address.port));
  address.port = String(proxy.port);
  const pool = postgres(address.href, {
    max: 3,
    connect_timeout: 2,
    backoff: () => 0.01,
    onnotice: () => {},
  });
  const random = seeded(SEED);
  let [committed, rolledBack] = [0, 0];

  const runTransaction = (attempt: string) =>
    pool.begin(async (tx) => {
      for (const step of [1, 2, 3]) {
        await tx`insert into broken_connections values (${attempt}, ${step})`;
        // A pause inside a transaction gives another transaction time to take its connection.
        await sleep(random() * 20);
      }
    });
  for (let round = 0; round < ROUNDS; round++) {
    const transactions = Array.from({ length: CONCURRENT }, (_, index) =>
      runTransaction(`${round}-${index}`),
    );
    await sleep(random() * 60);
    proxy.set("reset");
    proxy.set("none");
    const results = await orTimeout(Promise.allSettled(transactions));
    if (results === "hangs") expect.fail(`a transaction of round ${round} hangs`);
    committed += results.filter(({ status }) => status === "fulfilled").length;
    rolledBack += results.filter(({ status }) => status === "rejected").length;
    await sleep(20); // idle connections notice the reset
    const responses = await orTimeout(Promise.all(Array.from({ length: 3 }, () => pool`select 1 as one`)));
    expect(responses, `the pool after round ${round}`).not.toBe("hangs");
  }
  const partial =
    await direct`select attempt, count(*)::int from broken_connections group by attempt having count(*) <> 3`;
  expect(partial).toEqual([]);
  const [distinct] = await direct<
    { n: number }[]
  >`select count(distinct attempt)::int as n from broken_connections`;
  expect(distinct!.n).toBeGreaterThanOrEqual(committed);
  expect(committed).toBeGreaterThan(10);
  expect(rolledBack).toBeGreaterThan(10);
  console.log(
    `connections: n=${ROUNDS} resets, ${committed} transactions committed, ${rolledBack} rolled back, none partial or hanging`,
  );
  await pool.end({ timeout: 1 });
  await proxy.close();
});

it("a connection that is reset while array types load fails only its own query", async () => {
  const address = new URL(DATABASE_URL);
  const upstream = { host: address.hostname, port: Number(address.port) };
  let cut = 0;
  const server = createServer((client) => {
    const upstreamSocket = connect(upstream);
    client.on("data", (bytes) => {
      if (bytes.includes("typarray") && cut++ < 3) client.resetAndDestroy();
      else upstreamSocket.write(bytes);
    });
    upstreamSocket.on("data", (bytes) => client.write(bytes));
    for (const [socket, other] of [
      [client, upstreamSocket],
      [upstreamSocket, client],
    ] as const)
      socket.on("error", () => {}).on("close", () => other.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address.hostname = "127.0.0.1";
  address.port = String((server.address() as AddressInfo).port);
  const unhandled: unknown[] = [];
  const recordRejection = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", recordRejection);
  const pool = postgres(address.href, { max: 1, backoff: () => 0.01, onnotice: () => {} });
  const countElements = async () =>
    (await pool<{ n: number }[]>`select cardinality(${[1, 2, 3]}::int[]) as n`)[0]!.n;
  const results: unknown[] = [];
  for (let attempt = 0; attempt < 5; attempt++)
    results.push(await orTimeout(countElements().catch(() => "reset")));
  await sleep(50);
  process.off("unhandledRejection", recordRejection);
  expect(cut).toBeGreaterThanOrEqual(3);
  expect([unhandled, results.includes("hangs"), results.at(-1)]).toEqual([[], false, 3]);
  await pool.end({ timeout: 1 });
  server.close();
});

it("a connection that breaks while a statement waits to be written works again", async () => {
  const { hostname, port } = new URL(DATABASE_URL);
  let socket = new Socket();
  // The driver calls `socket` for each connection, but its types do not know it.
  const ownSocket = {
    socket: () => {
      socket = connect(Number(port), hostname);
      return socket;
    },
  };
  const pool = postgres(DATABASE_URL, {
    max: 1,
    backoff: () => 0.01,
    connect_timeout: 2,
    onnotice: () => {},
    ...ownSocket,
  });
  await pool`select 1`;
  socket.destroy(new Error("reset"));
  // Node closes the socket after the callbacks of this turn. A statement of such a callback would be written in the next turn.
  const waiting = new Promise<unknown>((resolve) =>
    setImmediate(() => resolve(pool`select 2`.catch(() => "broken"))),
  );
  expect(await orTimeout(waiting)).toBe("broken");
  const results: unknown[] = [];
  // The next statement may meet the connection before it is opened again.
  for (let attempt = 0; attempt < 3; attempt++)
    results.push(await orTimeout(pool<{ three: number }[]>`select 3 as three`.catch(() => "broken")));
  expect(results).not.toContain("hangs");
  expect(results.at(-1)).toEqual([{ three: 3 }]);
  await pool.end({ timeout: 1 });
});

it("the error of a connection that its server ended does not reach the next statement", async () => {
  const pool = postgres(DATABASE_URL, { max: 1, backoff: () => 0.01, onnotice: () => {} });
  const [{ pid }] = await pool<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const ended = pool`select pg_sleep(5)`.catch(() => "broken");
  await sleep(200);
  await direct`select pg_terminate_backend(${pid})`;
  expect(await orTimeout(ended)).toBe("broken");
  await sleep(200);
  expect(await orTimeout(pool`select 1 as one`.catch((error: Error) => error.message))).toEqual([{ one: 1 }]);
  await pool.end({ timeout: 1 });
});

it("statements of a broken transaction all settle, even those that wait for their turn", async () => {
  const address = new URL(DATABASE_URL);
  const proxy = await openProxy(Number(address.port));
  address.port = String(proxy.port);
  // As through a pooler (db/client.ts): one statement at a time, so that the others wait in the transaction.
  // Its types do not know `max_pipeline`.
  const options = Object.assign({ max: 1, backoff: () => 0.01, onnotice: () => {} }, { max_pipeline: 0 });
  const pool = postgres(address.href, options);
  let settled: Promise<PromiseSettledResult<unknown>[]> | undefined;
  const broken = pool.begin((tx) => {
    settled = Promise.allSettled([tx`select pg_sleep(5)`, tx`select 1`, tx`select 2`]);
    return settled;
  });
  broken.catch(() => {});
  await sleep(500);
  proxy.set("reset");
  proxy.set("none");
  expect(await orTimeout(broken.catch(() => "broken"))).toBe("broken");
  const results = await orTimeout(settled!);
  if (results === "hangs") expect.fail("a statement of the transaction hangs");
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await orTimeout(pool.begin((tx) => tx`select 1 as one`))).toEqual([{ one: 1 }]);
  await pool.end({ timeout: 1 });
  await proxy.close();
});

it("a transaction started among many queries does not share its connection", async () => {
  const pool = postgres(DATABASE_URL, { max: 2, onnotice: () => {} });
  const select = (n: number) => pool`select ${n}::int as n`.execute();
  await Promise.all([select(0), select(1)]);
  await Promise.all([select(0), select(1)]); // prepared on both connections: later queries are pipelined
  let started = 0;
  for (let count = 195; count < 210; count++) {
    const queries = Array.from({ length: count }, (_, index) => select(index));
    const transactions = Array.from({ length: 4 }, () => {
      const attempt = `pipelined-${started++}`;
      return pool.begin(
        (tx) => tx`insert into broken_connections select ${attempt}, step from generate_series(1, 3) step`,
      );
    });
    const responses = (await Promise.all(queries)).map((rows) => rows[0]!.n);
    expect(responses).toEqual(queries.map((_, index) => index));
    await Promise.all(transactions);
  }
  const [stored] = await direct<{ n: number }[]>`
    select count(distinct attempt)::int as n from broken_connections where attempt like 'pipelined-%'`;
  expect(stored!.n).toBe(started);
  await pool.end({ timeout: 1 });
});
