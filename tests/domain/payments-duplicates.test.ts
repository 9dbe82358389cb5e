import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { sweepJob } from "@/lib/orders/jobs";
import { resolveUnrecordedIntent } from "@/lib/orders/payment/resolve-unrecorded-intent";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { recordProviderRefund } from "@/lib/orders/refunds/record-provider-refund";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { env } from "@/lib/platform/env";
import { isProviderError, ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { auditSale } from "../setup/audit";
import { getProviderCash } from "../setup/ledger";
import { clearQueue, makeJobsDue } from "../setup/queue";
import * as sale from "../setup/sale";
import { UnreliableProvider } from "../setup/unreliable-provider";

/** A provider that ignores idempotency keys: it creates another object for each call. */
let provider: UnreliableProvider;
let buyer: sale.Buyer;
let planId: number;
let otherPlanId: number;
beforeAll(async () => {
  provider = new UnreliableProvider({ delayMs: 20 });
  provider.install();
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ type: "month", keys: 40 })).id;
  otherPlanId = (await createSinglePlan({ type: "month", keys: 10 })).id;
});
afterEach(async () => {
  await work();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.closeSale);

const openTab = (orderId: string) => startPayment(buyer.viewer, { order_id: orderId });
const listOpen = (orderId: string) =>
  provider.intentsOf(orderId).filter(({ status }) => status.startsWith("requires_"));
const countRefunds = (intentId: string) =>
  [...provider.refunds.values()].filter((refund) => refund.intentId === intentId).length;
const work = async () => {
  await provider.settle();
  await sale.runQueue();
  await provider.settle();
  await sale.runQueue();
};
const listRefunds = async (orderId: string) => [
  ...(await db.execute<{ reason: string; state: string; amount_cents: number }>(
    sql`select reason, state, amount_cents from refunds where order_id = ${orderId} order by created_at, id`,
  )),
];
/** Another intent of the order's payment, as a repeated call makes it. */
const createDuplicate = async (orderId: string) => {
  const [payment] = await db.execute<{ id: string }>(
    sql`select id from payments where order_id = ${orderId}`,
  );
  const ids = { orderId, paymentId: payment!.id, idempotencyKey: payment!.id };
  const input = {
    ...ids,
    amountCents: 1000,
    items: "1x1",
    currency: "usd",
    description: "",
    email: "a@b.example",
  };
  return (await paymentProvider().createIntent(input)).id;
};

describe("opening a payment", () => {
  it("in ten tabs concurrently requests one intent from the provider", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const tabs = await Promise.all(Array.from({ length: 10 }, () => openTab(orderId)));
    expect(new Set(tabs.map(({ client_secret }) => client_secret)).size).toBe(1);
    expect(provider.intentsOf(orderId)).toHaveLength(1);
  });

  it("while another tab cancels leaves no open intent", async () => {
    for (let round = 0; round < 5; round += 1) {
      const orderId = await sale.orderPlan(buyer, planId);
      await Promise.allSettled([
        openTab(orderId),
        cancelOrder(buyer.viewer, { order_id: orderId }),
        openTab(orderId),
      ]);
      await cancelOrder(buyer.viewer, { order_id: orderId }).catch(() => {});
      expect([await sale.getOrderStatus(orderId), listOpen(orderId).length]).toEqual(["cancelled", 0]);
    }
  });

  it("is repeated ten seconds after the process that tried first was killed", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    await openTab(orderId);
    await db.execute(sql`update payments set intent_id = null, state = 'creating',
      requested_at = shop_now() - interval '9 seconds' where order_id = ${orderId}`);
    const { client_secret } = await openTab(orderId);
    expect(provider.intentsOf(orderId).map(({ secret }) => secret)).toContain(client_secret);
    await provider.settle();
    await reconcileWithProvider();
    expect(listOpen(orderId).map(({ secret }) => secret)).toEqual([client_secret]);
  });
});

