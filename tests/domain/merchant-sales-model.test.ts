import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { commissionRules } from "@/db/schema/merchants";
import { orderEvents, orderLines, orders } from "@/db/schema/orders";
import { ledgerEntries, payments } from "@/db/schema/payments";
import { sandboxDisputes, sandboxIntents } from "@/db/schema/sandbox";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import { assignPaidOrder } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { giveGoodwill } from "@/lib/orders/refunds/give-goodwill";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { lacksAllSales, recordAllSales, recordMissingSales } from "@/lib/orders/sales/record-missing-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { splitByLargestRemainder } from "@/lib/platform/money";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";

const ORDERS = rounds(2_000, 160);
const LANES = 4;
const SHAPES = [
  { type: "month", priceCents: 2_999, keys: ORDERS },
  { type: "week", priceCents: 701, keys: ORDERS },
  // Runs out, so that lines wait, in part or in whole.
  { type: "lifetime", priceCents: 19_901, keys: Math.round(ORDERS / 6) },
] as const;
type Plan = { id: number; productId: number; shape: (typeof SHAPES)[number] };
const plans: Plan[] = [];
const merchantIds: string[] = [];
let buyers: SignedInUser[] = [];

beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyers = await Promise.all(Array.from({ length: 5 }, () => createSignedInUser()));
  for (const bps of [null, 1_234, 2_000]) {
    const merchant = await createMerchant();
    merchantIds.push(merchant.id);
    const product = await createProduct({ merchantId: merchant.id, plans: [...SHAPES] });
    for (const [i, { id }] of product.plans.entries())
      plans.push({ id, productId: product.id, shape: SHAPES[i]! });
    if (bps !== null)
      await db.insert(commissionRules).values({
        id: newId("cmr"),
        merchantId: merchant.id,
        bps,
        fixedCents: 15,
        validFrom: new Date("2025-01-01"),
        createdBy: "test",
      });
  }
});
afterAll(sale.closeSale);

const STEPS = ["refund", "goodwill", "withdraw", "lose", "replace", "ask", "overdue", "assign"] as const;
const RandomOrder = fc.record({
  lines: fc.uniqueArray(
    fc.record({ plan: fc.integer({ min: 0, max: 8 }), quantity: fc.integer({ min: 1, max: 3 }) }),
    { minLength: 1, maxLength: 3, selector: ({ plan }) => plan },
  ),
  discountCents: fc.constantFrom(0, 0, 33, 499),
  buyer: fc.integer({ min: 0, max: 4 }),
  steps: fc.array(
    fc.record({ step: fc.constantFrom(...STEPS), line: fc.nat(2), cents: fc.integer({ min: 1, max: 900 }) }),
    { maxLength: 3 },
  ),
});
type RandomOrder = ReturnType<typeof randomOrders>[number] & object;
const randomOrders = () => fc.sample(RandomOrder, { numRuns: ORDERS, seed: 20261124 });
type PaidOrder = { id: string; intentId: string; lineIds: string[]; random: RandomOrder };

/** Writes paid orders as payments leave them, in few statements; the commands under test do the rest. */
async function payForAll(randoms: RandomOrder[]): Promise<PaidOrder[]> {
  const all = randoms.map((random) => {
    const [id, intentId] = [newId("ord"), newId("pi")];
    const grosses = random.lines.map(({ plan, quantity }) => plans[plan]!.shape.priceCents * quantity);
    const discounts = splitByLargestRemainder(random.discountCents, grosses);
    const lines = random.lines.map(({ plan, quantity }, i) => {
      const { id: planId, productId, shape } = plans[plan]!;
      const refundable = shape.type !== "week";
      return {
        id: newId("line"),
        orderId: id,
        productId,
        planId,
        position: i,
        quantity,
        unitPriceCents: shape.priceCents,
        discountCents: discounts[i]!,
        totalCents: grosses[i]! - discounts[i]!,
        passType: shape.type,
        durationDays: { month: 30, week: 7, lifetime: null }[shape.type],
        refundRule: {
          days: 15,
          refundable,
          reason: refundable ? ("refundable" as const) : ("short_pass" as const),
        },
      };
    });
    const subtotalCents = grosses.reduce((sum, cents) => sum + cents, 0);
    const totalCents = subtotalCents - random.discountCents;
    return { id, intentId, random, lines, subtotalCents, totalCents };
  });
  const holdEndsAt = new Date(Date.now() + 3_600_000);
  await db.insert(orders).values(
    all.map(({ id, random, subtotalCents, totalCents }) => {
      const { id: userId, email: sendEmail } = buyers[random.buyer]!;
      const { discountCents } = random;
      return {
        id,
        userId,
        sendEmail,
        locale: "en",
        country: "DE",
        subtotalCents,
        discountCents,
        totalCents,
        holdEndsAt,
      };
    }),
  );
  await db.insert(orderLines).values(all.flatMap(({ lines }) => lines));
  const ids = all.map(({ id }) => id);
  await db.execute(sql`
    update orders o set status = 'paid', paid_at = shop_now(), transaction_id = i.intent
    from unnest(${sql.param(ids)}::text[], ${sql.param(all.map(({ intentId }) => intentId))}::text[]) i(id, intent) where o.id = i.id`);
  await db.insert(orderEvents).values(
    ids.flatMap((orderId) => [
      { orderId, event: "created" as const, toStatus: "pending" as const },
      {
        orderId,
        fromStatus: "pending" as const,
        event: "payment_verified" as const,
        toStatus: "paid" as const,
      },
    ]),
  );
  const paid = all.map((order) => ({ ...order, paymentId: newId("pay") }));
  await db.insert(payments).values(
    paid.map(({ paymentId, id: orderId, intentId, totalCents: amountCents }) => ({
      id: paymentId,
      orderId,
      intentId,
      state: "succeeded" as const,
      amountCents,
      currency: "usd",
      receiptEmail: "model@example.com",
    })),
  );
  await db.insert(ledgerEntries).values(
    paid.flatMap(({ paymentId: transferId, id: orderId, totalCents }) => [
      { transferId, orderId, account: "provider_cash" as const, amountCents: totalCents },
      { transferId, orderId, account: "sales" as const, amountCents: -totalCents },
    ]),
  );
  await db.insert(sandboxIntents).values(
    paid.map(({ intentId: id, id: order_id, paymentId: payment_id, totalCents: amountCents }) => ({
      id,
      clientSecret: `${id}_secret`,
      status: "succeeded" as const,
      amountCents,
      receivedCents: amountCents,
      currency: "usd",
      metadata: { order_id, payment_id },
    })),
  );
  return all.map(({ id, intentId, random, lines }) => ({
    id,
    intentId,
    random,
    lineIds: lines.map((line) => line.id),
  }));
}

