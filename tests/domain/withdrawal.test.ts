import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { getOrder } from "@/lib/orders/find-order";
import { assignOrder } from "@/lib/orders/fulfilment/assign-order";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { WithdrawInput } from "@/lib/orders/withdrawal/contract";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import type { Viewer } from "@/lib/platform/auth/session";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { getErrorName } from "../setup/error-name";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
const GUEST: Viewer = { kind: "guest", locale: "en" };
let buyer: sale.Buyer;
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = async (input: PlanInput = {}) =>
  (await createSinglePlan({ type: "day", keys: 3, ...input })).id;
const listLines = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const withdraw = (order_id: string, more: Partial<WithdrawInput> = {}, who: Viewer = buyer.viewer) =>
  withdrawFromOrder(who, { order_id, ...more }, "en", "203.0.113.7");
const confirmWithdrawal = (order_id: string, more: Partial<WithdrawInput> = {}) =>
  withdraw(order_id, { confirm: true, ...more });
const UNREVEALED: sale.DeliveryChoice = { immediate_delivery: false };
const sell = (planId: number, quantity = 1, choice: sale.DeliveryChoice = { immediate_delivery: true }) =>
  sale.sellWithChoice(buyer, planId, choice, quantity);
const listRecords = async (orderId: string) => [
  ...(await db.execute<{ cents: number; refused: unknown; email: string }>(
    sql`select refunded_cents as cents, refused, email from withdrawals where order_id = ${orderId} order by created_at`,
  )),
];
const listConfirmations = async (to = buyer.email) =>
  ((await findMailboxMails(to)) ?? []).filter((mail) => mail.event === "withdrawal-received");
