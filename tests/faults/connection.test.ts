import { type AddressInfo, connect, createServer } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rounds } from "../setup/rounds";
import { openProxy } from "./proxy";
import { SEED, seeded, sleep } from "./shopper";

/*
 * Tests the patch of postgres.js (docs/decisions/0023-patch-the-database-driver.md). Without it resets hang for ever, and
 * a transaction started among many queries leaves its connection to others with the transaction open.
 */
const ROUNDS = rounds(40, 20);
const AT_ONCE = 6;
const PATIENCE_MS = 8_000;

const { DATABASE_URL = "" } = process.env;
const direct = postgres(DATABASE_URL, { max: 1, onnotice: () => {} });

beforeAll(() => direct`create table broken_connections (turn text, step int)`);
afterAll(async () => {
  await direct`drop table broken_connections`;
  await direct.end();
});

/** Resolves to "hangs" when the work does not end in time. */
const within = <T>(work: Promise<T>) => Promise.race([work, sleep(PATIENCE_MS).then(() => "hangs" as const)]);

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
  let [committed, broken] = [0, 0];

  const transaction = (attempt: string) =>
    pool.begin(async (tx) => {
      for (const step of [1, 2, 3]) {
        await tx`insert into broken_connections values (${attempt}, ${step})`;
        // A pause inside a transaction gives another transaction time to take its connection.
        await sleep(random() * 20);
      }
    });
  for (let round = 0; round < ROUNDS; round++) {
    const works = Array.from({ length: AT_ONCE }, (_, at) => transaction(`${round}-${at}`));
    await sleep(random() * 60);
    proxy.set("reset");
    proxy.set("none");
    const ends = await within(Promise.allSettled(works));
    if (ends === "hangs") expect.fail(`a transaction of round ${round} hangs`);
    committed += ends.filter(({ status }) => status === "fulfilled").length;
    broken += ends.filter(({ status }) => status === "rejected").length;
    await sleep(20); // idle connections notice the reset
    const responses = await within(Promise.all(Array.from({ length: 3 }, () => pool`select 1 as one`)));
    expect(responses, `the pool after round ${round}`).not.toBe("hangs");
  }
  const torn =
    await direct`select turn, count(*)::int from broken_connections group by turn having count(*) <> 3`;
  expect(torn).toEqual([]);
  const [distinct] = await direct<
    { n: number }[]
  >`select count(distinct turn)::int as n from broken_connections`;
  expect(distinct!.n).toBeGreaterThanOrEqual(committed);
  expect(committed).toBeGreaterThan(10);
  expect(broken).toBeGreaterThan(10);
  console.log(
    `connections: n=${ROUNDS} resets, ${committed} transactions whole, ${broken} undone, none torn or hung`,
  );
  await pool.end({ timeout: 1 });
  await proxy.close();
});

it("a connection reset while array types load fails only its own query", async () => {
  const address = new URL(DATABASE_URL);
  const upstream = { host: address.hostname, port: Number(address.port) };
  let cut = 0;
  const server = createServer((near) => {
    const far = connect(upstream);
    near.on("data", (bytes) => {
      if (bytes.includes("typarray") && cut++ < 3) near.resetAndDestroy();
      else far.write(bytes);
    });
    far.on("data", (bytes) => near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => {}).on("close", () => other.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address.hostname = "127.0.0.1";
  address.port = String((server.address() as AddressInfo).port);
  const lost: unknown[] = [];
  const note = (reason: unknown) => lost.push(reason);
  process.on("unhandledRejection", note);
  const pool = postgres(address.href, { max: 1, backoff: () => 0.01, onnotice: () => {} });
  const list = async () => (await pool<{ n: number }[]>`select cardinality(${[1, 2, 3]}::int[]) as n`)[0]!.n;
  const ends: unknown[] = [];
  for (let attempt = 0; attempt < 5; attempt++) ends.push(await within(list().catch(() => "reset")));
  await sleep(50);
  process.off("unhandledRejection", note);
  expect(cut).toBeGreaterThanOrEqual(3);
  expect([lost, ends.includes("hangs"), ends.at(-1)]).toEqual([[], false, 3]);
  await pool.end({ timeout: 1 });
  server.close();
});

it("a transaction started among many queries has a connection of its own", async () => {
  const pool = postgres(DATABASE_URL, { max: 2, onnotice: () => {} });
  const ask = (at: number) => pool`select ${at}::int as at`.execute();
  await Promise.all([ask(0), ask(1)]);
  await Promise.all([ask(0), ask(1)]); // prepared on both connections: later queries are pipelined
  let turns = 0;
  for (let crowd = 195; crowd < 210; crowd++) {
    const asked = Array.from({ length: crowd }, (_, at) => ask(at));
    const transactions = Array.from({ length: 4 }, () => {
      const attempt = `crowd-${turns++}`;
      return pool.begin(
        (tx) => tx`insert into broken_connections select ${attempt}, step from generate_series(1, 3) step`,
      );
    });
    const responses = (await Promise.all(asked)).map((rows) => rows[0]!.at);
    expect(responses).toEqual(asked.map((_, at) => at));
    await Promise.all(transactions);
  }
  const [stored] = await direct<{ n: number }[]>`
    select count(distinct turn)::int as n from broken_connections where turn like 'crowd-%'`;
  expect(stored!.n).toBe(turns);
  await pool.end({ timeout: 1 });
});
