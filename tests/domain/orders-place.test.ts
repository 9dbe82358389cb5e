import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { getCart } from "@/lib/cart/queries";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { placeOrder } from "@/lib/orders/placing/commands";
import { getOrder } from "@/lib/orders/queries";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);
const fresh = async () => {
  buyer = await sale.newBuyer();
  return buyer;
};
const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 3, ...given }] })).plans[0]!;
const place = (cart_record_ids?: string[], who = buyer) =>
  placeOrder(who.viewer, cart_record_ids ? { cart_record_ids } : {}, "en");
/** The name of the refusal, or null. */
const detail = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const ordersOf = async (userId: string) =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from orders where user_id = ${userId}`))[0]!
    .n;
const claimedOf = async (dealId: string | null) =>
  (await db.execute<{ claimed: number }>(sql`select claimed from deals where id = ${dealId}`))[0]!.claimed;

describe("an order", () => {
  it("keeps its lines as the cart showed them, whatever their plans", async () => {
    const { id: userId } = await fresh();
    const plans = [await plan(), await plan(), await plan()];
    const [first, second, third] = [plans[1]!.id, plans[2]!.id, plans[0]!.id];
    for (const id of [first, second, third]) await createCartLine(userId, id);
    const shown = (await getCart(buyer.viewer, "en")).cart_items.map((item) => item.vip_id);
    expect(shown).toEqual([first, second, third]);
    const { order_id } = await place();
    expect((await detail(order_id)).order_products.map((line) => line.vip_id)).toEqual(shown);
  });

  it("is made of the chosen lines at the server's prices, and holds their keys for 30 minutes", async () => {
    const { id: userId } = await fresh();
    const [week, month, left] = [
      await plan({ priceCents: 499 }),
      await plan({ priceCents: 1999 }),
      await plan(),
    ];
    await createCartLine(userId, week.id, { quantity: 2 });
    await createCartLine(userId, month.id);
    await createCartLine(userId, left.id, { selected: false });
    const placed = await place();
    expect(placed.final_amount).toBe(29.97);
    const order = await detail(placed.order_id);
    expect(order).toMatchObject({
      status: "pending",
      send_email: buyer.email,
      subtotal: 29.97,
      discount_amount: 0,
      final_amount: 29.97,
      can_pay: true,
      can_cancel: true,
    });
    expect(order.order_products.map((line) => [line.vip_id, line.quantity, line.price, line.total])).toEqual(
      expect.arrayContaining([
        [week.id, 2, 4.99, 9.98],
        [month.id, 1, 19.99, 19.99],
      ]),
    );
    expect(order.seconds_left).toBeGreaterThan(1790);
    expect(await sale.keysOf(week.id)).toEqual({ reserved: 2, available: 1 });
    expect((await getCart(buyer.viewer, "en")).cart_items.map((item) => item.vip_id)).toEqual([left.id]);
    expect(await sale.mailsOf(placed.order_id)).toEqual(["order-placed queued"]);
  });

  it("of named lines takes those, chosen or not", async () => {
    const { id: userId } = await fresh();
    const [one, two] = [await plan(), await plan()];
    await createCartLine(userId, one.id);
    const named = await createCartLine(userId, two.id, { selected: false });
    const placed = await place([named, named]);
    expect((await detail(placed.order_id)).order_products.map((line) => line.vip_id)).toEqual([two.id]);
  });

  it("is refused for nothing, a missing line and another's line, which answer alike", async () => {
    const other = await sale.newBuyer();
    const { id: userId } = await fresh();
    expect(await refusal(place())).toBe("nothing_selected");
    const product = await plan();
    const own = await createCartLine(userId, product.id);
    const foreign = await createCartLine(other.id, product.id);
    expect(await refusal(place(["cart_missing"]))).toBe("cart_line_unknown");
    expect(await refusal(place([foreign]))).toBe("cart_line_unknown");
    expect(await refusal(place([own, foreign]))).toBe("cart_line_unknown");
    expect(await ordersOf(userId)).toBe(0);
    expect(await sale.keysOf(product.id)).toEqual({ available: 3 });
  });

  it("keeps the price and refund rule of its day", async () => {
    await fresh();
    const product = await plan({ type: "month", priceCents: 1999 });
    const id = await sale.orderOf(buyer, product.id);
    await db.execute(
      sql`update plans set price_cents = 2999, list_price_cents = null where id = ${product.id}`,
    );
    expect(await detail(id)).toMatchObject({ final_amount: 19.99 });
    const [line] = await db.execute(sql`select refund_rule from order_lines where order_id = ${id}`);
    expect(line?.refund_rule).toEqual({ days: 15, refundable: true, reason: "refundable" });
  });

  it("takes all or nothing: short of one line, it holds no other", async () => {
    const { id: userId } = await fresh();
    const [enough, short] = [await plan(), await plan({ keys: 1, deal: { quantity: 5 } })];
    await createCartLine(userId, enough.id, { quantity: 2 });
    await createCartLine(userId, short.id, { quantity: 2 });
    expect(await refusal(place())).toBe("sold_out");
    expect(await sale.keysOf(enough.id)).toEqual({ available: 3 });
    expect(await claimedOf(short.dealId)).toBe(0);
    expect((await getCart(buyer.viewer, "en")).total).toBe(2);
  });

  it.each([
    ["no key", { keys: 0 }, {}],
    ["paused", { availability: "paused" }, {}],
    ["taken off the list", { listed: false }, {}],
  ] as [string, PlanInput, object][])("is sold out: %s", async (_, given) => {
    const { id: userId } = await fresh();
    const line = await createCartLine(userId, (await plan(given)).id);
    expect(await refusal(place([line]))).toBe("sold_out");
  });
});

describe("a deal", () => {
  it("is claimed by the unit, and when it cannot serve the whole line the regular price counts", async () => {
    const product = await plan({ keys: 9, priceCents: 1000, deal: { priceCents: 400, quantity: 3 } });
    await fresh();
    expect((await detail(await sale.orderOf(buyer, product.id, 2))).final_amount).toBe(8);
    await fresh();
    expect((await detail(await sale.orderOf(buyer, product.id, 2))).final_amount).toBe(20);
    await fresh();
    expect((await detail(await sale.orderOf(buyer, product.id, 1))).final_amount).toBe(4);
    expect(await claimedOf(product.dealId)).toBe(3);
    const limited = await db.execute(
      sql`select refund_rule->>'reason' as reason from order_lines where deal_id = ${product.dealId}`,
    );
    expect(new Set(limited.map((row) => row.reason))).toEqual(new Set(["limited_time"]));
  });

  it("ends with its time", async () => {
    await fresh();
    const product = await plan({ deal: { priceCents: 400, endsIn: "10 minutes" } });
    await sale.setClockAhead("10 minutes");
    expect((await detail(await sale.orderOf(buyer, product.id))).final_amount).toBe(10);
  });

  it("is never over-claimed: 20 buyers, 7 units", async () => {
    const product = await plan({ keys: 20, priceCents: 1000, deal: { priceCents: 400, quantity: 7 } });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => sale.newBuyer()));
    const orders = await Promise.all(buyers.map((who) => sale.orderOf(who, product.id)));
    const totals = await db.execute<{ total_cents: number }>(
      sql`select total_cents from orders where id in ${orders}`,
    );
    expect(totals.filter((order) => order.total_cents === 400)).toHaveLength(7);
    expect(await claimedOf(product.dealId)).toBe(7);
  });
});

describe("the purchase limit", () => {
  it("counts what is bought and what is held, and comes back with a cancellation", async () => {
    const { id: userId } = await fresh();
    const product = await plan({ keys: 9, purchaseLimit: 2 });
    await sale.orderOf(buyer, product.id);
    const three = await createCartLine(userId, product.id, { quantity: 2 });
    expect(await refusal(place([three]))).toBe("purchase_limit");
    await createCartLine(userId, product.id, { quantity: 1 });
    expect(await refusal(place([three]))).toBe(null);
    expect(await sale.keysOf(product.id)).toEqual({ reserved: 2, available: 7 });
  });

  it.each([1, 2, 3])("of %i holds for ten tabs at once, and is used up", async (purchaseLimit) => {
    const { id: userId } = await fresh();
    const product = await plan({ keys: 20, purchaseLimit });
    // A cart has one line of a plan; a second tab that fills it again while the first orders is what is played here.
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let tries = 0; tries < 4; tries++) {
          const line = await createCartLine(userId, product.id);
          const answer = await refusal(place([line]));
          if (answer !== "cart_line_unknown") return answer;
        }
        return "cart_line_unknown";
      }),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(purchaseLimit);
    expect(
      answers.filter(
        (answer) => answer !== null && !["purchase_limit", "cart_line_unknown"].includes(answer),
      ),
    ).toEqual([]);
    expect(await sale.keysOf(product.id)).toEqual({ reserved: purchaseLimit, available: 20 - purchaseLimit });
  });
});

describe("the last key", () => {
  it("goes to one of two that press at once, and the same cart gives one order", async () => {
    for (let round = 0; round < 10; round++) {
      const product = await plan({ keys: 1 });
      const rivals = await Promise.all([sale.newBuyer(), sale.newBuyer()]);
      const answers = await Promise.all(
        rivals.flatMap(async (rival) => {
          const line = await createCartLine(rival.id, product.id);
          return Promise.all([refusal(place([line], rival)), refusal(place([line], rival))]);
        }),
      );
      expect(answers.flat().filter((answer) => answer === null)).toHaveLength(1);
      expect(await sale.keysOf(product.id)).toEqual({ reserved: 1 });
    }
  });

  it("is not sold out while a rival who holds it may fail: he rolls back, the buyer gets it", async () => {
    const product = await plan({ keys: 1 });
    const who = await fresh();
    const line = await createCartLine(who.id, product.id);
    let letGo = () => {};
    const rival = transaction(async (tx) => {
      await tx.execute(sql`select id from keys where plan_id = ${product.id} for update`);
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      throw new Error("rolled back");
    }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    const placing = refusal(place([line]));
    await new Promise((resolve) => setTimeout(resolve, 300));
    letGo();
    await rival;
    expect(await placing).toBe(null);
  });

  it("is found when it came back while the buyer stood in line for another", async () => {
    const product = await plan({ keys: 2 });
    const who = await fresh();
    const line = await createCartLine(who.id, product.id);
    const earlier = await sale.newBuyer();
    const held = await sale.orderOf(earlier, product.id); // holds one key
    let letGo = () => {};
    const rival = transaction(async (tx) => {
      // takes the other one, and keeps it
      const [other] = await tx.execute<{ id: string }>(
        sql`select id from keys where plan_id = ${product.id} and state = 'available' for update`,
      );
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await tx.execute(sql`update keys set state = 'revoked' where id = ${other!.id}`);
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const placing = refusal(place([line]));
    await new Promise((resolve) => setTimeout(resolve, 300)); // the buyer stands in line now
    await cancelOrder(earlier.viewer, { order_id: held });
    letGo();
    await rival;
    expect(await placing).toBe(null);
  });
});