describe("a duplicate intent", () => {
  it("is cancelled by the reconciliation when it is unpaid", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const { client_secret } = await openTab(orderId);
    await createDuplicate(orderId);
    await createDuplicate(orderId);
    const { differences } = await reconcileWithProvider();
    expect(differences.filter(({ repaired }) => !repaired)).toEqual([]);
    expect(listOpen(orderId).map(({ secret }) => secret)).toEqual([client_secret]);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });

  it.each(["its webhook event", "the reconciliation"])(
    "that is paid beside the other one is refunded by %s, once",
    async (finder) => {
      const orderId = await sale.orderPlan(buyer, planId);
      await openTab(orderId);
      const duplicate = await createDuplicate(orderId);
      const [first] = provider.intentsOf(orderId);
      provider.pay(first!.id);
      await work();
      provider.pay(duplicate);
      if (finder === "the reconciliation") {
        await db.execute(sql`delete from webhook_events where object_id = ${duplicate}`);
        await Promise.all([reconcileWithProvider(), settlePayment(duplicate), settlePayment(duplicate)]);
      }
      await work();
      await reconcileWithProvider();
      await work();
      expect(await sale.getOrderStatus(orderId)).toBe("completed");
      expect(await listRefunds(orderId)).toEqual([
        { reason: "paid_twice", state: "succeeded", amount_cents: 1000 },
      ]);
      expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
      expect((await reconcileWithProvider()).differences).toEqual([]);
    },
  );

  it("that the provider has partly refunded is booked, and the rest is refunded", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    await openTab(orderId);
    const duplicate = await createDuplicate(orderId);
    provider.pay(provider.intentsOf(orderId)[0]!.id);
    await work();
    provider.pay(duplicate);
    await resolveUnrecordedIntent(await paymentProvider().retrieveIntent(duplicate)); // recorded, not settled yet
    const ownRefund = {
      intentId: duplicate,
      refundId: "rfd_of_staff",
      amountCents: 400,
      idempotencyKey: "k",
    };
    await recordProviderRefund(await paymentProvider().refund(ownRefund));
    await settlePayment(duplicate);
    await work();
    expect(await listRefunds(orderId)).toEqual([
      { reason: "made_at_provider", state: "succeeded", amount_cents: 400 },
      { reason: "paid_twice", state: "succeeded", amount_cents: 600 },
    ]);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });

  it("that alone is paid is refunded, and the order can still be paid", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const { client_secret } = await openTab(orderId);
    provider.pay(await createDuplicate(orderId));
    await work();
    expect(await listRefunds(orderId)).toMatchObject([{ reason: "second_payment", state: "succeeded" }]);
    expect(await sale.getOrderStatus(orderId)).toBe("pending");
    expect((await openTab(orderId)).client_secret).toBe(client_secret);
    provider.pay(client_secret.split("_secret_")[0]!);
    await work();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(provider.cashOf(orderId)).toBe(1000);
  });

  it("of another system is left alone", async () => {
    const other = await paymentProvider().createIntent({
      orderId: "ord_of_another_shop",
      paymentId: "pay_of_another_shop",
      items: "1x1",
      amountCents: 500,
      currency: "usd",
      description: "",
      email: "a@b.example",
      idempotencyKey: "k",
    });
    expect(await settlePayment(other.id)).toBeNull();
    expect(provider.intents.get(other.id)!.status).toBe("requires_payment_method");
    provider.intents.delete(other.id);
  });
});

