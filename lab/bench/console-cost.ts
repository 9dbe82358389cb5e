import postgres from "postgres";
import { startTestDatabase } from "@/scripts/postgres/database";
import { freePort } from "@/scripts/start/ports";
import { prepareDatabase } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { shopCounts } from "./consoles-rows";
import { generateShop } from "./generate-shop";
import { median } from "./table";

/**
 * npx tsx lab/bench/console-cost.ts [--rounds=30]: what the lists of the staff console cost an order
 * (docs/performance.md#staff-console). A sale runs no statement for the lists, so their cost is that of their indexes
 * on the tables that a sale writes. Alternates rounds with and without these indexes in one shop of 100,000 orders.
 */
const INDEXES = [
  "orders_by_time",
  "orders_unfinished",
  "orders_by_send_email",
  "orders_by_transaction",
  "orders_by_coupon",
  "payments_of_order",
  "keys_reserved",
  "mails_by_time",
  "mails_by_address",
  "mails_by_order",
  "mails_unsent",
];
const PER_ROUND = 20;
/** Sales of a round that are not counted: after a change of indexes, each connection plans its statements anew. */
const UNCOUNTED = 12;
const rounds = Number(process.argv.find((argument) => argument.startsWith("--rounds="))?.slice(9) ?? 30);

const database = await startTestDatabase("console-cost");
try {
  Object.assign(process.env, testEnvironment, {
    DATABASE_URL: database.url,
    DATA_DIR: database.dataDir,
    APP_URL: `http://localhost:${await freePort()}`,
    LOG_LEVEL: "silent",
  });
  await prepareDatabase(process.env, { catalog: false, account: false });
  await generateShop({ url: database.url, counts: shopCounts(0.1), say: () => {} });
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const sale = await import("@/tests/setup/sale");
  const { createStockedProduct } = await import("./server-orders");
  const { placeOrder } = await import("@/lib/orders/placing/place-order");
  const { createCartLine } = await import("@/db/factories/orders");
  sale.receiveEventsInProcess();
  const { planId } = await createStockedProduct((rounds + 2) * 2 * (UNCOUNTED + PER_ROUND) + 50);
  const definitions = await sql<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_class c where c.relname in ${sql(INDEXES)}`;
  if (definitions.length !== INDEXES.length) throw new Error("An index of INDEXES is not in the database.");

  /** The milliseconds of creating an order, and of paying it until its keys are assigned. */
  async function sellOne(): Promise<{ create: number; pay: number }> {
    const buyer = await sale.createBuyer();
    const line = await createCartLine(buyer.id, planId, { quantity: 1 });
    const start = performance.now();
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: [line] }, "en");
    const created = performance.now();
    await sale.pay(buyer, order_id);
    await sale.waitForEvents();
    return { create: created - start, pay: performance.now() - created };
  }

  async function measureRound() {
    for (let i = 0; i < UNCOUNTED; i++) await sellOne();
    const sales = [];
    for (let i = 0; i < PER_ROUND; i++) sales.push(await sellOne());
    return {
      create: median(sales.map(({ create }) => create)),
      pay: median(sales.map(({ pay }) => pay)),
    };
  }

  const pairs = [];
  for (let round = -2; round < rounds; round++) {
    const measureWith = async () => {
      for (const { definition } of definitions)
        await sql.unsafe(definition.replace("INDEX", "INDEX IF NOT EXISTS"));
      return measureRound();
    };
    const measureWithout = async () => {
      for (const { name } of definitions) await sql`drop index if exists ${sql(name)}`;
      return measureRound();
    };
    // The order changes, so that a machine that slows down or warms up favours neither.
    const isFirst = round % 2 === 0;
    const first = isFirst ? await measureWith() : await measureWithout();
    const second = isFirst ? await measureWithout() : await measureWith();
    if (round >= 0) pairs.push(isFirst ? { with: first, without: second } : { with: second, without: first });
  }
  for (const step of ["create", "pay"] as const) {
    const ratio = median(pairs.map((pair) => pair.without[step] / pair.with[step]));
    const [ours, theirs] = [
      median(pairs.map((pair) => pair.with[step])),
      median(pairs.map((pair) => pair.without[step])),
    ];
    console.log(
      `${step}: ${ours.toFixed(2)} ms with the indexes, ${theirs.toFixed(2)} ms without; rate ${ratio.toFixed(3)} (bar 0.97)`,
    );
  }
  await sql.end();
  await sale.closeSale();
} finally {
  await database.stop();
}
process.exit(0);
