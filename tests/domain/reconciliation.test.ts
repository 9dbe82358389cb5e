import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { runReconciliation } from "@/scripts/reconcile-payments";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { disputeSandboxPayment } from "../setup/sandbox-bank";
import { clearSandboxFaults, dropSandboxEvents, failSandbox } from "../setup/stripe-faults";

let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  dropSandboxEvents(); // every webhook event is lost
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 50 })).id;
});
beforeEach(() => db.execute(sql`update sandbox_intents set created_at = created_at - interval '5 days'`));
afterAll(sale.closeSale);

const createPaidOrder = async () => {
  const orderId = await sale.orderPlan(buyer, planId);
  return { orderId, ...(await sale.pay(buyer, orderId)) };
};

describe("the daily reconciliation", () => {
  it("repairs payments and disputes without webhook events, and finds no difference the next time", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const first = await reconcileWithProvider();
    expect(first.differences).toEqual([
      {
        object: "payment",
        id: intentId,
        kind: "state",
        ours: "requires_payment_method 1000",
        theirs: "succeeded 1000",
        repaired: true,
      },
    ]);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    const dispute = await disputeSandboxPayment(intentId, "needs_response");
    expect((await reconcileWithProvider()).differences).toMatchObject([
      { object: "dispute", id: dispute, kind: "missing_here", repaired: true },
    ]);
    await disputeSandboxPayment(intentId, "won");
    expect((await reconcileWithProvider()).differences).toMatchObject([
      { object: "dispute", kind: "state", repaired: true },
    ]);
    const repeated = await reconcileWithProvider();
    expect(repeated).toMatchObject({ differences: [], checked: 2 });
    const [report] = await db.execute(
      sql`select checked, differences from reconciliation_reports where day = ${repeated.day}`,
    );
    expect(report).toEqual({ checked: 2, differences: [] });
    const output: string[] = [];
    expect(await runReconciliation([], (text) => output.push(text))).toBe(0);
    expect(output).toEqual([`${repeated.day}: 2 compared, 0 different, 0 left`]);
  });

  it("repairs a payment whose creation response was lost", async () => {
    const { orderId, intentId } = await createPaidOrder();
    await db.execute(
      sql`update payments set intent_id = null, state = 'creating' where intent_id = ${intentId}`,
    );
    expect((await reconcileWithProvider()).differences).toMatchObject([
      { id: intentId, kind: "missing_here", repaired: true },
    ]);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("reports what it cannot repair, such as unknown payments, and refunds a different amount", async () => {
    const intentInput = {
      orderId: newId("ord"),
      paymentId: newId("pay"),
      items: "1x1",
      amountCents: 700,
      currency: "usd",
    };
    const unknownIntent = await paymentProvider().createIntent({
      ...intentInput,
      description: "",
      email: "a@b.example",
      idempotencyKey: newId("k"),
    });
    await confirmSandboxIntent(unknownIntent.clientSecret, "succeeded");
    const changed = await createPaidOrder();
    await db.execute(
      sql`update sandbox_intents set amount_cents = 900, received_cents = 900 where id = ${changed.intentId}`,
    );
    const orderWithLostIntent = await sale.orderPlan(buyer, planId);
    const lostIntentId = `pi_${newId("gone")}`;
    await db.execute(sql`insert into payments (id, order_id, intent_id, state, amount_cents, currency, receipt_email, created_at)
      values (${newId("pay")}, ${orderWithLostIntent}, ${lostIntentId}, 'succeeded', 1000, 'usd', 'a@b.example', shop_now() - interval '1 day')`);
    const { differences } = await reconcileWithProvider();
    expect(differences).toHaveLength(3);
    expect(differences).toEqual(
      expect.arrayContaining([
        {
          object: "payment",
          id: unknownIntent.id,
          kind: "missing_here",
          ours: null,
          theirs: "succeeded 700",
          repaired: false,
        },
        {
          object: "payment",
          id: changed.intentId,
          kind: "amount",
          ours: "requires_payment_method 1000",
          theirs: "succeeded 900",
          repaired: true,
        },
        {
          object: "payment",
          id: lostIntentId,
          kind: "missing_there",
          ours: "succeeded 1000",
          theirs: null,
          repaired: false,
        },
      ]),
    );
    const output: string[] = [];
    expect(await runReconciliation([], (text) => output.push(text))).toBe(1);
    expect(output.join()).toContain(
      `OPEN      payment ${lostIntentId} is missing at the provider: ours succeeded 1000, theirs –`,
    );
    expect(await sale.getOrderStatus(changed.orderId)).toBe("refunded");
    await db.execute(sql`delete from payments where intent_id = ${lostIntentId}`);
  });

  it("reports an open dispute that the provider does not know, and continues", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const id = `dp_${newId("gone")}`;
    await db.execute(sql`insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
      select ${id}, order_id, intent_id, 1000, 'fraudulent', 'needs_response', true from payments where intent_id = ${intentId}`);
    const { differences } = await reconcileWithProvider();
    expect(differences).toContainEqual({
      object: "dispute",
      id,
      kind: "missing_there",
      ours: "needs_response 1000",
      theirs: null,
      repaired: false,
    });
    expect(differences).toContainEqual(expect.objectContaining({ id: intentId, repaired: true }));
    await db.execute(sql`delete from disputes where id = ${id}`);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("books a refund made manually at the provider", async () => {
    const { orderId, intentId } = await createPaidOrder();
    await reconcileWithProvider();
    await sale.runQueue();
    const body = { payment_intent: intentId, amount: "100" };
    const { sandboxFetch } = await import("@/lib/platform/stripe/sandbox/api");
    await sandboxFetch("https://api.stripe.com/v1/refunds", {
      method: "POST",
      body: new URLSearchParams(body),
    });
    expect((await reconcileWithProvider()).differences).toMatchObject([
      { object: "refund", kind: "missing_here", theirs: "succeeded 100", repaired: true },
    ]);
    expect(await getProviderCash(orderId)).toBe(900);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });

  it("reads all pages, and writes no report when the provider is unavailable", async () => {
    for (let n = 0; n < 130; n += 1)
      await db.execute(sql`insert into sandbox_intents (id, client_secret, amount_cents, currency, metadata, created_at)
        values (${`pi_page${n}`}, ${`s${n}`}, 500, 'usd', '{"payment_id":"pay_page","order_id":"o"}', shop_now())`);
    expect(
      (await reconcileWithProvider()).differences.filter(({ id }) => id.startsWith("pi_page")),
    ).toHaveLength(130);
    await db.execute(sql`delete from reconciliation_reports`);
    failSandbox("list_refunds", { when: "before", as: "500" }, 3);
    await expect(reconcileWithProvider()).rejects.toSatisfy((error) => isProviderError(error, "unavailable"));
    expect(await db.execute(sql`select 1 from reconciliation_reports`)).toHaveLength(0);
    clearSandboxFaults();
  });
});