describe("the received amount decides", () => {
  it("about settlement: without any, nothing is paid or refunded until it arrives", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const { client_secret } = await openTab(orderId);
    const intentId = client_secret.split("_secret_")[0]!;
    provider.pay(intentId, { lagMs: Number.POSITIVE_INFINITY });
    const error: unknown = await settlePayment(intentId).catch((failure: unknown) => failure);
    expect(isProviderError(error, "invalid_answer")).toBe(true);
    expect(await sale.getOrderStatus(orderId)).toBe("pending");
    expect([await listRefunds(orderId), await getProviderCash(orderId)]).toEqual([[], null]);
    const { differences } = await reconcileWithProvider();
    expect(differences).toMatchObject([{ id: intentId, repaired: false }]);
    const cancelled = await cancelOrder(buyer.viewer, { order_id: orderId });
    expect(cancelled.status).toBe("processingPayment");
    provider.intents.get(intentId)!.shownFrom = 0;
    await settlePayment(intentId);
    await work();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("about a partial payment, which is booked and refunded once", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const { client_secret } = await openTab(orderId);
    const intentId = client_secret.split("_secret_")[0]!;
    provider.pay(intentId, { share: 0.6 });
    await Promise.all([1, 2, 3].map(() => settlePayment(intentId)));
    await work();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await listRefunds(orderId)).toEqual([
      { reason: "amount_differs", state: "succeeded", amount_cents: 600 },
    ]);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([0, 0]);
  });

  it("about a later surplus, which the reconciliation books and refunds", async () => {
    Object.assign(env(), { TAX_COUNTRY: "IE", TAX_IDS: { IE: "IE0000000X" } });
    const orderId = await sale.orderPlan(buyer, planId);
    const { client_secret } = await openTab(orderId);
    const intentId = client_secret.split("_secret_")[0]!;
    provider.pay(intentId);
    await work();
    Object.assign(env(), { TAX_COUNTRY: "off" });
    provider.intents.get(intentId)!.received = 1500;
    for (let round = 0; round < 2; round += 1) {
      await reconcileWithProvider();
      await work();
    }
    expect(await listRefunds(orderId)).toEqual([
      { reason: "overpaid", state: "succeeded", amount_cents: 500 },
    ]);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
    expect((await reconcileWithProvider()).differences).toEqual([]);
    // The sale is what it was, so its invoice is too.
    const documents = await db.execute(
      sql`select kind, gross_cents from tax_documents where order_id = ${orderId}`,
    );
    expect([...documents]).toEqual([{ kind: "invoice", gross_cents: 1000 }]);
  });
});