const getCode = async (email: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select id from verification_codes where email = ${email} and purpose = 'withdraw' order by created_at desc limit 1`,
  );
  return deriveVerificationCode(row!.id);
};

describe("a withdrawal by its owner", () => {
  it("is only a review until it is confirmed, then refunds everything and sends an email", async () => {
    const planId = await createTestPlan();
    const orderId = await sell(planId, 2, UNREVEALED);
    const review = await withdraw(orderId);
    expect(review).toMatchObject({ step: "review", refund_amount: 20, token: null });
    expect(review.lines).toMatchObject([{ units: 2, quantity: 2, amount: 20, reason: "open" }]);
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect(await confirmWithdrawal(orderId)).toMatchObject({
      step: "done",
      refund_amount: 20,
      email: buyer.email,
    });
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
    const [mail] = await listConfirmations();
    expect(mail!.subject).toContain("Withdrawal received");
    expect(mail!.text).toContain("$20.00");
    const refund = ((await findMailboxMails(buyer.email)) ?? []).find((mail) => mail.event === "refund");
    expect(refund!.text).toContain("You withdrew from the contract");
    const auditRows = await db.execute<{ actor: string }>(
      sql`select actor from audit_entries where subject = ${orderId} and action = 'order_withdrawn'`,
    );
    expect(auditRows).toMatchObject([{ actor: buyer.id }]);
  });

  it("excludes codes shown after the consent, with the reason", async () => {
    const orderId = await sell(await createTestPlan());
    const outcome = await confirmWithdrawal(orderId);
    expect(outcome).toMatchObject({ step: "done", refund_amount: 0 });
    expect(outcome.lines).toMatchObject([{ units: 0, reason: "shown" }]);
    const [line] = await listLines(orderId);
    expect(await listRecords(orderId)).toEqual([
      {
        cents: 0,
        email: buyer.email,
        refused: [{ order_product_id: line!.order_product_id, reason: "shown" }],
      },
    ]);
    await sale.runQueue();
    expect((await listConfirmations())[0]!.text).toContain("agreed to immediate delivery");
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("refunds the unrevealed units of a line kept in the library, not the revealed one", async () => {
    const planId = await createTestPlan({ type: "month" });
    const orderId = await sell(planId, 3, { immediate_delivery: true, keep_in_library: true });
    const [line] = await listLines(orderId);
    await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
    expect(await confirmWithdrawal(orderId)).toMatchObject({
      refund_amount: 20,
      lines: [{ units: 2, quantity: 3, reason: "shown" }],
    });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(1000);
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 2 });
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await listLines(orderId)).toMatchObject([
      { refunded_quantity: 2, refunded_amount: 20, state: "assigned" },
    ]);
  });

  it("tells a buyer in the United States what the order page says: an unrevealed code is not refundable", async () => {
    const planId = await createTestPlan();
    const orderId = await sell(planId, 1, UNREVEALED);
    await db.execute(sql`update orders set country = 'US' where id = ${orderId}`);
    expect((await getOrder(buyer.viewer, orderId, "en")).withdrawal_applies).toBe(false);
    expect((await withdraw(orderId)).lines).toMatchObject([{ units: 0, amount: 0, reason: "elsewhere" }]);
    expect(await confirmWithdrawal(orderId)).toMatchObject({ step: "done", refund_amount: 0 });
    await withdraw(orderId, { email: buyer.email }, GUEST);
    const code = await getCode(buyer.email);
    const byCode = await withdraw(orderId, { email: buyer.email, code, confirm: true }, GUEST);
    expect(byCode.refund_amount).toBe(0);
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(1000);
    expect((await listConfirmations())[0]!.text).toContain("the country of your order");
    await db.execute(sql`update orders set country = 'DE' where id = ${orderId}`);
    expect((await confirmWithdrawal(orderId)).refund_amount).toBe(10);
  });

  it("is allowed until the end of the fourteenth day", async () => {
    const orderId = await sell(await createTestPlan(), 1, UNREVEALED);
    await sale.setClockAhead("14 days 23 hours");
    expect((await withdraw(orderId)).refund_amount).toBe(10);
    await sale.setClockAhead("15 days 1 minute");
    expect((await withdraw(orderId)).lines).toMatchObject([{ units: 0, reason: "over" }]);
  });

  it("refunds units that wait for stock, and keeps delivered units", async () => {
    const planId = await createTestPlan({ keys: 1, availability: "pre_order" });
    const orderId = await sell(planId, 2);
    expect(await sale.getOrderStatus(orderId)).toBe("processing");
    expect(await confirmWithdrawal(orderId)).toMatchObject({
      refund_amount: 10,
      lines: [{ units: 1, reason: "shown" }],
    });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(1000);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("decides a refund request that waits for the vendor when the order predates the delivery choice", async () => {
    const orderId = await sell(await createTestPlan({ type: "month" }));
    await sale.removeDeliveryChoice(orderId);
    const [line] = await listLines(orderId);
    const ids = { order_id: orderId, order_product_id: line!.order_product_id };
    expect((await requestRefund(buyer.viewer, ids, "en")).state).toBe("asked");
    expect((await confirmWithdrawal(orderId)).refund_amount).toBe(10);
    const [request] = await db.execute<{ id: string; state: string; decided_by: string }>(
      sql`select id, state, decided_by from refund_requests where order_line_id = ${line!.order_product_id}`,
    );
    expect(request).toMatchObject({ state: "approved", decided_by: "withdrawal" });
    expect((await decideRefundRequest(request!.id, { decision: "refused", by: "vendor" }))?.outcome).toBe(
      "already",
    );
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("can name lines, and rejects an unknown line", async () => {
    const orderId = await sell(await createTestPlan(), 1, UNREVEALED);
    expect(await getErrorName(confirmWithdrawal(orderId, { order_product_ids: ["line_none"] }))).toBe(
      "order_unknown",
    );
    const [line] = await listLines(orderId);
    expect(
      (await confirmWithdrawal(orderId, { order_product_ids: [line!.order_product_id] })).refund_amount,
    ).toBe(10);
  });

  it("refunds nothing for an unpaid order", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    expect((await withdraw(orderId)).lines).toMatchObject([{ units: 0, reason: "unpaid" }]);
  });
});

describe("a withdrawal that states another country than the order's", () => {
  const setCountry = (orderId: string, country: string) =>
    db.execute(sql`update orders set country = ${country} where id = ${orderId}`);
  const findRequest = async (orderId: string) => {
    const rows = await db.execute<{ id: string; state: string; stated_country: string; cents: number }>(sql`
      select q.id, q.state, q.stated_country, q.amount_cents as cents from refund_requests q
      join order_lines l on l.id = q.order_line_id where l.order_id = ${orderId}`);
    return rows;
  };
  const STAFF = "staff:mara";

  it("waits for staff with its codes locked, however long that takes, without a refund", async () => {
    const planId = await createTestPlan();
    const orderId = await sell(planId, 1, UNREVEALED);
    await setCountry(orderId, "US");
    expect(await withdraw(orderId, { country: "DE" })).toMatchObject({
      refund_amount: 0,
      review_amount: 10,
      country: "US",
      lines: [{ units: 0, amount: 0, review_units: 1, review_amount: 10, reason: "review" }],
    });
    for (const review_amount of [10, 0])
      expect(await confirmWithdrawal(orderId, { country: "DE" })).toMatchObject({
        step: "done",
        refund_amount: 0,
        review_amount,
      });
    const [request, ...others] = await findRequest(orderId);
    expect(request).toMatchObject({ state: "asked", stated_country: "DE", cents: 1000 });
    expect(others).toEqual([]);
    const [line] = await listLines(orderId);
    expect(line!.refund_request).toMatchObject({ state: "asked", stated_country: "DE" });
    const library_id = line!.keys[0]!.library_id;
    expect(await getErrorName(revealKey(buyer.viewer, { library_id }))).toBe("key_frozen");
    await sale.runQueue();
    const mails = (await findMailboxMails(buyer.email)) ?? [];
    expect(mails.find((mail) => mail.event === "withdrawal-received")!.text).toContain("so we review it");
    await sale.setClockAhead("20 days");
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(1000);
    expect(await findRequest(orderId)).toMatchObject([{ state: "asked" }]);
  });

  it("is refunded when staff agree, as of the day it was declared", async () => {
    const planId = await createTestPlan();
    const orderId = await sell(planId, 2, UNREVEALED);
    await setCountry(orderId, "US");
    await confirmWithdrawal(orderId, { country: "NO" });
    await sale.setClockAhead("16 days");
    const [request] = await findRequest(orderId);
    const decided = await decideRefundRequest(request!.id, { decision: "approved", by: STAFF });
    expect(decided).toEqual({ outcome: "decided", state: "approved" });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
  });

  it("keeps its code unrevealed and usable when staff refuse, and the same statement is not put to them again", async () => {
    const orderId = await sell(await createTestPlan(), 1, UNREVEALED);
    await setCountry(orderId, "US");
    await confirmWithdrawal(orderId, { country: "DE" });
    const [request] = await findRequest(orderId);
    await decideRefundRequest(request!.id, {
      decision: "refused",
      by: STAFF,
      note: "The card is from Ohio.",
    });
    expect(await withdraw(orderId, { country: "DE" })).toMatchObject({
      review_amount: 0,
      lines: [{ reason: "elsewhere" }],
    });
    const [line] = await listLines(orderId);
    expect(line!.refund_request).toMatchObject({ state: "refused", refused_by: "shop" });
    await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(1000);
  });

  it("goes to staff even when the order's country would allow an immediate refund, or for a gift", async () => {
    const orderId = await sell(await createTestPlan(), 1, UNREVEALED);
    await setCountry(orderId, "DE");
    expect(await confirmWithdrawal(orderId, { country: "US" })).toMatchObject({
      refund_amount: 0,
      review_amount: 10,
    });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(1000);
  });

  it("is paid immediately when both countries give the same answer, and always for undelivered units", async () => {
    const same = await sell(await createTestPlan(), 1, UNREVEALED);
    await setCountry(same, "DE");
    expect(await confirmWithdrawal(same, { country: "FR" })).toMatchObject({
      refund_amount: 10,
      review_amount: 0,
    });
    const waiting = await sell(await createTestPlan({ keys: 1, availability: "pre_order" }), 2, UNREVEALED);
    await setCountry(waiting, "US");
    expect(await confirmWithdrawal(waiting, { country: "DE" })).toMatchObject({
      refund_amount: 10,
      review_amount: 10,
    });
    await sale.runQueue();
    expect(await getProviderCash(waiting)).toBe(1000);
    const [request] = await findRequest(waiting);
    await decideRefundRequest(request!.id, { decision: "approved", by: STAFF });
    await sale.runQueue();
    expect(await getProviderCash(waiting)).toBe(0);
  });
});

describe("the country of an order", () => {
  it("comes from the paying card when nobody has named one, and never replaces a named one", async () => {
    const payWith = async (method: string, country?: string) => {
      const orderId = await sale.orderPlan(buyer, await createTestPlan());
      if (country) await db.execute(sql`update orders set country = ${country} where id = ${orderId}`);
      const { clientSecret } = await sale.openPayment(buyer, orderId, UNREVEALED);
      await confirmSandboxIntent(clientSecret, "succeeded", method);
      await sale.processEvents();
      return getOrder(buyer.viewer, orderId, "en");
    };
    expect(await payWith("card_US")).toMatchObject({ country: "US", withdrawal_applies: false });
    const french = await payWith("card_FR");
    expect(french).toMatchObject({ country: "FR", withdrawal_applies: true });
    expect((await withdraw(french.order_id)).refund_amount).toBe(10);
    expect(await payWith("card_US", "DE")).toMatchObject({ country: "DE", withdrawal_applies: true });
    expect(await payWith("card")).toMatchObject({ country: null, withdrawal_applies: true });
  });
});

describe("a withdrawal by code", () => {
  it("needs a code, a review and a confirmation but no session, and is confirmed by email to the verified address", async () => {
    const orderId = await sell(await createTestPlan(), 1, UNREVEALED);
    const email = buyer.email;
    expect(await withdraw(orderId, { email }, GUEST)).toMatchObject({ step: "code_sent", lines: [] });
    const review = await withdraw(orderId, { email, code: await getCode(email) }, GUEST);
    expect(review).toMatchObject({ step: "review", refund_amount: 10 });
    const token = review.token!;
    expect(await withdraw(orderId, { token, confirm: true }, GUEST)).toMatchObject({ step: "done", email });
    await sale.runQueue();
    expect(await listConfirmations()).toHaveLength(1);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("responds the same for unknown orders and addresses, and sends them no email", async () => {
    const orderId = await sell(await createTestPlan());
    const other = await sale.createBuyer();
    const ownResponse = await withdraw(orderId, { email: buyer.email }, GUEST);
    const foreignResponse = await withdraw(orderId, { email: other.email }, GUEST);
    const missingResponse = await withdraw("ord_none", { email: "nobody@example.com" }, GUEST);
    const omitIds = ({ order_id: _, email: __, ...rest }: typeof ownResponse) => rest;
    expect(omitIds(foreignResponse)).toEqual(omitIds(ownResponse));
    expect(omitIds(missingResponse)).toEqual(omitIds(ownResponse));
    await sale.runQueue();
    for (const to of [other.email, "nobody@example.com"])
      expect((await findMailboxMails(to)) ?? []).toEqual([]);
    // The limits are the same too.
    expect(await getErrorName(withdraw(orderId, { email: other.email }, GUEST))).toBe("code_just_sent");
    expect(await getErrorName(withdraw(orderId, { email: buyer.email }, GUEST))).toBe("code_just_sent");
  });

  it("limits wrong codes, after which the right one is rejected", async () => {
    const orderId = await sell(await createTestPlan());
    const email = buyer.email;
    await withdraw(orderId, { email }, GUEST);
    const rightCode = await getCode(email);
    const wrongCode = rightCode === "000000" ? "000001" : "000000";
    for (let i = 0; i < 5; i++)
      expect(await getErrorName(withdraw(orderId, { email, code: wrongCode }, GUEST))).toBe("code_wrong");
    expect(await getErrorName(withdraw(orderId, { email, code: rightCode }, GUEST))).toBe("code_used_up");
    expect(await listRecords(orderId)).toEqual([]);
  });

  it("verifies one address for one order for half an hour", async () => {
    const [orderId, other] = [
      await sell(await createTestPlan(), 1, UNREVEALED),
      await sell(await createTestPlan(), 1, UNREVEALED),
    ];
    const otherUser = await sale.createBuyer();
    await withdraw(orderId, { email: buyer.email }, GUEST);
    const code = await getCode(buyer.email);
    const { token } = await withdraw(orderId, { email: buyer.email, code }, GUEST);
    expect(await getErrorName(withdraw(other, { token: token!, confirm: true }, GUEST))).toBe("link_invalid");
    expect(await getErrorName(withdraw(orderId, { token: `${token}x`, confirm: true }, GUEST))).toBe(
      "link_invalid",
    );
    expect(await getErrorName(withdraw(orderId, { email: buyer.email, code }, GUEST))).toBe("code_expired");
    expect(await getErrorName(withdraw(orderId, {}, otherUser.viewer))).toBe("order_unknown");
    expect(await getErrorName(withdraw(orderId, {}, GUEST))).toBe("session_required");
    await sale.setClockAhead("31 minutes");
    expect(await getErrorName(withdraw(orderId, { token: token!, confirm: true }, GUEST))).toBe(
      "link_invalid",
    );
    expect(await getProviderCash(orderId)).toBe(1000);
  });
});

describe("concurrent withdrawals", () => {
  it("give one refund, one record and one email for five simultaneous requests", async () => {
    const orderId = await sell(await createTestPlan(), 1, UNREVEALED);
    const responses = await Promise.all(Array.from({ length: 5 }, () => confirmWithdrawal(orderId)));
    expect(responses.map((response) => response.refund_amount)).toEqual([10, 10, 10, 10, 10]);
    await sale.runQueue();
    expect(await listRecords(orderId)).toHaveLength(1);
    expect(await listConfirmations()).toHaveLength(1);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("with a reveal either reveal the code or refund the money, never both", async () => {
    const planId = await createTestPlan({ type: "month", keys: 12 });
    let [seen, back] = [0, 0];
    for (let i = 0; i < 6; i++) {
      const orderId = await sell(planId, 1, { immediate_delivery: true, keep_in_library: true });
      const library_id = (await listLines(orderId))[0]!.keys[0]!.library_id;
      const reveal = () => getErrorName(revealKey(buyer.viewer, { library_id }));
      const pair =
        i % 2 === 0 ? [reveal(), confirmWithdrawal(orderId)] : [confirmWithdrawal(orderId), reveal()];
      const results = await Promise.all(pair);
      const wasRevealed = results.some((result) => result === null);
      const { refund_amount } = (i % 2 === 0 ? results[1] : results[0]) as { refund_amount: number };
      expect(refund_amount > 0).toBe(!wasRevealed);
      if (wasRevealed) seen += 1;
      else back += 1;
    }
    expect(seen + back).toBe(6);
  });

  it("with new stock for a waiting line refund the money", async () => {
    const planId = await createTestPlan({ type: "month", keys: 0, availability: "pre_order" });
    for (let i = 0; i < 4; i++) {
      const orderId = await sell(planId, 1, { immediate_delivery: true, keep_in_library: true });
      await createKeys(planId, 1);
      const assign = () =>
        transaction(async (tx) => {
          const order = await lockOrder(tx, orderId);
          if (order) await assignOrder(tx, order);
        });
      await Promise.all(
        i % 2 === 0 ? [assign(), confirmWithdrawal(orderId)] : [confirmWithdrawal(orderId), assign()],
      );
      await sale.runQueue();
      expect(await sale.getOrderStatus(orderId)).toBe("refunded"); // unrevealed in both cases
      expect(await getProviderCash(orderId)).toBe(0);
      expect((await sale.countKeysByState(planId)).reserved ?? 0).toBe(0);
      await assignWaitingOrders(planId);
    }
  });
});

describe("the order page and the withdrawal form", () => {
  const at = (orderId: string, country: string) =>
    db.execute(sql`update orders set country = ${country} where id = ${orderId}`);
  const amounts = async (orderId: string) => {
    const [line] = await listLines(orderId);
    const [formLine] = (await withdraw(orderId)).lines;
    expect(formLine!.refund).toEqual(line!.refund);
    return [line!.refund.right?.state === "open" ? line!.refund.right.amount : 0, formLine!.amount];
  };

  it.each(["DE", "JP"])(
    "name the same amount for every plan and state of an order from %s",
    async (country) => {
      const day = await createTestPlan({ keys: 8 });
      const month = await createTestPlan({ type: "month", keys: 8 });
      const promised = country === "DE" ? 20 : 0;
      for (const plan of [day, month]) {
        const orderId = await sell(plan, 2, UNREVEALED);
        await at(orderId, country);
        expect(await amounts(orderId)).toEqual([promised, promised]);
        await revealKey(buyer.viewer, { library_id: (await listLines(orderId))[0]!.keys[0]!.library_id });
        expect(await amounts(orderId)).toEqual([promised / 2, promised / 2]);
        await revealKey(buyer.viewer, { library_id: (await listLines(orderId))[0]!.keys[1]!.library_id });
        expect(await amounts(orderId)).toEqual([0, 0]);
        const emailed = await sell(plan, 1);
        await at(emailed, country);
        await sale.runQueue();
        expect(await amounts(emailed)).toEqual([0, 0]);
      }
      const late = await sell(day, 1, UNREVEALED);
      await at(late, country);
      await sale.setClockAhead("15 days 1 minute");
      expect(await amounts(late)).toEqual([0, 0]);
    },
  );
});
