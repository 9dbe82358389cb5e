import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db, pool } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { env } from "@/lib/platform/env";
import { AUDIT_RULES, auditSale } from "../setup/audit";
import { rounds } from "../setup/rounds";
import { startTestServer, type TestServer } from "../setup/shop";
import { SEED, type Shopper, type ShopperResponse, seeded, shopperAt, sleep } from "../setup/shopper";

const BUYERS = rounds(200, 80);
const KEYS = BUYERS / 4;
const LOCKED = 4 * Math.floor(KEYS / 10);
const random = seeded(SEED);

let server: TestServer;
const shoppers: Shopper[] = [];
let product: CreatedProduct;
let planId: number;
beforeAll(async () => {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  server = await startTestServer({ databaseUrl, dataDir, log: "test-results/race.log" });
  for (let created = 0; created < BUYERS; created += 20) {
    const users = await Promise.all(Array.from({ length: 20 }, () => createSignedInUser()));
    shoppers.push(...users.map((user) => shopperAt(server.address, user)));
  }
  product = await createProduct({ plans: [{ keys: KEYS }] });
  planId = product.plans[0]!.id;
});
afterAll(async () => {
  await server.stop();
  await closeDatabase();
});

const countKeys = async (...states: string[]) =>
  (
    await db.execute<{ n: number }>(
      sql`select count(*)::int as n from keys where plan_id = ${planId} and state in ${states}`,
    )
  )[0]!.n;

/** One order request with the times of its request and its response. */
type OrderAttempt = { response: ShopperResponse; from: number; to: number };

/** Adds the plan to the cart (once) and orders it, repeated after a 503. */
async function placeOrder(shopper: Shopper): Promise<OrderAttempt> {
  for (;;) {
    const from = performance.now();
    let response = await (shoppersWithCartLine.has(shopper)
      ? shopper("/order/create", {})
      : addToCart(shopper));
    if (response.code === "200" && !response.data.order_id) response = await shopper("/order/create", {});
    if (response.code !== "503") return { response, from, to: performance.now() };
    await sleep(50);
  }
}

const shoppersWithCartLine = new Set<Shopper>();
async function addToCart(shopper: Shopper): Promise<ShopperResponse> {
  const response = await shopper("/cart/add", { product_id: product.id, vip_id: planId, quantity: 1 });
  if (response.code === "200") shoppersWithCartLine.add(shopper);
  return response;
}

/** Transactions of other processes that lock keys, hold them for a while and roll back. */
function lockKeysAndRollBack(count: number, keysEach: number, holdMs: number): Promise<unknown> {
  return Promise.all(
    Array.from({ length: count }, () =>
      pool()
        .begin(async (tx) => {
          await tx`select id from keys where plan_id = ${planId} and state = 'available'
            order by created_at, id limit ${keysEach} for update skip locked`;
          await sleep(holdMs);
          throw new Error("rolled back");
        })
        .catch(() => {}),
    ),
  );
}

