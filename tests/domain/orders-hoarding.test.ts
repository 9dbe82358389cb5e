import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { getCart } from "@/lib/cart/get-cart";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { deleteOldHoldsJob, sweepJob } from "@/lib/orders/jobs";
import type { OrderOrigin } from "@/lib/orders/placing/check-hold-limits";
import { placeOrder } from "@/lib/orders/placing/place-order";
import {
  EXEMPTION_ENDS_AFTER,
  FURTHER_UNITS_PER_ADDRESS,
  FURTHER_UNITS_PER_DEVICE,
  PAUSE_AFTER_ORDERS,
  PAUSE_MINUTES_MAX,
  pauseMinutes,
  UNPAID_ORDERS_MAX,
  UNVERIFIED_UNITS_MAX,
} from "@/lib/orders/rules";
import { isShopError } from "@/lib/platform/errors";
import { clientAddress } from "../setup/client-address";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

/** Limits on what one user, device, network or mailbox can reserve. */
registerSaleHooks();

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 3, ...input });

/** Orders units of a plan from an address; returns the order's id. */
async function order(buyer: sale.Buyer, planId: number, quantity = 1, origin: OrderOrigin = {}) {
  const line = await createCartLine(buyer.id, planId, { quantity });
  const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: [line] }, "en", origin);
  return order_id;
}
const tryOrder = (...given: Parameters<typeof order>) => getErrorName(order(...given));

let lastMailbox = 0;
/** Accounts of one mailbox, with different spellings of its address. */
const createMailbox = () => {
  const name = `box.${process.pid}.${++lastMailbox}`;
  let accounts = 0;
  return (verified: boolean) => sale.createBuyer({ email: `${name}+${++accounts}@gmail.com`, verified });
};
const createBuyers = (count: number, create: () => Promise<sale.Buyer>) =>
  Promise.all(Array.from({ length: count }, create));
const createUnverified = () => sale.createBuyer({ verified: false });
const countHeld = async (planId: number) => (await sale.countKeysByState(planId)).reserved ?? 0;
const countNames = (names: (string | null)[]) => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name ?? "ordered"] = (counts[name ?? "ordered"] ?? 0) + 1;
  return counts;
};

/** The owner verifies the address of an unverified account. */
async function verify(buyer: sale.Buyer): Promise<sale.Buyer> {
  await db.execute(sql`update users set email_verified_at = shop_now() where id = ${buyer.id}`);
  return { ...buyer, viewer: { ...buyer.viewer, emailVerified: true } };
}

describe("the purchase limit", () => {
  it("is shared by the verified accounts of one mailbox", async () => {
    const { id } = await createTestPlan({ keys: 9, purchaseLimit: 1 });
    const createAccount = createMailbox();
    await sale.sell(await createAccount(true), id);
    expect(await tryOrder(await createAccount(true), id)).toBe("purchase_limit");
  });

  it("is shared by the unverified accounts of one mailbox, with the error of a single account", async () => {
    const { id } = await createTestPlan({ keys: 40, purchaseLimit: 5 });
    const createAccount = createMailbox();
    const outcomes: (string | null)[] = [];
    for (let n = 0; n < 4; n++) {
      const account = await createAccount(false);
      outcomes.push(await getErrorName(sale.sell(account, id, 5)));
    }
    expect(outcomes).toEqual([null, "purchase_limit", "purchase_limit", "purchase_limit"]);
    const plain = await sale.createBuyer();
    await sale.sell(plain, id, 5);
    const errors = await Promise.all(
      [await createAccount(false), plain].map((buyer) => order(buyer, id).catch((error: unknown) => error)),
    );
    for (const error of errors) expect(isShopError(error, "purchase_limit")).toBe(true);
    const [other, own] = errors as { error: string; params: object }[];
    expect([other!.error, other!.params]).toEqual([own!.error, own!.params]);
  });

  it("is never exceeded by parallel orders of several accounts", async () => {
    for (const verified of [true, false]) {
      const { id } = await createTestPlan({ keys: 40, purchaseLimit: 5 });
      const accounts = await createBuyers(5, createMailbox().bind(null, verified));
      const outcomes = await Promise.all(accounts.map((account) => tryOrder(account, id, 1)));
      expect(countNames(outcomes)).toEqual({ ordered: 5 });
      const further = await createBuyers(2, createMailbox().bind(null, verified));
      const both = await Promise.all(further.map((account) => tryOrder(account, id, 3)));
      expect(countNames(both)).toEqual({ ordered: 1, purchase_limit: 1 });
    }
  });

  it("starts unused for the owner who verifies an address with which others have bought", async () => {
    const { id } = await createTestPlan({ keys: 40, purchaseLimit: 2 });
    const createAccount = createMailbox();
    const [taken, other] = [await createAccount(false), await createAccount(false)];
    await sale.sell(taken, id, 1);
    await sale.sell(other, id, 1);
    expect(await tryOrder(taken, id)).toBe("purchase_limit");
    const owner = await verify(taken);
    const line = await createCartLine(owner.id, id);
    const { cart_items } = await getCart(owner.viewer, "en");
    expect(cart_items.find(({ cart_id }) => cart_id === line)!.max_quantity).toBe(2);
    await sale.sell(owner, id, 2);
    expect(await tryOrder(owner, id)).toBe("purchase_limit");
    expect(await tryOrder(await createAccount(true), id)).toBe("purchase_limit");
  });

  it("counts an account under its earlier addresses", async () => {
    const { id } = await createTestPlan({ keys: 9, purchaseLimit: 1 });
    const buyer = await sale.createBuyer();
    await sale.sell(buyer, id);
    const email = `moved-${buyer.email}`;
    await db.execute(sql`update users set email = ${email} where id = ${buyer.id}`);
    expect(await tryOrder({ ...buyer, viewer: { ...buyer.viewer, email } }, id)).toBe("purchase_limit");
  });

  it("is free again after the order that held it is cancelled", async () => {
    for (const verified of [true, false]) {
      const { id } = await createTestPlan({ keys: 9, purchaseLimit: 1 });
      const createAccount = createMailbox();
      const [first, second] = [await createAccount(verified), await createAccount(verified)];
      const orderId = await order(first, id);
      const outcomes = [await tryOrder(second, id)];
      await cancelOrder(first.viewer, { order_id: orderId });
      outcomes.push(await tryOrder(second, id));
      expect(outcomes).toEqual(["purchase_limit", null]);
    }
  });
});

