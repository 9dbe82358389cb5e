import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { ConsoleWarningsInput, type DecideWarningInput } from "@/lib/orders/console/contract-warnings";
import { refundWarning, releaseWarning, setDisputeCost } from "@/lib/orders/console/decide-warnings";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { listConsoleWarnings } from "@/lib/orders/console/list-console-warnings";
import { sendSandboxSignal } from "@/lib/orders/console/send-sandbox-signal";
import { getOrder } from "@/lib/orders/find-order";
import { updateFraudWarning } from "@/lib/orders/fraud/update-fraud-warning";
import { updateReview } from "@/lib/orders/fraud/update-review";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { unpaidSalesSql } from "@/lib/payouts/money/unpaid-sales-sql";
import { refundInDashboard } from "@/lib/platform/stripe/sandbox/dashboard";
import { reviewSandboxPayment, warnOfSandboxPayment } from "@/lib/platform/stripe/sandbox/radar";
import { getInboxRecord } from "@/lib/staff/inbox/get-record";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { getErrorName } from "../setup/error-name";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";

registerSaleHooks();
let buyer: sale.Buyer;
let staff: StaffUser;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  staff = await createStaff({ roles: ["finance"] });
});

const LIBRARY = { immediate_delivery: false };
const createPlan = async () => (await createSinglePlan({ type: "month", keys: 3 })).id;
/** Sells a $10 pass whose code stays unseen in the Library. */
const sellUnseen = async (quantity = 1) => sale.sellWithChoice(buyer, await createPlan(), LIBRARY, quantity);
const sellMailed = async () => sale.sell(buyer, await createPlan());
const intentOf = async (orderId: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select intent_id as id from payments where order_id = ${orderId} and state <> 'canceled'`,
  );
  return row!.id;
};
const warn = async (orderId: string) => {
  const id = (await warnOfSandboxPayment(await intentOf(orderId)))!;
  await sale.processEvents();
  return id;
};
const stateOf = async (orderId: string) =>
  (
    await db.execute<{ state: string }>(sql`select state from fraud_warnings where order_id = ${orderId}`)
  ).map(({ state }) => state);
const refundsOf = async (orderId: string) => [
  ...(await db.execute<{ reason: string; state: string; cents: number }>(
    sql`select reason, state, amount_cents as cents from refunds where order_id = ${orderId} order by created_at`,
  )),
];
const keysOf = async (orderId: string) => [
  ...(await db.execute<{ id: string; state: string }>(sql`
    select k.id, k.state from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId} order by k.id`)),
];
const keyOf = async (orderId: string) => (await keysOf(orderId))[0]!.id;
const reveal = async (orderId: string) => revealKey(buyer.viewer, { library_id: await keyOf(orderId) });
const decision = async (id: string, note = "Looked at it."): Promise<DecideWarningInput> => {
  const { actions } = await getInboxRecord(staff.viewer, `fraud_warnings:${id}`, "en");
  return { note, version: String(actions[0]!.body.version) };
};
const setCost = (dispute_cost: number) => setDisputeCost(staff.viewer, { dispute_cost });

describe("an early fraud warning about unseen codes", () => {
  it("below the cost of a dispute returns the money once and puts the codes back on sale, however often it comes", async () => {
    const orderId = await sellUnseen(2);
    const keyIds = (await keysOf(orderId)).map(({ id }) => id);
    const id = await warn(orderId);
    expect(await stateOf(orderId)).toEqual(["refunded"]);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await refundsOf(orderId)).toEqual([{ reason: "fraud_warning", state: "succeeded", cents: 2000 }]);
    // Its event again, under another id, and its job again.
    expect(await warn(orderId)).toBe(id);
    for (let round = 0; round < 2; round += 1) await updateFraudWarning(id);
    await sale.runQueue();
    expect(await refundsOf(orderId)).toHaveLength(1);
    expect(await getProviderCash(orderId)).toBe(0);
    const sold = await db.execute<{ state: string }>(sql`select state from keys where id in ${keyIds}`);
    expect(sold.map(({ state }) => state)).toEqual(["available", "available"]);
  });

  it("that costs more than a dispute locks them in the transaction that stores the event, and waits for staff", async () => {
    await setCost(10);
    const orderId = await sellUnseen();
    await warnOfSandboxPayment(await intentOf(orderId));
    await sale.waitForEvents();
    // No job has run yet.
    expect(await stateOf(orderId)).toEqual(["received"]);
    expect(await getErrorName(reveal(orderId))).toBe("key_frozen");
    const { items } = await listLibrary(buyer.viewer, "en");
    expect(items.find((item) => item.order_id === orderId)).toMatchObject({
      payment_checked: true,
      seen: false,
    });
    await sale.runQueue();
    expect(await stateOf(orderId)).toEqual(["open"]);
    expect(await refundsOf(orderId)).toEqual([]);
    const { items: waiting } = await listInbox(staff.viewer, { view: "open" }, "en");
    const number = (await getOrder(buyer.viewer, orderId, "en")).order_number;
    expect(waiting).toContainEqual(
      expect.objectContaining({ queue: "fraud_warnings", subject: number, reason: "above_cost", amount: 10 }),
    );
    await setCost(25);
  });

  it("is decided by the codes as they are when it is: one that was shown meanwhile goes to staff", async () => {
    const orderId = await sellUnseen(2);
    await reveal(orderId);
    const id = await warn(orderId);
    expect(await stateOf(orderId)).toEqual(["open"]);
    const { facts } = await getInboxRecord(staff.viewer, `fraud_warnings:${id}`, "en");
    expect(facts.filter(({ name }) => name === "code_shown")).toHaveLength(1);
    const [row] = (await listConsoleWarnings(ConsoleWarningsInput.parse({}))).items.filter(
      ({ warning_id }) => warning_id === id,
    );
    expect(row!.codes.map(({ revealed_at }) => revealed_at !== null).sort()).toEqual([false, true]);
    // The seen one still shows, the other does not.
    const { items } = await listLibrary(buyer.viewer, "en");
    const codes = items.filter((item) => item.order_id === orderId);
    expect(codes.map(({ seen, payment_checked }) => [seen, payment_checked]).sort()).toEqual([
      [false, true],
      [true, false],
    ]);
  });
});

describe("an early fraud warning that comes early or late", () => {
  it("before the event of the payment settles it first", async () => {
    const planId = await createPlan();
    const orderId = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.pay(buyer, orderId, "succeeded", LIBRARY);
    await db.execute(sql`update sandbox_events set due_at = null where due_at is not null`);
    const id = await warnOfSandboxPayment(intentId);
    await updateFraudWarning(id!);
    await sale.processEvents();
    expect(await stateOf(orderId)).toEqual(["refunded"]);
    expect(await refundsOf(orderId)).toHaveLength(1);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("whose event was lost is found at night and decided as by its event, which changes nothing when it comes late", async () => {
    const [unseen, seen] = [await sellUnseen(), await sellUnseen()];
    await reveal(seen);
    const ids = ["issfr_lost_unseen", "issfr_lost_seen"];
    for (const [index, orderId] of [unseen, seen].entries())
      await db.execute(sql`
        insert into sandbox_fraud_warnings (id, intent_id, fraud_type)
        values (${ids[index]}, ${await intentOf(orderId)}, 'made_with_stolen_card')`);
    const { differences } = await reconcileWithProvider();
    for (const id of ids)
      expect(differences).toContainEqual(
        expect.objectContaining({ object: "fraud_warning", id, kind: "missing_here", repaired: true }),
      );
    await sale.runQueue();
    const states = async () => [await stateOf(unseen), await stateOf(seen)];
    expect(await states()).toEqual([["refunded"], ["open"]]);
    // Its event, after all.
    expect([await warn(unseen), await warn(seen)]).toEqual(ids);
    expect(await states()).toEqual([["refunded"], ["open"]]);
    expect(await refundsOf(unseen)).toHaveLength(1);
    const again = await reconcileWithProvider();
    expect(again.differences.filter(({ object }) => object === "fraud_warning")).toEqual([]);
  });

  it("is like a review, which the night opens and closes here where its events were lost", async () => {
    const orderId = await sellUnseen();
    const reviewsOf = async () =>
      (
        await db.execute<{ open: boolean }>(
          sql`select is_open as open from payment_reviews where order_id = ${orderId}`,
        )
      ).map(({ open }) => open);
    await db.execute(sql`
      insert into sandbox_reviews (id, intent_id, reason) values ('prv_lost', ${await intentOf(orderId)}, 'rule')`);
    await reconcileWithProvider();
    expect(await reviewsOf()).toEqual([true]);
    await db.execute(sql`update sandbox_reviews set closed_reason = 'approved' where id = 'prv_lost'`);
    await reconcileWithProvider();
    expect(await reviewsOf()).toEqual([false]);
  });

  it("after the money went back, or under a dispute, is closed and changes nothing", async () => {
    const refunded = await sellMailed();
    await refundInDashboard(await intentOf(refunded));
    await sale.processEvents();
    await warn(refunded);
    expect(await stateOf(refunded)).toEqual(["closed"]);
    const disputed = await sellUnseen();
    await disputeSandboxPayment(await intentOf(disputed), "needs_response");
    await sale.processEvents();
    await warn(disputed);
    expect(await stateOf(disputed)).toEqual(["closed"]);
    expect(await refundsOf(disputed)).toEqual([]);
  });

  it("that the provider no longer knows is closed, and the email that it stopped is sent", async () => {
    const orderId = await sale.sellWithoutMails(buyer, await createPlan());
    await db.execute(
      sql`insert into fraud_warnings (id, order_id, intent_id) values (${`issfr_gone_${orderId}`}, ${orderId}, ${await intentOf(orderId)})`,
    );
    await sale.runQueue();
    const keysMail = async () =>
      (await sale.listOrderMails(orderId)).filter((mail) => mail.startsWith("keys"));
    expect(await keysMail()).toEqual(["keys dropped"]);
    await updateFraudWarning(`issfr_gone_${orderId}`);
    await sale.runQueue();
    expect(await keysMail()).toEqual(["keys sent"]);
  });

  it("gives way to a dispute and to a refund that come after it", async () => {
    const [disputed, refunded] = [await sellMailed(), await sellMailed()];
    for (const orderId of [disputed, refunded]) await warn(orderId);
    await disputeSandboxPayment(await intentOf(disputed), "needs_response");
    await refundInDashboard(await intentOf(refunded));
    await sale.processEvents();
    expect([await stateOf(disputed), await stateOf(refunded)]).toEqual([["closed"], ["closed"]]);
  });
});

describe("staff", () => {
  it("refund a suspected order once, with seen codes locked for good and the reason kept", async () => {
    const orderId = await sellMailed();
    const id = await warn(orderId);
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("key_frozen");
    const input = await decision(id, "The buyer never answered.");
    expect(await getErrorName(refundWarning(staff.viewer, id, { ...input, version: "old" }))).toBe(
      "revision_conflict",
    );
    expect(await refundWarning(staff.viewer, id, input)).toEqual({ warning_id: id, refunded_amount: 10 });
    expect(await getErrorName(refundWarning(staff.viewer, id, input))).toBe("warning_decided");
    expect(await getErrorName(releaseWarning(staff.viewer, "issfr_none", input))).toBe("warning_unknown");
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
    expect((await keysOf(orderId)).map(({ state }) => state)).toEqual(["quarantined"]);
    const decided = await listConsoleWarnings(ConsoleWarningsInput.parse({ state: "decided" }));
    expect(decided.items.find(({ warning_id }) => warning_id === id)).toMatchObject({
      state: "refunded",
      note: "The buyer never answered.",
      decided_by: staff.email,
    });
  });

  it("let a sale stand, after which the codes show and the email that waited is sent", async () => {
    await setCost(10);
    const orderId = await sale.sellWithoutMails(buyer, await createPlan());
    const id = await warn(orderId);
    const mailed = () =>
      db.execute(sql`
        select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId} and k.mailed_at is not null`);
    expect(await mailed()).toHaveLength(0);
    await releaseWarning(staff.viewer, id, await decision(id));
    await sale.runQueue();
    expect(await mailed()).toHaveLength(1);
    expect(await stateOf(orderId)).toEqual(["released"]);
    await warn(orderId);
    expect(await stateOf(orderId)).toEqual(["released"]);
    await setCost(25);
  });

  it("have no code mailed while a second warning about the order waits", async () => {
    await setCost(10);
    const orderId = await sale.sellWithoutMails(buyer, await createPlan());
    const id = await warn(orderId);
    await sale.runQueue();
    const mailState = async () =>
      (
        await db.execute<{ state: string }>(
          sql`select state from mails where event = 'keys' and refs->>'orderId' = ${orderId}`,
        )
      ).map(({ state }) => state);
    expect(await mailState()).toEqual(["dropped"]);
    await db.execute(sql`
      insert into fraud_warnings (id, order_id, intent_id, fraud_type, state)
      values (${`${id}_second`}, ${orderId}, ${await intentOf(orderId)}, 'misc', 'open')`);
    await releaseWarning(staff.viewer, id, await decision(id));
    expect(await mailState()).toEqual(["dropped"]);
    await releaseWarning(staff.viewer, `${id}_second`, await decision(`${id}_second`));
    expect(await mailState()).toEqual(["queued"]);
    await sale.runQueue();
    expect(await mailState()).toEqual(["sent"]);
    await setCost(25);
  });

  it("do not decide about their own order", async () => {
    const own = await sale.createBuyer();
    const orderId = await sale.sell(own, await createPlan());
    const id = (await warnOfSandboxPayment(await intentOf(orderId)))!;
    await sale.processEvents();
    const viewer = { ...staff.viewer, userId: own.id };
    expect(await getErrorName(releaseWarning(viewer, id, await decision(id)))).toBe("own_refund");
    expect((await getInboxRecord(viewer, `fraud_warnings:${id}`, "en")).blocked_by).toBe("own_request");
  });

  it("see the provider's reviews on the order, whatever the order of their events", async () => {
    const orderId = await sellUnseen();
    const intentId = await intentOf(orderId);
    const reviews = async () => (await getConsoleOrder(orderId, "en")).payment_reviews;
    await reviewSandboxPayment(intentId, null);
    await sale.processEvents();
    expect(await reviews()).toMatchObject([{ is_open: true, reason: "rule", closed_at: null }]);
    const id = (await reviewSandboxPayment(intentId, "approved"))!;
    await sale.processEvents();
    expect(await reviews()).toMatchObject([{ is_open: false, closed_reason: "approved" }]);
    // An event of its opening that comes last.
    await reviewSandboxPayment(intentId, null);
    await updateReview(id);
    await sale.processEvents();
    expect(await reviews()).toMatchObject([{ is_open: false, closed_reason: "approved" }]);
  });

  it("let the stand-in of the sandbox send each of them by the webhook", async () => {
    const orderId = await sellMailed();
    for (const signal of ["fraud_warning", "review_opened", "review_closed"] as const)
      await sendSandboxSignal(staff.viewer, orderId, { signal });
    await sale.processEvents();
    const order = await getConsoleOrder(orderId, "en");
    expect(order.fraud_warnings).toMatchObject([{ state: "open", fraud_type: "made_with_stolen_card" }]);
    expect(order.payment_reviews).toMatchObject([{ is_open: false }]);
    expect(order.timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["warning", "review"]));
    expect(await getErrorName(sendSandboxSignal(staff.viewer, "ord_none", { signal: "fraud_warning" }))).toBe(
      "order_unknown",
    );
  });
});

it("payouts hold a sale while a warning about it is not decided", async () => {
  const orderId = await sellMailed();
  const held = async () => {
    const [row] = await db.execute<{ reason: string }>(
      sql`select u.reason from ${unpaidSalesSql(sql`s.order_id = ${orderId}`)} u`,
    );
    return row!.reason;
  };
  expect(await held()).not.toBe("warning");
  const id = await warn(orderId);
  expect(await held()).toBe("warning");
  await releaseWarning(staff.viewer, id, await decision(id));
  expect(await held()).not.toBe("warning");
});
