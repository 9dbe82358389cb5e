import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct, type PlanInput } from "@/db/factories/catalog";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import { revealKey } from "@/lib/delivery/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { chooseDelivery } from "@/lib/orders/delivery-options/commands";
import { assignOrder, assignWaitingOrders } from "@/lib/orders/fulfilment/commands";
import { getOrder } from "@/lib/orders/queries";
import { answerRefundRequest, requestRefund } from "@/lib/orders/refunds/commands-requests";
import { lockOrder } from "@/lib/orders/status/commands";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/commands";
import type { WithdrawInput } from "@/lib/orders/withdrawal/contract";
import type { Viewer } from "@/lib/platform/auth/session";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
const GUEST: Viewer = { kind: "guest", locale: "en" };
let buyer: sale.Buyer;
beforeAll(() => sale.receiveEventsHere());
beforeEach(async () => {
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await sale.runQueue();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const planOf = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ type: "day", keys: 3, ...given }] })).plans[0]!.id;
const linesOf = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const withdraw = (order_id: string, more: Partial<WithdrawInput> = {}, who: Viewer = buyer.viewer) =>
  withdrawFromOrder(who, { order_id, ...more }, "en", "203.0.113.7");
const confirm = (order_id: string, more: Partial<WithdrawInput> = {}) =>
  withdraw(order_id, { confirm: true, ...more });
type Agreed = { immediate_delivery?: boolean; keep_in_library?: boolean };
async function sell(planId: number, quantity = 1, choice: Agreed = { immediate_delivery: true }) {
  const orderId = await sale.orderOf(buyer, planId, quantity);
  await chooseDelivery(buyer.viewer, { order_id: orderId, ...choice });
  await sale.pay(buyer, orderId);
  await sale.eventsArrived();
  await sale.runQueue();
  return orderId;
}
const cashOf = async (orderId: string) => {
  const [row] = await db.execute<{ cents: number }>(
    sql`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where order_id = ${orderId} and account = 'provider_cash'`,
  );
  return row!.cents;
};
const recordsOf = async (orderId: string) => [
  ...(await db.execute<{ cents: number; refused: unknown; email: string }>(
    sql`select refunded_cents as cents, refused, email from withdrawals where order_id = ${orderId} order by created_at`,
  )),
];
const confirmations = async (to = buyer.email) =>
  ((await findMailboxMails(to)) ?? []).filter((mail) => mail.event === "withdrawal-received");
