import postgres from "postgres";
import { client } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { auditSale } from "@/tests/setup/audit";
import type { BenchPart } from "./context";
import { WARM_UPS } from "./rounds";
import { median } from "./table";

const CONCURRENCY = 8;
const PER_ROUND = 400;
const PRODUCTS = 8;
const KEYS_PER_INSERT = 500;

/** Runs the tasks with limited concurrency; returns tasks per second. */
export async function measureRate(tasks: (() => Promise<unknown>)[], concurrency: number): Promise<number> {
  const remaining = tasks.values();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const task of remaining) await task();
    }),
  );
  return tasks.length / ((performance.now() - startedAt) / 1000);
}

/** Creates a month pass with `keys` separately sealed keys. */
export async function createStockedProduct(keys: number): Promise<{ productId: number; planId: number }> {
  const product = await createProduct({ plans: [{ type: "month", days: 30, priceCents: 1900 }] });
  const planId = product.plans[0]!.id;
  for (let created = 0; created < keys; created += KEYS_PER_INSERT)
    await createKeys(planId, Math.min(KEYS_PER_INSERT, keys - created));
  return { productId: product.id, planId };
}

/** Creates users with one cart line each. */
export async function createShoppers(count: number, planIds: number[]): Promise<SignedInUser[]> {
  const users: SignedInUser[] = [];
  while (users.length < count) {
    const batchSize = Math.min(20, count - users.length);
    users.push(...(await Promise.all(Array.from({ length: batchSize }, () => createSignedInUser()))));
  }
  for (const [index, { id }] of users.entries())
    await createCartLine(id, planIds[index % planIds.length] ?? 0);
  return users;
}

/** Creates the tables of the yardstick: without references, triggers and second indexes, in the same Postgres. */
async function createBareTables(sql: postgres.Sql, keys: number): Promise<void> {
  await sql.unsafe(`
    create schema if not exists bench;
    create table if not exists bench.keys (id text primary key, plan_id int, state text, order_line_id text);
    create index if not exists keys_available on bench.keys (plan_id, id) where state = 'available';
    create table if not exists bench.orders (id text primary key, user_id text, status text, total_cents int, created_at timestamptz default now());
    create table if not exists bench.order_lines (id text primary key, order_id text, plan_id int, quantity int, total_cents int);
    create table if not exists bench.order_events (id bigint generated always as identity primary key, order_id text, event text);
    insert into bench.keys select gen_random_uuid()::text, n % ${PRODUCTS}, 'available', null from generate_series(1, ${keys}) n`);
}

/** Reserves a key and inserts an order, its line and its first event in four sequential statements. */
const placeBareOrder = (sql: postgres.Sql, planId: number) => () =>
  sql.begin(async (tx) => {
    const [order, line] = [newId("ord"), newId("line")];
    await tx`insert into bench.orders (id, user_id, status, total_cents) values (${order}, 'usr', 'pending', 1900)`;
    await tx`insert into bench.order_lines (id, order_id, plan_id, quantity, total_cents) values (${line}, ${order}, ${planId}, 1, 1900)`;
    await tx`update bench.keys set state = 'reserved', order_line_id = ${line} where id = (
      select id from bench.keys where plan_id = ${planId} and state = 'available' order by id limit 1 for update skip locked)`;
    await tx`insert into bench.order_events (order_id, event) values (${order}, 'created')`;
  });

/** Compares placeOrder with a bare transaction. */
export const orderCreate: BenchPart = async ({ rounds }) => {
  const count = PER_ROUND * (rounds + WARM_UPS);
  const products = await Promise.all(
    Array.from({ length: PRODUCTS }, () => createStockedProduct(count / PRODUCTS + CONCURRENCY)),
  );
  const plans = products.map(({ planId }) => planId);
  const bare = postgres(env().DATABASE_URL, { max: env().DATABASE_POOL, onnotice: () => {} });
  const ratios: number[] = [];
  const rates: number[] = [];
  const bareRates: number[] = [];
  try {
    await createBareTables(bare, count + CONCURRENCY * PRODUCTS);
    for (let round = -WARM_UPS; round < rounds; round++) {
      const users = await createShoppers(PER_ROUND, plans);
      const placeTasks = users.map((user) => () => placeOrder(user.viewer, {}, "en"));
      const bareTasks = users.map((_, index) => placeBareOrder(bare, index % PRODUCTS));
      const rate = await measureRate(placeTasks, CONCURRENCY);
      const yardstick = await measureRate(bareTasks, CONCURRENCY);
      if (round < 0) continue;
      rates.push(rate);
      bareRates.push(yardstick);
      ratios.push(rate / yardstick);
    }
  } finally {
    await bare.unsafe("drop schema if exists bench cascade");
    await bare.end();
  }
  const violations = await auditSale();
  if (violations.length > 0) throw new Error(`After the orders:\n${violations.join("\n")}`);
  // Removes the jobs and emails of these orders, so that the worker of the next part does not process them.
  await client()`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`;
  await client()`truncate mails`;
  const ratio = median(ratios);
  return [
    {
      subject: `Order create, the transaction, ${CONCURRENCY} at once (audited)`,
      ours: `${median(rates).toFixed(0)}/s`,
      yardstick: `bare transaction of four statements: ${median(bareRates).toFixed(0)}/s`,
      ratio,
      bar: "a figure to know",
      holds: null,
    },
  ];
};