describe("unpaid orders of one mailbox", () => {
  it(`are at most ${UNPAID_ORDERS_MAX}, across all its verified accounts and parallel tabs`, async () => {
    const { id } = await createTestPlan({ keys: 90 });
    const createAccount = createMailbox();
    const [first, second] = [await createAccount(true), await createAccount(true)];
    const plans = await Promise.all(Array.from({ length: 4 }, () => createTestPlan({ keys: 9 })));
    const tabs = plans.flatMap((plan) => [first, second].map((account) => tryOrder(account, plan.id)));
    expect(countNames(await Promise.all(tabs))).toEqual({ ordered: 5, holds_full: 3 });
    expect(await tryOrder(await createAccount(true), id)).toBe("holds_full");
    expect(await tryOrder(await sale.createBuyer(), id)).toBe(null);
    // An unverified account of the mailbox is counted separately, so that it does not block the owner.
    expect(await tryOrder(await createAccount(false), id)).toBe(null);
  });

  it("are limited to one line while its address is unverified, even from two tabs, and send it no email", async () => {
    const createAccount = createMailbox();
    const [user, other] = [await createAccount(false), await createAccount(false)];
    const { id } = await createTestPlan({ keys: 30 });
    await order(user, id, UNVERIFIED_UNITS_MAX - 1);
    const second = await createTestPlan();
    const outcomes = await Promise.all([tryOrder(user, id), tryOrder(other, second.id)]);
    expect(countNames(outcomes)).toEqual({ ordered: 1, holds_unverified: 1 });
    const mails = await db.execute(
      sql`select event from mails where to_address in ${[user.email, other.email]}`,
    );
    expect([...mails]).toEqual([]);
  });

  it("of unverified accounts do not limit its verified owner", async () => {
    const { id } = await createTestPlan({ keys: 30 });
    const createAccount = createMailbox();
    await order(await createAccount(false), id, UNVERIFIED_UNITS_MAX);
    const origin = { ip: clientAddress(), device: "owner" };
    expect(await tryOrder(await createAccount(true), id, 10, origin)).toBe(null);
    const taken = await createUnverified();
    const other = await createTestPlan({ keys: 30 });
    for (let n = 0; n < PAUSE_AFTER_ORDERS; n++)
      await cancelOrder(taken.viewer, { order_id: await order(taken, other.id) });
    expect(await tryOrder(taken, other.id)).toBe("holds_paused");
    expect(await tryOrder(await verify(taken), other.id)).toBe(null);
  });
});

