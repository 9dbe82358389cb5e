import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { listDayFigures } from "@/lib/orders/insight/list-day-figures";
import { recountDayFigures, updateDayFigures } from "@/lib/orders/insight/update-day-figures";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { isShopError } from "@/lib/platform/errors";
import {
  type Buyer,
  createBuyer,
  expireHold,
  orderPlan,
  receiveEventsInProcess,
  runQueue,
  sellWithoutMails,
  setClockAhead,
} from "../setup/sale";

beforeAll(receiveEventsInProcess);
afterEach(() => setClockAhead("0"));
afterAll(closeDatabase);

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const median = (values: number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
};

/** Counts the sales of each day from the rows themselves. */
async function countSales() {
  const orders = await client()<{ paid: string; shipped: string | null; preOrder: boolean }[]>`
    select paid_at as paid, shipped_at as shipped,
      (select bool_or(pre_order) from order_lines l where l.order_id = o.id) as "preOrder"
    from orders o where paid_at is not null`;
  const entries = await client()<{ account: string; cents: number; at: string }[]>`
    select account, amount_cents as cents, created_at as at from ledger_entries`;
  const dayOf = (time: string) => new Date(time).toISOString().slice(0, 10);
  const days = new Map<string, { orders: number; revenue: number; refunded: number; seconds: number[] }>();
  const day = (time: string) => {
    const key = dayOf(time);
    const found = days.get(key) ?? { orders: 0, revenue: 0, refunded: 0, seconds: [] };
    days.set(key, found);
    return found;
  };
  for (const { paid, shipped, preOrder } of orders) {
    day(paid).orders += 1;
    if (shipped && !preOrder) day(paid).seconds.push((Date.parse(shipped) - Date.parse(paid)) / 1000);
  }
  for (const { account, cents, at } of entries) {
    if (account === "sales") day(at).revenue -= cents;
    if (account === "refunds") day(at).refunded += cents;
  }
  return days;
}

/** Replays the events of all keys in the order of time. */
async function replayStock() {
  const events = await client()<{ plan: number; key: string; event: string; at: string }[]>`
    select k.plan_id as plan, e.key_id as key, e.event, e.created_at as at from key_events e join keys k on k.id = e.key_id
    order by e.created_at, e.id`;
  const available = new Set<string>();
  const counts = new Map<number, number>();
  const rows = new Map<string, { opening: number; closing: number; lowest: number; ranOut: number }>();
  for (const { plan, key, event, at } of events) {
    const was = available.has(key);
    if (["imported", "released", "restocked"].includes(event)) available.add(key);
    else if (["reserved", "revoked", "withheld"].includes(event)) available.delete(key);
    if (was === available.has(key)) continue;
    const before = counts.get(plan) ?? 0;
    const after = before + (was ? -1 : 1);
    counts.set(plan, after);
    const name = `${new Date(at).toISOString().slice(0, 10)} ${plan}`;
    const row = rows.get(name) ?? { opening: before, closing: after, lowest: before, ranOut: 0 };
    rows.set(name, {
      opening: row.opening,
      closing: after,
      lowest: Math.min(row.lowest, after),
      ranOut: row.ranOut + (was && after === 0 ? 1 : 0),
    });
  }
  return rows;
}

const DAY_MS = 86_400_000;