async function takeStep(
  order: PaidOrder,
  { step, line, cents }: RandomOrder["steps"][number],
): Promise<void> {
  const { viewer } = buyers[order.random.buyer]!;
  const lineId = order.lineIds[line % order.lineIds.length]!;
  const request = { order_id: order.id, order_product_id: lineId };
  if (step === "assign") return assignPaidOrder(order.id);
  if (step === "refund") return void (await requestRefund(viewer, request, "en"));
  if (step === "withdraw")
    return void (await withdrawFromOrder(
      viewer,
      { order_id: order.id, order_product_ids: [lineId], confirm: true },
      "en",
      "",
    ));
  if (step === "goodwill")
    return transaction(async (tx) => {
      const locked = await lockOrder(tx, order.id);
      const [row] = await tx.execute<{ cents: number }>(sql`
        select refunded_cents as cents from order_lines where id = ${lineId}`);
      const goodwill = { lineId, amountCents: cents, refundedCents: row!.cents, reason: "model" };
      await giveGoodwill(tx, locked, goodwill, { actor: "staff:model", locale: "en" });
    });
  if (step === "lose") {
    const id = newId("du");
    await db
      .insert(sandboxDisputes)
      .values({ id, intentId: order.intentId, status: "lost", reason: "fraudulent" })
      .onConflictDoNothing();
    const [dispute] = await db.execute<{ id: string }>(sql`
      select id from sandbox_disputes where intent_id = ${order.intentId}`);
    return updateDispute(dispute!.id);
  }
  if (step === "overdue") {
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() where order_id = ${order.id} and state = 'waiting'`,
    );
    return refundOverdueLines(order.id);
  }
  if (step === "replace") {
    const [key] = await db.execute<{ id: string }>(sql`
      select id from keys where order_line_id = ${lineId} and state = 'assigned' limit 1`);
    if (!key) return;
    await requestReplacement(viewer, { library_id: key.id, reason: "does not work" });
    const [asked] = await db.execute<{ id: string }>(sql`
      select id from replacement_requests where key_id = ${key.id} and state = 'asked'`);
    return void (await approveReplacement(asked!.id, "staff:model"));
  }
  // The codes were seen, so that the merchant is asked; every second answer is "used".
  await db.execute(
    sql`update keys set first_revealed_at = shop_now() where order_line_id = ${lineId} and state = 'assigned'`,
  );
  await requestRefund(viewer, request, "en");
  const [asked] = await db.execute<{ id: string }>(sql`
    select id from refund_requests where order_line_id = ${lineId} and state = 'asked'`);
  if (asked)
    await decideRefundRequest(asked.id, { decision: cents % 2 ? "approved" : "refused", by: "vendor" });
}

/** Runs the work of each order in order; several orders at a time. */
async function inLanes(all: PaidOrder[], work: (order: PaidOrder) => Promise<void>): Promise<void> {
  const rest = all.values();
  const lane = async () => {
    for (const order of rest) await work(order);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** What the sales should be, from the lines alone, and what they are. */
const readSums = () =>
  db.execute<{ merchant: string; lines: string; sales: string }>(sql`
    with sold as (
      select l.*, p.merchant_id, case when p.merchant_id = ${merchantIds[0]!} then 1500 when p.merchant_id = ${merchantIds[1]!} then 1234 else 2000 end as bps,
        case when p.merchant_id = ${merchantIds[0]!} then 0 else 15 end as fixed
      from order_lines l join products p on p.id = l.product_id
      where exists (select from key_events e where e.order_line_id = l.id and e.event = 'assigned')),
    priced as (
      select s.*, s.unit_price_cents * s.quantity as gross,
        floor(s.unit_price_cents * s.quantity * s.bps / 10000.0 + 0.5)::int + s.fixed * s.quantity as commission from sold s),
    expected as (
      select merchant_id, array[count(*), sum(quantity), sum(gross), sum(discount_cents), sum(total_cents), sum(refunded_cents - goodwill_cents),
        sum(commission), sum(gross - commission), sum(refunded_quantity), sum(round(gross::numeric * (refunded_cents - goodwill_cents) / total_cents)),
        count(*) filter (where refunded_cents - goodwill_cents = total_cents)]::bigint[]::text as sums
      from priced group by 1)
    select e.merchant_id as merchant, e.sums as lines, (
      select array[count(*), sum(units), sum(gross_cents), sum(s.discount_cents), sum(gross_cents - s.discount_cents),
        sum(s.refunded_cents), sum(commission_cents), sum(net_cents), sum(refunded_units), sum(commission_back_cents + net_back_cents),
        count(*) filter (where s.state = 'refunded')]::bigint[]::text
      from merchant_sales s where s.merchant_id = e.merchant_id) as sales
    from expected e where e.merchant_id in ${merchantIds} order by 1`);

it("the sales of merchants are the sum of their paid lines after random orders, refunds, replacements and disputes", async () => {
  const paid = await payForAll(randomOrders());
  const refused = new Map<string, number>();
  const done = new Map<string, number>();
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
  await inLanes(paid, async (order) => {
    await assignPaidOrder(order.id);
    for (const step of order.random.steps)
      try {
        await takeStep(order, step);
        count(done, step.step);
      } catch (error) {
        if (!isShopError(error)) throw error;
        count(refused, step.step);
      }
  });
  const sums = await readSums();
  expect(sums.length).toBe(3);
  for (const { lines, sales } of sums) expect(sales).toBe(lines);
  for (const step of STEPS)
    expect(done.get(step) ?? 0, `${step}: all were refused`).toBeGreaterThan(ORDERS / 60);
  const [parts] = await db.execute<{ wrong: number; states: number }>(sql`
    select count(*) filter (where commission_cents + net_cents <> gross_cents or commission_back_cents not between 0 and commission_cents
      or net_back_cents not between 0 and net_cents)::int as wrong, count(distinct state)::int as states
    from merchant_sales where merchant_id in ${merchantIds}`);
  expect(parts).toEqual({ wrong: 0, states: 3 });
  // The ledger has what is left of each sale, entry by entry.
  const readLedger = () =>
    db.execute<{ line: string; cents: number; entries: number }>(sql`
      select line_id as line, -sum(amount_cents)::int as cents, count(*)::int as entries from ledger_entries
      where account = 'merchant_payable' group by 1 order by 1`);
  const ledger = await readLedger();
  const due = await db.execute<{ line: string; cents: number }>(sql`
    select line_id as line, net_cents - net_back_cents as cents from merchant_sales order by 1`);
  expect(ledger.map(({ line, cents }) => ({ line, cents }))).toEqual([...due]);
  expect(ledger.some(({ entries }) => entries > 1)).toBe(true);
  // The job that fills in missing sales ends with the same rows.
  const readAll = () =>
    db.execute(sql`select * from merchant_sales where merchant_id in ${merchantIds} order by line_id`);
  const before = JSON.stringify(await readAll());
  await db.execute(sql`delete from merchant_sales where merchant_id in ${merchantIds}`);
  await db.execute(sql`update refund_requests set merchant_id = null`);
  await recordMissingSales();
  expect(JSON.stringify(await readAll())).toBe(before);
  expect(await recordMissingSales()).toBe(0);
  const [lost] = await db.execute(sql`select from refund_requests where merchant_id is null`);
  expect(lost).toBeUndefined();
  // So does the job that fills a new table.
  await db.execute(sql`delete from merchant_sales`);
  expect(await lacksAllSales()).toBe(true);
  await recordAllSales();
  expect(JSON.stringify(await readAll())).toBe(before);
  expect(await lacksAllSales()).toBe(false);
  expect([...(await readLedger())]).toEqual([...ledger]);
  // An older version of the shop booked no shares.
  await db.execute(sql`alter table ledger_entries disable trigger user`);
  await db.execute(sql`delete from ledger_entries where line_id is not null`);
  await db.execute(sql`alter table ledger_entries enable trigger user`);
  await db.execute(sql`update merchant_sales set booked_cents = 0`);
  expect(await lacksAllSales()).toBe(true);
  await recordAllSales();
  const left = (rows: { line: string; cents: number }[]) =>
    rows.filter(({ cents }) => cents !== 0).map(({ line, cents }) => ({ line, cents }));
  expect(left(await readLedger())).toEqual(left(ledger));
  expect(await lacksAllSales()).toBe(false);
});