describe("the first unpaid order of a verified mailbox", () => {
  it("is never refused while a key is free: many buyers on one IP address and device buy all keys", async () => {
    const buyers = 60;
    const { id } = await createTestPlan({ keys: buyers });
    const origin = { ip: "198.51.100.7", device: "shared" };
    const [verifiedBuyers, unverifiedBuyers] = await Promise.all([
      createBuyers(buyers, sale.createBuyer),
      createBuyers(10, createUnverified),
    ]);
    const outcomes = await Promise.all(verifiedBuyers.map((buyer) => tryOrder(buyer, id, 1, origin)));
    expect(countNames(outcomes)).toEqual({ ordered: buyers });
    expect(await Promise.all(unverifiedBuyers.map((one) => tryOrder(one, id, 1, origin)))).toEqual(
      Array(10).fill("sold_out"),
    );
  });

  it("gets the keys that unverified buyers cannot hold", async () => {
    const { id } = await createTestPlan({ keys: 40 });
    const unverifiedBuyers = await createBuyers(12, createUnverified);
    const held = await Promise.all(
      unverifiedBuyers.map((one) => tryOrder(one, id, 5, { ip: clientAddress(), device: one.id })),
    );
    expect(countNames(held)).toEqual({ ordered: 4, stock_held: 8 });
    const verifiedBuyers = await createBuyers(20, sale.createBuyer);
    const outcomes = await Promise.all(verifiedBuyers.map((buyer) => tryOrder(buyer, id)));
    expect(countNames(outcomes)).toEqual({ ordered: 20 });
    expect(await countHeld(id)).toBe(40);
  });
});

describe("the exemption of first unpaid orders", () => {
  /** Orders the units, and leaves them unpaid: the order is cancelled, or expires. */
  async function leaveUnpaid(
    buyer: sale.Buyer,
    planId: number,
    quantity: number,
    origin: OrderOrigin,
    expires = false,
  ) {
    const id = await order(buyer, planId, quantity, origin);
    if (!expires) return cancelOrder(buyer.viewer, { order_id: id });
    await sale.expireHold(id);
  }

  it("ends for an address group after three unpaid orders, so that four mailboxes hold a plan only once", async () => {
    const { id } = await createTestPlan({ keys: 34 });
    const origin = { ip: "198.51.100.71" };
    const mailboxes = await createBuyers(4, sale.createBuyer);
    for (const [n, one] of mailboxes.entries())
      await leaveUnpaid(one, id, n < 3 ? 10 : 4, origin, n % 2 === 1);
    const again = [];
    for (const one of mailboxes) again.push(await tryOrder(one, id, 10, origin));
    expect(countNames(again)).toEqual({ ordered: 1, exemption_ended: 3 });
    expect(await countHeld(id)).toBe(10);
    // An honest buyer of the same network still finds a key, and one of another network too.
    expect(await tryOrder(await sale.createBuyer(), id, 1, origin)).toBe(null);
    expect(await tryOrder(await sale.createBuyer(), id, 10, { ip: "198.51.100.72" })).toBe(null);
    await sale.setClockAhead("25 hours");
    await sweepJob.run(undefined);
    expect(await tryOrder(await sale.createBuyer(), id, 10, origin)).toBe(null);
  });

  it("leaves keys to honest buyers while four mailboxes behind one address hold and cancel a plan twelve times", async () => {
    const [rounds, stock] = [12, 34];
    const { id } = await createTestPlan({ keys: stock });
    const origin = { ip: "198.51.100.73" };
    const mailboxes = await createBuyers(4, sale.createBuyer);
    const answers: (string | null)[] = [];
    const perRound: number[] = [];
    const units: number[] = [];
    const honest = { near: [] as (string | null)[], far: [] as (string | null)[] };
    const buyOne = async (from: OrderOrigin) => {
      const buyer = await sale.createBuyer();
      let name: string | null = null;
      const orderId = await order(buyer, id, 1, from).catch((error: unknown) => {
        name = isShopError(error) ? error.error : "another error";
      });
      if (!orderId) return name;
      await sale.pay(buyer, orderId);
      await sale.processEvents();
      await createKeys(id, 1); // the stock stays the same for the next round
      return name;
    };
    for (let round = 0; round < rounds; round++) {
      const held: [sale.Buyer, string][] = [];
      for (const [n, one] of mailboxes.entries()) {
        const placed = await order(one, id, n < 3 ? 10 : 4, origin).catch((error: unknown) => error);
        answers.push(
          typeof placed === "string" ? null : isShopError(placed) ? placed.error : "another error",
        );
        if (typeof placed === "string") held.push([one, placed]);
      }
      perRound.push(held.length);
      units.push(await countHeld(id));
      honest.far.push(await buyOne({ ip: clientAddress() }));
      honest.near.push(await buyOne(origin));
      for (const [one, order_id] of held) await cancelOrder(one.viewer, { order_id });
    }
    const [near, far] = [countNames(honest.near), countNames(honest.far)];
    console.info(
      `four mailboxes, ${stock} keys, ${answers.length} orders: ${JSON.stringify(countNames(answers))}, accepted a round: ${perRound.join(" ")}, keys held: ${units.join(" ")}; ` +
        `honest buyers beside them: ${JSON.stringify(far)} from other addresses, ${JSON.stringify(near)} from the same one`,
    );
    // The plan is held whole once, and then half of it at most.
    expect([perRound[0], units[0]]).toEqual([4, stock]);
    expect(Math.max(...units.slice(1))).toBeLessThanOrEqual(stock / 2);
    expect({ near: honest.near.slice(1), far: honest.far.slice(1) }).toEqual({
      near: Array(rounds - 1).fill(null),
      far: Array(rounds - 1).fill(null),
    });
  });

  it("ends for an account and its email identity, wherever they order", async () => {
    const { id } = await createTestPlan({ keys: 20 });
    const createAccount = createMailbox();
    const buyer = await createAccount(true);
    for (let n = 0; n < EXEMPTION_ENDS_AFTER; n++) {
      const account = await createAccount(true);
      await leaveUnpaid(account, id, 1, { ip: clientAddress() });
    }
    expect(await tryOrder(buyer, id, 11, { ip: clientAddress() })).toBe("exemption_ended");
    expect(await tryOrder(buyer, id, 10, { ip: clientAddress() })).toBe(null);
  });

  it("stays after paid orders and after two unpaid ones", async () => {
    const { id } = await createTestPlan({ keys: 20 });
    const origin = { ip: clientAddress() };
    for (let n = 0; n < EXEMPTION_ENDS_AFTER; n++) await sale.sell(await sale.createBuyer(), id);
    for (let n = 0; n < EXEMPTION_ENDS_AFTER - 1; n++)
      await leaveUnpaid(await sale.createBuyer(), id, 1, origin);
    expect(await tryOrder(await sale.createBuyer(), id, 10, origin)).toBe(null);
    expect(await tryOrder(await sale.createBuyer(), id, 7, origin)).toBe(null);
  });
});