describe("the daily figures", () => {
  it("equal a recount after random sales, refunds, holds and imports on several days", async () => {
    const seed = Number(process.env.FIGURES_SEED) || Math.floor(Math.random() * 1e9);
    console.log(`day figures: FIGURES_SEED=${seed}`);
    const below = randomNumbers(seed);
    const plans = await Promise.all([
      createSinglePlan({ type: "month", priceCents: 3000, keys: 3 }),
      createSinglePlan({ type: "week", priceCents: 900, keys: 1 }),
      createSinglePlan({ type: "day", priceCents: 0, keys: 4 }),
    ]);
    const sold: { buyer: Buyer; orderId: string }[] = [];
    const sell = async (planId: number) => {
      const buyer = await createBuyer();
      sold.push({ buyer, orderId: await sellWithoutMails(buyer, planId) });
    };
    // There is always a refund, and a plan that runs out.
    await sell(plans[1]!.id);
    await sell(plans[0]!.id);
    const act = async () => {
      const plan = plans[below(plans.length)]!;
      const [stock] = await client()<{ n: number }[]>`
        select count(*)::int as n from keys where plan_id = ${plan.id} and state = 'available'`;
      const choice = below(10);
      if (choice === 0 || stock!.n === 0) await createKeys(plan.id, 1 + below(3));
      else if (choice === 1) {
        const [key] = await client()<{ id: string }[]>`
          update keys set state = 'revoked' where id = (select id from keys where plan_id = ${plan.id} and state = 'available' limit 1)
          returning id`;
        await client()`insert into key_events (key_id, event, actor) values (${key!.id}, 'revoked', 'test')`;
      } else if (choice <= 3 && plan !== plans[2]) {
        const buyer = await createBuyer();
        await expireHold(await orderPlan(buyer, plan.id));
      } else if (choice <= 5 && sold.length > 0) await refund(below(sold.length));
      else if (plan !== plans[2]) await sell(plan.id);
    };
    const refund = async (index: number) => {
      for (const { buyer, orderId } of sold.splice(index, 1)) {
        const [line] = await client()<
          { id: string }[]
        >`select id from order_lines where order_id = ${orderId}`;
        const refused = await requestRefund(
          buyer.viewer,
          { order_id: orderId, order_product_id: line!.id },
          "en",
        ).catch((error: unknown) => error);
        if (refused instanceof Error && !isShopError(refused, "refund_not_allowed")) throw refused;
        await runQueue({ mails: false });
      }
    };
    await refund(1);
    for (let day = 0; day < 4; day += 1) {
      await setClockAhead(`${day} days`);
      for (let n = 0; n < 7; n += 1) await act();
      if (day % 2 === 0) await updateDayFigures();
    }
    await updateDayFigures();
    await updateDayFigures();

    const sales = await countSales();
    const figures = await listDayFigures(30);
    expect(figures).toHaveLength(30);
    for (const { day, orders, revenueCents, refundedCents, deliverySeconds, refundShare } of figures) {
      const counted = sales.get(day) ?? { orders: 0, revenue: 0, refunded: 0, seconds: [] };
      const seconds = median(counted.seconds);
      expect([day, orders, revenueCents, refundedCents], `FIGURES_SEED=${seed}`).toEqual([
        day,
        counted.orders,
        counted.revenue,
        counted.refunded,
      ]);
      if (seconds === null) expect(deliverySeconds).toBeNull();
      else expect(Math.abs(deliverySeconds! - seconds)).toBeLessThanOrEqual(0.5);
      expect(refundShare).toBe(counted.revenue > 0 ? counted.refunded / counted.revenue : null);
    }
    expect(figures.reduce((sum, { refundedCents }) => sum + refundedCents, 0)).toBeGreaterThanOrEqual(3000);
    const stock = await replayStock();
    const rows = await client()<{ name: string }[]>`
      select to_char(day, 'YYYY-MM-DD') || ' ' || plan_id as name, opening, closing, lowest, ran_out as "ranOut" from stock_daily`;
    expect(new Map(rows.map(({ name, ...row }) => [name, row])), `FIGURES_SEED=${seed}`).toEqual(stock);
    for (const { day, stockOuts } of figures)
      expect(stockOuts).toBe(
        [...stock].filter(([name, row]) => name.startsWith(day) && row.ranOut > 0).length,
      );
    expect(figures.some(({ stockOuts }) => stockOuts > 0)).toBe(true);
    expect(await recountDayFigures()).toEqual([]);
  });

  it("are corrected and reported when a closed day was stored with other values", async () => {
    await updateDayFigures();
    await setClockAhead("20 days");
    await updateDayFigures();
    const day = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10);
    await client()`update sales_daily set revenue_cents = revenue_cents + 7 where day = ${day}`;
    expect(await recountDayFigures()).toMatchObject([
      { day, stored: { revenueCents: 7 }, counted: { revenueCents: 0 } },
    ]);
    expect(await recountDayFigures()).toEqual([]);
    const [sold] = await client()<{ day: string; planId: number }[]>`
      select to_char(day, 'YYYY-MM-DD') as day, plan_id as "planId" from stock_daily
      where day < (shop_now() at time zone 'UTC')::date - 1 and ran_out = 0 limit 1`;
    await client()`update stock_daily set ran_out = 1 where day = ${sold!.day} and plan_id = ${sold!.planId}`;
    const [difference] = await recountDayFigures();
    expect(difference).toMatchObject({ day: sold!.day });
    expect(difference!.stored.stockOuts).toBe(difference!.counted.stockOuts + 1);
    expect(await recountDayFigures()).toEqual([]);
  });
});