describe(`${BUYERS} buyers, ${KEYS} keys, over HTTP`, () => {
  const holders = new Map<Shopper, string>();

  it(`sells all ${KEYS} while failing transactions hold ${LOCKED} of them`, async () => {
    const otherTransactions = lockKeysAndRollBack(4, LOCKED / 4, 1_500);
    await sleep(200);
    const start = performance.now();
    const attempts = await Promise.all(shoppers.map(placeOrder));
    await otherTransactions;
    const seconds = (performance.now() - start) / 1000;
    attempts.forEach(({ response }, index) => {
      if (response.code === "200") holders.set(shoppers[index]!, response.data.order_id);
    });
    const countResponses = (code: string) => attempts.filter(({ response }) => response.code === code).length;
    expect([countResponses("200"), countResponses("409")]).toEqual([KEYS, BUYERS - KEYS]);
    expect([await countKeys("reserved"), await countKeys("available")]).toEqual([KEYS, 0]);
    expect(await auditSale()).toEqual([]);
    console.log(
      `race: n=${BUYERS} buyers, ${KEYS} keys, ${LOCKED} of them locked by transactions that roll back: ${holders.size} ordered, ` +
        `${BUYERS - holders.size} rejected, ${seconds.toFixed(1)} s, seed=${SEED}`,
    );
  });

  it("sells released keys to rejected buyers, and rejects no buyer while a key is available", async () => {
    const releasedAt: number[] = [];
    const rejected: OrderAttempt[] = [];
    const ordered: OrderAttempt[] = [];
    const cancelling = [...holders.keys()].filter(() => random() < 0.4).slice(0, KEYS * 0.3);
    const waiting = shoppers.filter((shopper) => !holders.has(shopper));
    const cancels = cancelling.map(async (shopper) => {
      await sleep(random() * 2_000);
      const response = await shopper("/order/cancel", { order_id: holders.get(shopper) });
      expect(response.data).toMatchObject({ status: "cancelled" });
      releasedAt.push(performance.now());
      holders.delete(shopper);
    });
    const retries = waiting.map(async (shopper) => {
      while (ordered.length < cancelling.length) {
        await sleep(random() * 600);
        const attempt = await placeOrder(shopper);
        (attempt.response.code === "200" ? ordered : rejected).push(attempt);
        if (attempt.response.code === "200") return holders.set(shopper, attempt.response.data.order_id);
      }
    });
    await Promise.all([...cancels, ...retries]);
    expect(ordered).toHaveLength(cancelling.length);
    expect(holders.size).toBe(KEYS);
    expect(new Set(rejected.map(({ response }) => response.code))).toEqual(new Set(["409"]));
    // A key is certainly available between the response to its cancellation and the next request that takes it. No
    // request that starts and ends within that time may be rejected.
    const isCertainlyAvailable = (from: number, to: number) =>
      releasedAt.filter((time) => time < from).length -
        ordered.filter((attempt) => attempt.from < to).length >
      0;
    const unjustified = rejected.filter(({ from, to }) => isCertainlyAvailable(from, to));
    expect(unjustified).toEqual([]);
    expect(await auditSale()).toEqual([]);
    console.log(
      `race: ${cancelling.length} orders cancelled, ${ordered.length} bought by others, ` +
        `${rejected.length} rejections, ${unjustified.length} while a key was available, seed=${SEED}`,
    );
  });

  it("delivers all paid orders by email, each with its own key", async () => {
    const payments = [...holders].map(async ([shopper, order_id]) => {
      const opened = await shopper("/payment/stripe/create-payment-intent", { order_id });
      const { client_secret } = opened.data;
      return shopper("/payment/sandbox/confirm", { client_secret, outcome: "succeeded" });
    });
    for (const response of await Promise.all(payments))
      expect(response.data).toMatchObject({ status: "succeeded" });
    await expect.poll(() => auditSale({ whenIdle: true }), { timeout: 240_000, interval: 500 }).toEqual([]);
    const codes = await Promise.all(
      [...holders.keys()].map(async (shopper) => {
        const { data } = await shopper("/library");
        expect(data.total).toBe(1);
        return (await shopper("/library/reveal", { library_id: data.items[0].library_id })).data
          .code as string;
      }),
    );
    expect(codes.sort()).toEqual([...product.plans[0]!.keys].sort());
    console.log(
      `race: ${new Set(codes).size} different codes in ${codes.length} libraries, ${AUDIT_RULES} rules hold`,
    );
  });
});

describe("a naive allocator", () => {
  it("sells keys twice, and the audit detects it", async () => {
    const naivePlanId = (await createProduct({ plans: [{ keys: KEYS }] })).plans[0]!.id;
    const buyer = await createSignedInUser();
    // check, then update, in a READ COMMITTED transaction
    const buy = () =>
      pool().begin(async (tx) => {
        const [key] = await tx<{ id: string }[]>`
          select id from keys where plan_id = ${naivePlanId} and state = 'available' order by created_at, id limit 1`;
        if (!key) return null;
        const { lineId } = await createOrder(buyer, naivePlanId);
        await tx`update keys set state = 'reserved', order_line_id = ${lineId}, slot = 1 where id = ${key.id}`;
        return key.id;
      });
    const ordered: string[] = [];
    let remaining = BUYERS;
    const worker = async () => {
      while (remaining-- > 0) {
        const id = await buy();
        if (id) ordered.push(id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const twice = ordered.length - new Set(ordered).size;
    expect(twice).toBeGreaterThan(0);
    expect(await auditSale()).toEqual([
      expect.stringMatching(new RegExp(`^an open order lacks the keys it holds: ${twice} ×`)),
    ]);
    console.log(
      `broken variant: ${BUYERS} buyers, ${KEYS} keys, a naive allocator sells ${ordered.length}, ${twice} of them twice: detected`,
    );
  });
});