describe("further unpaid orders", () => {
  it("hold at most half of a plan's stock, rounded up", async () => {
    const { id } = await createTestPlan({ keys: 25 });
    const buyer = await sale.createBuyer();
    await order(buyer, id, 10);
    expect(await tryOrder(buyer, id, 4)).toBe("stock_held");
    expect(await tryOrder(buyer, id, 3)).toBe(null);
    expect(await tryOrder(buyer, id, 1)).toBe("stock_held");
    expect(await tryOrder(await createUnverified(), id, 1)).toBe("stock_held");
    expect(await countHeld(id)).toBe(13);
  });

  it("can take the last key, and a pre-order without stock", async () => {
    const buyer = await createUnverified();
    expect(await tryOrder(buyer, (await createTestPlan({ keys: 1 })).id)).toBe(null);
    const preOrder = await createTestPlan({ keys: 0, availability: "pre_order" });
    expect(await tryOrder(buyer, preOrder.id)).toBe(null);
  });

  it(`of unverified accounts hold at most ${FURTHER_UNITS_PER_ADDRESS} units per IP address, in any spelling`, async () => {
    const { id } = await createTestPlan({ keys: 200 });
    const spellings = ["2001:db8:7::1", "2001:DB8:7:0:1::2", "[2001:db8:7::3]:443", "2001:db8:7::4%eth0"];
    const unverifiedBuyers = await createBuyers(20, createUnverified);
    const held = await Promise.all(
      unverifiedBuyers.map((one, n) => tryOrder(one, id, 10, { ip: spellings[n % 4], device: one.id })),
    );
    expect(countNames(held)).toEqual({ ordered: 4, holds_shared: 16 });
    const elsewhere = { ip: "2001:db8:8::1" };
    expect(await tryOrder(await createUnverified(), id, 10, elsewhere)).toBe(null);
    // A verified buyer's first order passes, and is not counted for the address.
    expect(await tryOrder(await sale.createBuyer(), id, 10, { ip: spellings[0] })).toBe(null);
    expect(await tryOrder(await createUnverified(), id, 10, elsewhere)).toBe(null);
  });

  it(`hold at most ${FURTHER_UNITS_PER_DEVICE} units from one device`, async () => {
    const { id } = await createTestPlan({ keys: 200 });
    const device = "one-browser";
    const held = await Promise.all(
      (await createBuyers(5, createUnverified)).map((one) =>
        tryOrder(one, id, 10, { ip: clientAddress(), device }),
      ),
    );
    expect(countNames(held)).toEqual({ ordered: 2, holds_shared: 3 });
    const buyer = await sale.createBuyer();
    expect(await tryOrder(buyer, id, 10, { device })).toBe(null);
    expect(await tryOrder(buyer, id, 1, { device })).toBe("holds_shared");
  });
});