describe("a refund", () => {
  /** A paid order of two passes, in two lines, of which the first is to be refunded. */
  const createRefund = async () => {
    const cart = [await createCartLine(buyer.id, planId), await createCartLine(buyer.id, otherPlanId)];
    const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    const { client_secret } = await openTab(orderId);
    const intentId = client_secret.split("_secret_")[0]!;
    provider.pay(intentId);
    await provider.settle();
    await sale.runQueue({ mails: false });
    const lines = await db.execute<{ id: string }>(
      sql`select id from order_lines where order_id = ${orderId} order by position`,
    );
    const requestLine = (index: number) =>
      requestRefund(buyer.viewer, { order_id: orderId, order_product_id: lines[index]!.id }, "en");
    await requestLine(0);
    const [refund] = await db.execute<{ id: string }>(
      sql`select id from refunds where order_id = ${orderId}`,
    );
    return { orderId, intentId, refundId: refund!.id, requestLine };
  };

  /** The next refund has no answer. Returns a function that lets it take effect at the provider after all. */
  const failNextRefund = () => {
    const { refund } = paymentProvider();
    let takeEffect = async (): Promise<unknown> => {
      throw new Error("no refund was sent");
    };
    vi.spyOn(paymentProvider(), "refund").mockImplementationOnce(async (request) => {
      takeEffect = () => refund(request);
      throw new ProviderError("unavailable", "create_refund", "no answer");
    });
    return () => takeEffect();
  };

  it("is sent once by several processes, even after its response was lost", async () => {
    const { orderId, intentId, refundId } = await createRefund();
    await Promise.all([1, 2, 3, 4].map(() => sendRefund(refundId)));
    expect(countRefunds(intentId)).toBe(1);
    await db.execute(sql`update refunds set state = 'pending', provider_id = null where id = ${refundId}`);
    await Promise.all([1, 2, 3, 4].map(() => sendRefund(refundId)));
    await work();
    expect(countRefunds(intentId)).toBe(1);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
  });

  it("whose request got no response is not sent again while that request may still take effect", async () => {
    const { orderId, intentId, refundId } = await createRefund();
    const takeEffect = failNextRefund();
    await db.execute(
      sql`update refunds set updated_at = shop_now() - interval '5 minutes' where id = ${refundId}`,
    );
    await sweepJob.run(undefined); // the call has no answer
    expect(countRefunds(intentId)).toBe(0);
    await Promise.all([1, 2, 3].map(() => sendRefund(refundId)));
    await sale.setClockAhead("39 seconds");
    await sendRefund(refundId);
    expect(countRefunds(intentId)).toBe(0);
    await takeEffect();
    await sale.setClockAhead("41 seconds");
    await Promise.all([1, 2, 3].map(() => sendRefund(refundId)));
    await sale.setClockAhead("0");
    expect(countRefunds(intentId)).toBe(1);
    await work();
    expect(await listRefunds(orderId)).toEqual([
      { reason: "requested", state: "succeeded", amount_cents: 1000 },
    ]);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
  });

  it("whose request got no response is recorded immediately when the provider lists it", async () => {
    const { intentId, refundId } = await createRefund();
    const takeEffect = failNextRefund();
    // The second one does not wait for the claim that stays.
    const start = performance.now();
    const outcomes = await Promise.allSettled([sendRefund(refundId), sendRefund(refundId)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(performance.now() - start).toBeLessThan(30_000); // a claim stays for 40 seconds
    await takeEffect();
    await sendRefund(refundId);
    const [refund] = await db.execute(sql`select state from refunds where id = ${refundId}`);
    expect([refund, countRefunds(intentId)]).toEqual([{ state: "succeeded" }, 1]);
  });

  it("whose request got no response and had no effect is sent again after 41 seconds", async () => {
    const { intentId, refundId } = await createRefund();
    await clearQueue();
    failNextRefund();
    await expect(sendRefund(refundId)).rejects.toThrow("no answer");
    const [job] = await db.execute<{ seconds: number }>(sql`
      select round(extract(epoch from run_at - now()))::int as seconds from graphile_worker.jobs where task_identifier = 'send-refund'`);
    expect(job!.seconds).toBe(41);
    await sale.setClockAhead("42 seconds");
    await makeJobsDue();
    await work();
    await sale.setClockAhead("0");
    expect(countRefunds(intentId)).toBe(1);
  });

  it("is sent again 40 seconds after the process that was sending it was killed, not earlier", async () => {
    const { intentId, refundId } = await createRefund();
    const [claim] = await db.execute<{ at: number }>(sql`
      update refunds set requested_at = shop_now() - interval '38.5 seconds' where id = ${refundId}
      returning extract(epoch from requested_at)::float as at`);
    let sentAt = 0;
    const watching = (async () => {
      while (sentAt === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (countRefunds(intentId) > 0) sentAt = Date.now() / 1000;
      }
    })();
    await sendRefund(refundId);
    expect(countRefunds(intentId)).toBe(1);
    await watching;
    expect(sentAt - claim!.at).toBeGreaterThanOrEqual(40);
  });

  it("that the provider executed twice is booked twice, and not a third time", async () => {
    const { orderId, intentId, refundId, requestLine } = await createRefund();
    await sendRefund(refundId);
    const again = { intentId, refundId, amountCents: 1000, idempotencyKey: refundId };
    await paymentProvider().refund(again);
    await work();
    expect(await listRefunds(orderId)).toEqual([
      { reason: "requested", state: "succeeded", amount_cents: 1000 },
      { reason: "made_at_provider", state: "succeeded", amount_cents: 1000 },
    ]);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([0, 0]);
    await expect(requestLine(1)).rejects.toThrow("refund_not_allowed");
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });

  it("that the provider seemed to have partly paid is not sent again", async () => {
    const { orderId, intentId, refundId } = await createRefund();
    await sendRefund(refundId);
    const [refund] = [...provider.refunds.values()].filter((made) => made.intentId === intentId);
    refund!.amount = 400;
    await sendRefund(refundId);
    refund!.amount = 1000;
    await work();
    expect(await listRefunds(orderId)).toEqual([
      { reason: "requested", state: "succeeded", amount_cents: 1000 },
      { reason: "requested", state: "cancelled", amount_cents: 600 },
    ]);
    expect(countRefunds(intentId)).toBe(1);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
  });

  it("that the provider has partly paid is completed", async () => {
    const { orderId, intentId, refundId } = await createRefund();
    await sendRefund(refundId);
    for (const refund of provider.refunds.values()) if (refund.intentId === intentId) refund.amount = 400;
    await reconcileWithProvider();
    await work();
    expect(await listRefunds(orderId)).toEqual([
      { reason: "requested", state: "succeeded", amount_cents: 400 },
      { reason: "requested", state: "succeeded", amount_cents: 600 },
    ]);
    expect([await getProviderCash(orderId), provider.cashOf(orderId)]).toEqual([1000, 1000]);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });
});
