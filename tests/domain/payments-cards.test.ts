import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { addCard, confirmSandboxCard } from "@/lib/payments/cards/commands";
import { listCards } from "@/lib/payments/cards/queries";
import { createPaymentIntent } from "@/lib/payments/commands";
import { confirmSandboxPayment } from "@/lib/payments/sandbox/commands";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { WEBHOOK_EVENT_TYPES } from "@/lib/platform/stripe/webhook";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";
import { clearSandboxFaults, failSandbox } from "../setup/stripe-faults";

vi.setConfig({ testTimeout: 60_000 });
let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  planId = (await createProduct({ plans: [{ keys: 40 }] })).plans[0]!.id;
});
afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.endSale);

const keepCard = async (buyer: sale.Buyer, card: "visa" | "mastercard" | "authentication" = "visa") => {
  const opened = await addCard(buyer.viewer, {});
  if (!("setup_id" in opened)) throw new Error("no setup");
  await confirmSandboxCard(buyer.viewer, { client_secret: opened.client_secret, card });
  if (card === "authentication")
    await confirmSandboxCard(buyer.viewer, { client_secret: opened.client_secret, card: "approved" });
  const [kept] = (await listCards(buyer.viewer)).cards;
  return kept!.payment_id;
};
const open = async (buyer: sale.Buyer, save_card?: boolean) => {
  const order_id = await sale.orderOf(buyer, planId);
  const { client_secret } = await createPaymentIntent(buyer.viewer, { order_id, save_card });
  return { order_id, client_secret };
};
const pay = async (buyer: sale.Buyer, client_secret: string, payment_method?: string) =>
  confirmSandboxPayment(buyer.viewer, { client_secret, outcome: "succeeded", payment_method });
const paidWith = async (orderId: string) => {
  await sale.eventsArrived();
  await sale.runQueue();
  const [row] = await db.execute<{ method: string; card: string | null }>(
    sql`select method, card_fingerprint as card from payments where order_id = ${orderId} and state = 'succeeded'`,
  );
  return row;
};

describe("a stored card", () => {
  it("pays its owner's orders, and tells the same card again", async () => {
    const buyer = await sale.newBuyer();
    const card = await keepCard(buyer);
    const seen = [];
    for (let n = 0; n < 2; n += 1) {
      const { order_id, client_secret } = await open(buyer);
      expect(await pay(buyer, client_secret, card)).toEqual({ status: "succeeded" });
      seen.push(await paidWith(order_id));
      expect(await sale.statusOf(order_id)).toBe("completed");
    }
    expect(seen[0]).toMatchObject({ method: "card", card: expect.stringMatching(/^.{16}$/) });
    expect(seen[1]).toEqual(seen[0]);
    const other = await sale.newBuyer();
    const same = await keepCard(other);
    const { order_id, client_secret } = await open(other);
    await pay(other, client_secret, same);
    expect((await paidWith(order_id))?.card).not.toBe(seen[0]?.card);
  });

  it("of somebody else pays nothing, nor does one that is gone; the order stays payable", async () => {
    const [buyer, other] = [await sale.newBuyer(), await sale.newBuyer()];
    const [own, foreign] = [await keepCard(buyer), await keepCard(other)];
    const { order_id, client_secret } = await open(buyer);
    for (const card of [foreign, "pm_unknown"])
      await expect(pay(buyer, client_secret, card)).rejects.toMatchObject({
        error: "payment_method_unknown",
      });
    await paymentProvider().detachCard(own);
    await expect(pay(buyer, client_secret, own)).rejects.toMatchObject({ error: "payment_method_unknown" });
    await pay(buyer, client_secret);
    expect(await paidWith(order_id)).toEqual({ method: "card", card: null });
  });
});

