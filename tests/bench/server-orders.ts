import postgres from "postgres";
import { client } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { placeOrder } from "@/lib/orders/placing/commands";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { auditSale } from "@/tests/faults/audit";
import type { Part } from "./context";
import { WARM_UPS } from "./rounds";
import { median } from "./table";

const BAR = 0.3;
const AT_ONCE = 8;
const PER_ROUND = 400;
const PRODUCTS = 8;
const KEYS_AT_ONCE = 500;

/** Runs the tasks with limited concurrency; returns tasks per second. */
export async function rateOf(works: (() => Promise<unknown>)[], atOnce: number): Promise<number> {
  const left = works.values();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const work of left) await work();
    }),
  );
  return works.length / ((performance.now() - began) / 1000);
}

/** Creates a month pass with `keys` separately sealed keys. */
export async function stockedProduct(keys: number): Promise<{ productId: number; planId: number }> {
  const product = await createProduct({ plans: [{ type: "month", days: 30, priceCents: 1900 }] });
  const planId = product.plans[0]!.id;
  for (let made = 0; made < keys; made += KEYS_AT_ONCE)
    await createKeys(planId, Math.min(KEYS_AT_ONCE, keys - made));
  return { productId: product.id, planId };
}

/** Creates users with one cart line each. */
export async function shoppers(count: number, planIds: number[]): Promise<SignedInUser[]> {
  const users: SignedInUser[] = [];
  while (users.length < count) {
    const some = Math.min(20, count - users.length);
    users.push(...(await Promise.all(Array.from({ length: some }, () => createSignedInUser()))));
  }
  for (const [at, { id }] of users.entries()) await createCartLine(id, planIds[at % planIds.length] ?? 0);
  return users;
}

/** Creates the tables of the yardstick: without references, triggers and second indexes, in the same Postgres. */
async function bareTables(sql: postgres.Sql, keys: number): Promise<void> {
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
const bareOrder = (sql: postgres.Sql, planId: number) => () =>
  sql.begin(async (tx) => {
    const [order, line] = [newId("ord"), newId("line")];
    await tx`insert into bench.orders (id, user_id, status, total_cents) values (${order}, 'usr', 'pending', 1900)`;
    await tx`insert into bench.order_lines (id, order_id, plan_id, quantity, total_cents) values (${line}, ${order}, ${planId}, 1, 1900)`;
    await tx`update bench.keys set state = 'reserved', order_line_id = ${line} where id = (
      select id from bench.keys where plan_id = ${planId} and state = 'available' order by id limit 1 for update skip locked)`;
    await tx`insert into bench.order_events (order_id, event) values (${order}, 'created')`;
  });

/** Compares placeOrder with a bare transaction. */
export const orderCreate: Part = async ({ rounds }) => {
  const count = PER_ROUND * (rounds + WARM_UPS);
  const products = await Promise.all(
    Array.from({ length: PRODUCTS }, () => stockedProduct(count / PRODUCTS + AT_ONCE)),
  );
  const plans = products.map(({ planId }) => planId);
  const bare = postgres(env().DATABASE_URL, { max: env().DATABASE_POOL, onnotice: () => {} });
  const ratios: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    await bareTables(bare, count + AT_ONCE * PRODUCTS);
    for (let round = -WARM_UPS; round < rounds; round++) {
      const users = await shoppers(PER_ROUND, plans);
      const places = users.map((user) => () => placeOrder(user.viewer, {}, "en"));
      const bares = users.map((_, at) => bareOrder(bare, at % PRODUCTS));
      const placed = await rateOf(places, AT_ONCE);
      const yardstick = await rateOf(bares, AT_ONCE);
      if (round < 0) continue;
      ours.push(placed);
      theirs.push(yardstick);
      ratios.push(placed / yardstick);
    }
  } finally {
    await bare.unsafe("drop schema if exists bench cascade");
    await bare.end();
  }
  const broken = await auditSale();
  if (broken.length > 0) throw new Error(`After the orders:\n${broken.join("\n")}`);
  // Removes the jobs and emails of these orders, so that the worker of the next part does not process them.
  await client()`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`;
  await client()`truncate mails`;
  const ratio = median(ratios);
  return [
    {
      what: `Order create, the transaction, ${AT_ONCE} at once (audited)`,
      ours: `${median(ours).toFixed(0)}/s`,
      yardstick: `bare transaction of four statements: ${median(theirs).toFixed(0)}/s`,
      ratio,
      bar: `≥ ${BAR} of its rate`,
      holds: ratio >= BAR,
    },
  ];
};