describe("a pause after unpaid orders", () => {
  it("begins after the fifth of a day, ends on time, and is doubled by the next", async () => {
    const buyer = await createUnverified();
    const { id } = await createTestPlan({ keys: 30 });
    for (let n = 0; n < PAUSE_AFTER_ORDERS; n++)
      await cancelOrder(buyer.viewer, { order_id: await order(buyer, id) });
    const refused = await order(buyer, id).catch((error: unknown) => error);
    expect(refused).toMatchObject({ error: "holds_paused", params: { minutes: 15 } });
    await sale.setClockAhead("16 minutes");
    const orderId = await order(buyer, id);
    await sale.setClockAhead("47 minutes");
    await sweepJob.run(undefined);
    expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
    expect(await order(buyer, id).catch((error: unknown) => error)).toMatchObject({
      error: "holds_paused",
      params: { minutes: 30 },
    });
    await sale.setClockAhead("78 minutes");
    expect(await tryOrder(buyer, id)).toBe(null);
    expect(await tryOrder(await sale.createBuyer(), id)).toBe(null);
  });

  it("applies to a verified mailbox too, once its exemption has ended", async () => {
    const buyer = await sale.createBuyer();
    const { id } = await createTestPlan({ keys: 6 });
    const origin = { ip: clientAddress(), device: "of-one-buyer" };
    for (let n = 0; n < PAUSE_AFTER_ORDERS; n++)
      await cancelOrder(buyer.viewer, { order_id: await order(buyer, id, 1, origin) });
    expect(await order(buyer, id, 1, origin).catch((error: unknown) => error)).toMatchObject({
      error: "holds_paused",
      params: { minutes: 15 },
    });
    // Others order as before, the last keys of a plan with little stock too.
    expect(await tryOrder(await sale.createBuyer(), id, 6, { ip: clientAddress() })).toBe(null);
  });

  it("applies to the unverified accounts of one device", async () => {
    const { id } = await createTestPlan({ keys: 30 });
    const origin = { device: "serial" };
    for (const one of await createBuyers(PAUSE_AFTER_ORDERS, createUnverified))
      await cancelOrder(one.viewer, { order_id: await order(one, id, 1, origin) });
    expect(await tryOrder(await createUnverified(), id, 1, origin)).toBe("holds_paused");
    expect(await tryOrder(await sale.createBuyer(), id, 1, origin)).toBe(null);
  });

  it("lasts twelve hours at most", () => {
    const orders = [PAUSE_AFTER_ORDERS - 1, PAUSE_AFTER_ORDERS, PAUSE_AFTER_ORDERS + 1, 100];
    expect(orders.map(pauseMinutes)).toEqual([0, 15, 30, PAUSE_MINUTES_MAX]);
  });
});

describe("an order", () => {
  it("holds scarce stock for 15 minutes and other stock for 30", async () => {
    const buyer = await sale.createBuyer();
    const ids = [
      await order(buyer, (await createTestPlan({ keys: 5 })).id),
      await order(buyer, (await createTestPlan({ keys: 6 })).id),
    ];
    const rows = await db.execute<{ minutes: number }>(sql`
      select round(extract(epoch from hold_ends_at - created_at) / 60)::int as minutes from orders
      where id in ${ids} order by created_at`);
    expect(rows.map(({ minutes }) => minutes)).toEqual([15, 30]);
  });

  it("keeps hashes of its buyer, device and address for a day", async () => {
    const buyer = await sale.createBuyer();
    const origin = { ip: "198.51.100.77", device: "browser-of-one-day" };
    const { id } = await createTestPlan();
    const orderId = await order(buyer, id, 1, origin);
    const readHold = () => db.execute(sql`select * from order_holds where order_id = ${orderId}`);
    const stored = JSON.stringify([...(await readHold())]);
    for (const text of [buyer.email, origin.ip, origin.device]) expect(stored).not.toContain(text);
    await sale.setClockAhead("26 hours");
    await deleteOldHoldsJob.run(undefined);
    expect(await readHold()).toHaveLength(1); // it can still be paid
    await sweepJob.run(undefined);
    await sale.setClockAhead("52 hours");
    await deleteOldHoldsJob.run(undefined);
    expect(await readHold()).toHaveLength(0);
  });
});