const codeFor = async (email: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select id from verification_codes where email = ${email} and purpose = 'withdraw' order by created_at desc limit 1`,
  );
  return deriveVerificationCode(row!.id);
};

describe("a withdrawal by its owner", () => {
  it("is only reviewed until it is confirmed, then gives everything back and says so by mail", async () => {
    const planId = await planOf();
    const orderId = await sell(planId, 2, {}); // nobody agreed: the right does not end with the mail
    const review = await withdraw(orderId);
    expect(review).toMatchObject({ step: "review", refund_amount: 20, token: null });
    expect(review.lines).toMatchObject([{ units: 2, quantity: 2, amount: 20, reason: "open" }]);
    expect(await sale.statusOf(orderId)).toBe("completed");
    expect(await confirm(orderId)).toMatchObject({ step: "done", refund_amount: 20, email: buyer.email });
    await sale.runQueue();
    expect(await sale.statusOf(orderId)).toBe("refunded");
    expect(await cashOf(orderId)).toBe(0);
    expect(await sale.keysOf(planId)).toEqual({ available: 1, quarantined: 2 });
    const [mail] = await confirmations();
    expect(mail!.subject).toContain("Withdrawal received");
    expect(mail!.text).toContain("$20.00");
    const refund = ((await findMailboxMails(buyer.email)) ?? []).find((one) => one.event === "refund");
    expect(refund!.text).toContain("You withdrew from the purchase");
    const audited = await db.execute<{ actor: string }>(
      sql`select actor from audit_entries where subject = ${orderId} and action = 'order_withdrawn'`,
    );
    expect(audited).toMatchObject([{ actor: buyer.id }]);
  });

  it("leaves what was shown after the consent, and says why", async () => {
    const orderId = await sell(await planOf());
    const outcome = await confirm(orderId);
    expect(outcome).toMatchObject({ step: "done", refund_amount: 0 });
    expect(outcome.lines).toMatchObject([{ units: 0, reason: "shown" }]);
    const [line] = await linesOf(orderId);
    expect(await recordsOf(orderId)).toEqual([
      {
        cents: 0,
        email: buyer.email,
        refused: [{ order_product_id: line!.order_product_id, reason: "shown" }],
      },
    ]);
    await sale.runQueue();
    expect((await confirmations())[0]!.text).toContain("agreed to delivery at once");
    expect(await sale.statusOf(orderId)).toBe("completed");
  });

  it("gives back the unseen units of a line that is kept in the library, not the one that was revealed", async () => {
    const planId = await planOf({ type: "month" });
    const orderId = await sell(planId, 3, { immediate_delivery: true, keep_in_library: true });
    const [line] = await linesOf(orderId);
    await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
    expect(await confirm(orderId)).toMatchObject({
      refund_amount: 20,
      lines: [{ units: 2, quantity: 3, reason: "shown" }],
    });
    await sale.runQueue();
    expect(await cashOf(orderId)).toBe(1000);
    expect(await sale.keysOf(planId)).toEqual({ assigned: 1, quarantined: 2 });
    expect(await sale.statusOf(orderId)).toBe("completed");
    expect(await linesOf(orderId)).toMatchObject([
      { refunded_quantity: 2, refunded_amount: 20, state: "assigned" },
    ]);
  });

  it("is possible for the whole of the fourteenth day, and then only for what is missing", async () => {
    const seen = await sell(await planOf(), 1, {});
    await sale.setClockAhead("14 days 23 hours");
    expect((await withdraw(seen)).refund_amount).toBe(10);
    await sale.setClockAhead("15 days 1 minute");
    expect((await withdraw(seen)).lines).toMatchObject([{ units: 0, reason: "over" }]);
  });

  it("takes what waits for stock at any time, and the units that came stay", async () => {
    const planId = await planOf({ keys: 1, availability: "pre_order" });
    const orderId = await sell(planId, 2);
    expect(await sale.statusOf(orderId)).toBe("processing");
    expect(await confirm(orderId)).toMatchObject({
      refund_amount: 10,
      lines: [{ units: 1, reason: "shown" }],
    });
    await sale.runQueue();
    expect(await cashOf(orderId)).toBe(1000);
    expect(await sale.statusOf(orderId)).toBe("shipped");
  });

  it("decides a refund that waits for its maker", async () => {
    const orderId = await sell(await planOf({ type: "month" }), 1, {});
    const [line] = await linesOf(orderId);
    const ids = { order_id: orderId, order_product_id: line!.order_product_id };
    expect((await requestRefund(buyer.viewer, ids, "en")).state).toBe("asked");
    expect((await confirm(orderId)).refund_amount).toBe(10);
    const [request] = await db.execute<{ id: string; state: string; decided_by: string }>(
      sql`select id, state, decided_by from refund_requests where order_line_id = ${line!.order_product_id}`,
    );
    expect(request).toMatchObject({ state: "approved", decided_by: "withdrawal" });
    expect((await answerRefundRequest(request!.id, { decision: "refused", by: "vendor" }))?.outcome).toBe(
      "already",
    );
    await sale.runQueue();
    expect(await cashOf(orderId)).toBe(0);
  });

  it("of one line leaves the others; of a line that is not there it is refused", async () => {
    const orderId = await sell(await planOf(), 1, {});
    expect(await refusal(confirm(orderId, { order_product_ids: ["line_none"] }))).toBe("order_unknown");
    const [line] = await linesOf(orderId);
    expect((await confirm(orderId, { order_product_ids: [line!.order_product_id] })).refund_amount).toBe(10);
  });

  it("finds nothing to give back in an order that is unpaid", async () => {
    const orderId = await sale.orderOf(buyer, await planOf());
    expect((await withdraw(orderId)).lines).toMatchObject([{ units: 0, reason: "unpaid" }]);
  });
});

describe("a withdrawal by code", () => {
  it("needs no session: code, review, confirmation; the mail goes to the proved address", async () => {
    const orderId = await sell(await planOf(), 1, {});
    const email = buyer.email;
    expect(await withdraw(orderId, { email }, GUEST)).toMatchObject({ step: "code_sent", lines: [] });
    const review = await withdraw(orderId, { email, code: await codeFor(email) }, GUEST);
    expect(review).toMatchObject({ step: "review", refund_amount: 10 });
    const token = review.token!;
    expect(await withdraw(orderId, { token, confirm: true }, GUEST)).toMatchObject({ step: "done", email });
    await sale.runQueue();
    expect(await confirmations()).toHaveLength(1);
    expect(await cashOf(orderId)).toBe(0);
  });

  it("answers the same for an order that is not there, and mails nothing", async () => {
    const orderId = await sell(await planOf());
    const other = await sale.newBuyer();
    const known = await withdraw(orderId, { email: buyer.email }, GUEST);
    const foreign = await withdraw(orderId, { email: other.email }, GUEST);
    const missing = await withdraw("ord_none", { email: "nobody@example.com" }, GUEST);
    const shape = ({ order_id: _, email: __, ...rest }: typeof known) => rest;
    expect(shape(foreign)).toEqual(shape(known));
    expect(shape(missing)).toEqual(shape(known));
    await sale.runQueue();
    for (const to of [other.email, "nobody@example.com"])
      expect((await findMailboxMails(to)) ?? []).toEqual([]);
    // The limits are the same, too.
    expect(await refusal(withdraw(orderId, { email: other.email }, GUEST))).toBe("code_just_sent");
    expect(await refusal(withdraw(orderId, { email: buyer.email }, GUEST))).toBe("code_just_sent");
  });

  it("counts wrong codes, and the right one is then too late", async () => {
    const orderId = await sell(await planOf());
    const email = buyer.email;
    await withdraw(orderId, { email }, GUEST);
    const right = await codeFor(email);
    const wrong = right === "000000" ? "000001" : "000000";
    for (let i = 0; i < 5; i++)
      expect(await refusal(withdraw(orderId, { email, code: wrong }, GUEST))).toBe("code_wrong");
    expect(await refusal(withdraw(orderId, { email, code: right }, GUEST))).toBe("code_used_up");
    expect(await recordsOf(orderId)).toEqual([]);
  });

  it("proves one address for one order, for half an hour", async () => {
    const [orderId, other] = [await sell(await planOf(), 1, {}), await sell(await planOf(), 1, {})];
    const stranger = await sale.newBuyer();
    await withdraw(orderId, { email: buyer.email }, GUEST);
    const code = await codeFor(buyer.email);
    const { token } = await withdraw(orderId, { email: buyer.email, code }, GUEST);
    expect(await refusal(withdraw(other, { token: token!, confirm: true }, GUEST))).toBe("link_invalid");
    expect(await refusal(withdraw(orderId, { token: `${token}x`, confirm: true }, GUEST))).toBe(
      "link_invalid",
    );
    expect(await refusal(withdraw(orderId, { email: buyer.email, code }, GUEST))).toBe("code_expired");
    expect(await refusal(withdraw(orderId, {}, stranger.viewer))).toBe("order_unknown");
    expect(await refusal(withdraw(orderId, {}, GUEST))).toBe("session_required");
    await sale.setClockAhead("31 minutes");
    expect(await refusal(withdraw(orderId, { token: token!, confirm: true }, GUEST))).toBe("link_invalid");
    expect(await cashOf(orderId)).toBe(1000);
  });
});

describe("one winner", () => {
  it("of five presses: one refund, one record, one mail", async () => {
    const orderId = await sell(await planOf(), 1, {});
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(orderId)));
    expect(answers.map((answer) => answer.refund_amount)).toEqual([10, 10, 10, 10, 10]);
    await sale.runQueue();
    expect(await recordsOf(orderId)).toHaveLength(1);
    expect(await confirmations()).toHaveLength(1);
    expect(await cashOf(orderId)).toBe(0);
  });

  it("of a reveal and a withdrawal: the code was seen, or the money goes back, never both", async () => {
    const planId = await planOf({ type: "month", keys: 12 });
    let [seen, back] = [0, 0];
    for (let i = 0; i < 6; i++) {
      const orderId = await sell(planId, 1, { immediate_delivery: true, keep_in_library: true });
      const library_id = (await linesOf(orderId))[0]!.keys[0]!.library_id;
      const reveal = () => refusal(revealKey(buyer.viewer, { library_id }));
      const pair = i % 2 === 0 ? [reveal(), confirm(orderId)] : [confirm(orderId), reveal()];
      const results = await Promise.all(pair);
      const shown = results.some((result) => result === null);
      const { refund_amount } = (i % 2 === 0 ? results[1] : results[0]) as { refund_amount: number };
      expect(refund_amount > 0).toBe(!shown);
      if (shown) seen += 1;
      else back += 1;
    }
    expect(seen + back).toBe(6);
  });

  it("of stock that arrives and a withdrawal of what waits for it", async () => {
    const planId = await planOf({ type: "month", keys: 0, availability: "pre_order" });
    for (let i = 0; i < 4; i++) {
      const orderId = await sell(planId, 1, { immediate_delivery: true, keep_in_library: true });
      await createKeys(planId, 1);
      const assign = () =>
        transaction(async (tx) => {
          const order = await lockOrder(tx, orderId);
          if (order) await assignOrder(tx, order);
        });
      await Promise.all(i % 2 === 0 ? [assign(), confirm(orderId)] : [confirm(orderId), assign()]);
      await sale.runQueue();
      expect(await sale.statusOf(orderId)).toBe("refunded"); // unseen either way
      expect(await cashOf(orderId)).toBe(0);
      expect((await sale.keysOf(planId)).reserved ?? 0).toBe(0);
      await assignWaitingOrders(planId);
    }
  });
});
