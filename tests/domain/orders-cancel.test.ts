import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { cancelOrder, expireOrder } from "@/lib/orders/cancellation/commands";
import { sweepJob } from "@/lib/orders/jobs";
import { settlePayment } from "@/lib/orders/payment/commands";
import { findOpenOrder } from "@/lib/orders/queries";
import { createPaymentIntent } from "@/lib/payments/commands";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";
import { clearSandboxFaults, failSandbox } from "../setup/stripe-faults";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 3, ...given }] })).plans[0]!;
const cancel = (orderId: string, who = buyer) => refusal(cancelOrder(who.viewer, { order_id: orderId }));
const heldBy = async (orderId: string) => {
  const [row] = await db.execute(sql`select
    (select count(*)::int from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}) as keys,
    (select count(*)::int from purchase_claims where order_id = ${orderId}) as claims`);
  return row;
};
const claimedOf = async (dealId: string | null) =>
  (await db.execute<{ claimed: number }>(sql`select claimed from deals where id = ${dealId}`))[0]!.claimed;

describe("cancelling", () => {
  it("gives keys, deal units and purchase claims back, once, however many ask at once", async () => {
    const product = await plan({ purchaseLimit: 2, deal: { priceCents: 400, quantity: 5 } });
    const id = await sale.orderOf(buyer, product.id, 2);
    await sale.openPayment(buyer, id);
    expect([await heldBy(id), await claimedOf(product.dealId)]).toEqual([{ keys: 2, claims: 2 }, 2]);
    await sale.setClockAhead("31 minutes");
    const asks = Array.from({ length: 10 }, (_, i) => (i % 2 ? cancel(id) : refusal(expireOrder(id))));
    const answers = await Promise.all(asks);
    expect(answers.filter((answer) => answer !== null && answer !== "order_not_cancellable")).toEqual([]);
    expect([await heldBy(id), await claimedOf(product.dealId)]).toEqual([{ keys: 0, claims: 0 }, 0]);
    expect(await sale.keysOf(product.id)).toEqual({ available: 3 });
    expect(await sale.historyOf(id)).toHaveLength(2);
    const [released] = await db.execute(
      sql`select count(*)::int as n from key_events e join keys k on k.id = e.key_id where k.plan_id = ${product.id} and event = 'released'`,
    );
    expect(released).toEqual({ n: 2 });
    await expect(createPaymentIntent(buyer.viewer, { order_id: id })).rejects.toThrow("order_not_payable");
  });

  it("is the owner's alone, and answers a foreign order like a missing one", async () => {
    const product = await plan();
    const id = await sale.orderOf(buyer, product.id);
    const other = await sale.newBuyer();
    expect(await cancel(id, other)).toBe("order_unknown");
    expect(await cancel("ord_missing", other)).toBe("order_unknown");
    expect(await sale.keysOf(product.id)).toEqual({ reserved: 1, available: 2 });
    expect(await cancel(id)).toBe(null);
  });

  it("is told as such: no word of a failed payment", async () => {
    const id = await sale.orderOf(buyer, (await plan()).id);
    const { intentId } = await sale.pay(buyer, id, "silent");
    await settlePayment(intentId);
    expect(await sale.statusOf(id)).toBe("processingPayment");
    expect(await cancel(id)).toBe(null);
    await sale.eventsArrived();
    await sale.runQueue();
    expect((await sale.mailsOf(id)).filter((mail) => mail.startsWith("payment-failed"))).toEqual([]);
  });

  it.each([
    ["before it is done", "before"],
    ["after it is done", "after"],
  ] as const)(
    "waits for the provider's word: no answer %s, nothing is released until it comes",
    async (_, when) => {
      const product = await plan();
      const id = await sale.orderOf(buyer, product.id);
      await sale.openPayment(buyer, id);
      failSandbox("cancel_intent", { when, as: "timeout" }, 3);
      expect(await cancel(id)).toBe("provider_unavailable");
      expect(await sale.statusOf(id)).toBe("pending");
      expect(await sale.keysOf(product.id)).toEqual({ reserved: 1, available: 2 });
      clearSandboxFaults();
      sale.receiveEventsHere();
      expect(await cancel(id)).toBe(null);
      expect(await sale.keysOf(product.id)).toEqual({ available: 3 });
    },
  );
});

describe("a hold that is over", () => {
  it("refuses payment before any sweep has run, and the sweep releases it", async () => {
    const product = await plan();
    const id = await sale.orderOf(buyer, product.id);
    expect((await findOpenOrder(buyer.viewer))?.order_id).toBe(id);
    await expireOrder(id); // not over yet: nothing happens
    expect(await sale.statusOf(id)).toBe("pending");
    await sale.setClockAhead("30 minutes");
    expect(await refusal(createPaymentIntent(buyer.viewer, { order_id: id }))).toBe("order_not_payable");
    expect(await findOpenOrder(buyer.viewer)).toBeNull();
    await sweepJob.run(undefined);
    expect(await sale.historyOf(id)).toEqual(["created", "expired"]);
    expect(await sale.keysOf(product.id)).toEqual({ available: 3 });
  });
});

describe("races", () => {
  it("cancel against pay: one winner in each of 50 rounds", async () => {
    const product = await plan({ keys: 60 });
    const wins = { paid: 0, cancelled: 0 };
    let cancelTakes = 20;
    const late = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    for (let round = 0; round < 50; round++) {
      const id = await sale.orderOf(buyer, product.id);
      const { clientSecret, intentId } = await sale.openPayment(buyer, id);
      const began = performance.now();
      const [answer, confirmed] = await Promise.all([
        cancel(id).finally(() => {
          cancelTakes = performance.now() - began;
        }),
        late((cancelTakes * (round % 10)) / 10).then(() => confirmSandboxIntent(clientSecret, "succeeded")),
      ]);
      await settlePayment(intentId);
      const paid = confirmed?.accepted === true;
      expect([await sale.statusOf(id), answer]).toEqual(
        paid ? ["paid", "order_not_cancellable"] : ["cancelled", null],
      );
      wins[paid ? "paid" : "cancelled"]++;
    }
    await sale.eventsArrived();
    await sale.runQueue({ mails: false });
    expect(await sale.keysOf(product.id)).toEqual({
      ...(wins.paid && { assigned: wins.paid }),
      available: 60 - wins.paid,
    });
    console.log(
      `cancel against pay: n=50, ${wins.paid} paid, ${wins.cancelled} cancelled, 0 both, 0 neither`,
    );
  });

  it("expiry against opening a payment: none stays payable, 20 rounds", async () => {
    const product = await plan({ keys: 20 });
    let opened = 0;
    for (let round = 0; round < 20; round++) {
      await sale.setClockAhead("0");
      const id = await sale.orderOf(buyer, product.id);
      const opening = refusal(createPaymentIntent(buyer.viewer, { order_id: id }));
      if (round % 2) await new Promise((resolve) => setTimeout(resolve, round));
      await sale.setClockAhead("31 minutes");
      const [answer] = await Promise.all([opening, expireOrder(id)]);
      await expireOrder(id); // the next sweep
      expect(["order_not_payable", null]).toContain(answer);
      if (answer === null) opened++;
      expect(await sale.statusOf(id)).toBe("cancelled");
      const live = await db.execute(
        sql`select 1 from sandbox_intents where metadata->>'order_id' = ${id} and status <> 'canceled'`,
      );
      expect(live).toHaveLength(0);
    }
    console.log(`expiry against payment: n=20, ${opened} opened before, 0 left payable`);
  });
});