describe("how it was paid", () => {
  it.each(["card", "apple_pay", "google_pay", "link"])("is %s by the provider's word", async (method) => {
    const buyer = await sale.newBuyer();
    const { order_id, client_secret } = await open(buyer);
    await pay(buyer, client_secret, method);
    expect(await paidWith(order_id)).toEqual({ method, card: null });
  });
});

describe("a card that is to be kept", () => {
  it("is stored once it has paid, by somebody who had none, on the one intent of the order", async () => {
    const buyer = await sale.newBuyer();
    const { order_id, client_secret } = await open(buyer);
    expect(await listCards(buyer.viewer)).toEqual({ cards: [] });
    for (const save_card of [true, false, true])
      expect(await createPaymentIntent(buyer.viewer, { order_id, save_card })).toMatchObject({
        client_secret,
      });
    await pay(buyer, client_secret, "card");
    expect((await paidWith(order_id))?.card).toMatch(/^.{16}$/);
    expect((await listCards(buyer.viewer)).cards).toMatchObject([{ brand: "visa", last4: "4242" }]);
    const again = await open(buyer);
    await pay(buyer, again.client_secret, (await listCards(buyer.viewer)).cards[0]!.payment_id);
    await paidWith(again.order_id);
    expect((await listCards(buyer.viewer)).cards).toHaveLength(1);
  });

  it("is not stored when the wish is taken back, or when a wallet pays", async () => {
    const buyer = await sale.newBuyer();
    const first = await open(buyer, true);
    await createPaymentIntent(buyer.viewer, { order_id: first.order_id, save_card: false });
    await pay(buyer, first.client_secret, "card");
    const second = await open(buyer, true);
    await pay(buyer, second.client_secret, "google_pay");
    await paidWith(second.order_id);
    expect(await listCards(buyer.viewer)).toEqual({ cards: [] });
  });

  it("and cannot be is said aloud; without that wish one pays all the same", async () => {
    const buyer = await sale.newBuyer();
    await keepCard(buyer);
    const order_id = await sale.orderOf(buyer, planId);
    failSandbox("update_intent", { when: "before", as: "500" }, 3);
    const { client_secret } = await createPaymentIntent(buyer.viewer, { order_id });
    failSandbox("update_intent", { when: "before", as: "500" }, 3);
    const wish = createPaymentIntent(buyer.viewer, { order_id, save_card: true });
    await expect(wish).rejects.toMatchObject({ error: "provider_unavailable" });
    clearSandboxFaults();
    sale.receiveEventsHere();
    await pay(buyer, client_secret);
    expect(await paidWith(order_id)).toEqual({ method: "card", card: null });
  });
});

describe("the least that can be charged", () => {
  it("is said before anything is held: 49 cents are refused, 50 and nothing are not", async () => {
    const buyer = await sale.newBuyer();
    const planOf = async (priceCents: number) =>
      (await createProduct({ plans: [{ priceCents, keys: 2, purchaseLimit: priceCents ? null : 1 }] }))
        .plans[0]!.id;
    const [cents49, cents50, free] = [await planOf(49), await planOf(50), await planOf(0)];
    await expect(sale.orderOf(buyer, cents49)).rejects.toMatchObject({
      error: "amount_too_small",
      params: { minimum: "$0.50" },
    });
    expect(await sale.keysOf(cents49)).toEqual({ available: 2 });
    await sale.orderOf(buyer, cents49, 2);
    await sale.orderOf(buyer, cents50);
    await sale.orderOf(buyer, free);
  });
});

it("the notices that the operators subscribe to are those that the shop knows, at the SDK's version", () => {
  const text = readFileSync("docs/operations.md", "utf8");
  const named = [...text.matchAll(/^ {4}(?:(?:payment_intent|refund|charge)\..*)$/gm)].join("\n");
  expect(named.match(/[a-z_]+(?:\.[a-z_]+)+/g)).toEqual([...WEBHOOK_EVENT_TYPES]);
  expect(text).toContain(`API version \`${Stripe.API_VERSION}\``);
});
