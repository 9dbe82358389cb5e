import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { addCard } from "@/lib/payments/cards/add-card";
import { confirmSandboxCard } from "@/lib/payments/cards/confirm-sandbox-card";
import { listCards } from "@/lib/payments/cards/list-cards";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { confirmSandboxPayment } from "@/lib/payments/sandbox/confirm-sandbox-payment";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { WEBHOOK_EVENT_TYPES } from "@/lib/platform/stripe/webhook";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { clearSandboxFaults, failSandbox } from "../setup/stripe-faults";

registerSaleHooks();
let planId: number;
beforeAll(async () => {
  planId = (await createSinglePlan({ keys: 40 })).id;
});

const storeCard = async (buyer: sale.Buyer, card: "visa" | "mastercard" | "authentication" = "visa") => {
  const setup = await addCard(buyer.viewer, {});
  if (!("setup_id" in setup)) throw new Error("no setup");
  await confirmSandboxCard(buyer.viewer, { client_secret: setup.client_secret, card });
  if (card === "authentication")
    await confirmSandboxCard(buyer.viewer, { client_secret: setup.client_secret, card: "approved" });
  const [storedCard] = (await listCards(buyer.viewer)).cards;
  return storedCard!.payment_id;
};
const openPayment = async (buyer: sale.Buyer, save_card?: boolean) => {
  const order_id = await sale.orderPlan(buyer, planId);
  const { client_secret } = await startPayment(buyer.viewer, { order_id, save_card });
  return { order_id, client_secret };
};
const pay = async (buyer: sale.Buyer, client_secret: string, payment_method?: string) =>
  confirmSandboxPayment(buyer.viewer, { client_secret, outcome: "succeeded", payment_method });
const getPaymentMethod = async (orderId: string) => {
  await sale.waitForEvents();
  await sale.runQueue();
  const [row] = await db.execute<{ method: string; card: string | null }>(
    sql`select method, card_fingerprint as card from payments where order_id = ${orderId} and state = 'succeeded'`,
  );
  return row;
};

describe("a stored card", () => {
  it("pays its owner's orders with the same fingerprint each time", async () => {
    const buyer = await sale.createBuyer();
    const card = await storeCard(buyer);
    const methods = [];
    for (let n = 0; n < 2; n += 1) {
      const { order_id, client_secret } = await openPayment(buyer);
      expect(await pay(buyer, client_secret, card)).toMatchObject({ status: "succeeded" });
      methods.push(await getPaymentMethod(order_id));
      expect(await sale.getOrderStatus(order_id)).toBe("completed");
    }
    expect(methods[0]).toMatchObject({ method: "card", card: expect.stringMatching(/^.{16}$/) });
    expect(methods[1]).toEqual(methods[0]);
    const other = await sale.createBuyer();
    const otherCard = await storeCard(other);
    const { order_id, client_secret } = await openPayment(other);
    await pay(other, client_secret, otherCard);
    expect((await getPaymentMethod(order_id))?.card).not.toBe(methods[0]?.card);
  });

  it("of another user or a detached one is rejected; the order stays payable", async () => {
    const [buyer, other] = [await sale.createBuyer(), await sale.createBuyer()];
    const [ownCard, foreignCard] = [await storeCard(buyer), await storeCard(other)];
    const { order_id, client_secret } = await openPayment(buyer);
    for (const card of [foreignCard, "pm_unknown"])
      await expect(pay(buyer, client_secret, card)).rejects.toMatchObject({
        error: "payment_method_unknown",
      });
    await paymentProvider().detachCard(ownCard);
    await expect(pay(buyer, client_secret, ownCard)).rejects.toMatchObject({
      error: "payment_method_unknown",
    });
    await pay(buyer, client_secret);
    expect(await getPaymentMethod(order_id)).toEqual({ method: "card", card: null });
  });
});

describe("the payment method", () => {
  it.each(["card", "apple_pay", "google_pay", "link"])(
    "is %s as reported by the provider",
    async (method) => {
      const buyer = await sale.createBuyer();
      const { order_id, client_secret } = await openPayment(buyer);
      await pay(buyer, client_secret, method);
      expect(await getPaymentMethod(order_id)).toEqual({ method, card: null });
    },
  );
});

describe("saving a card", () => {
  it("stores the card after its payment succeeded, on the order's single intent", async () => {
    const buyer = await sale.createBuyer();
    const { order_id, client_secret } = await openPayment(buyer);
    expect(await listCards(buyer.viewer)).toEqual({ cards: [] });
    for (const save_card of [true, false, true])
      expect(await createPaymentIntent(buyer.viewer, { order_id, save_card })).toMatchObject({
        client_secret,
      });
    await pay(buyer, client_secret, "card");
    expect((await getPaymentMethod(order_id))?.card).toMatch(/^.{16}$/);
    expect((await listCards(buyer.viewer)).cards).toMatchObject([{ brand: "visa", last4: "4242" }]);
    const secondPayment = await openPayment(buyer);
    await pay(buyer, secondPayment.client_secret, (await listCards(buyer.viewer)).cards[0]!.payment_id);
    await getPaymentMethod(secondPayment.order_id);
    expect((await listCards(buyer.viewer)).cards).toHaveLength(1);
  });

  it("stores nothing when the choice is revoked or a wallet pays", async () => {
    const buyer = await sale.createBuyer();
    const first = await openPayment(buyer, true);
    await createPaymentIntent(buyer.viewer, { order_id: first.order_id, save_card: false });
    await pay(buyer, first.client_secret, "card");
    const second = await openPayment(buyer, true);
    await pay(buyer, second.client_secret, "google_pay");
    await getPaymentMethod(second.order_id);
    expect(await listCards(buyer.viewer)).toEqual({ cards: [] });
  });

  it("reports a provider failure, but payment without saving still works", async () => {
    const buyer = await sale.createBuyer();
    await storeCard(buyer);
    const order_id = await sale.orderPlan(buyer, planId);
    failSandbox("update_intent", { when: "before", as: "500" }, 3);
    const { client_secret } = await createPaymentIntent(buyer.viewer, { order_id });
    failSandbox("update_intent", { when: "before", as: "500" }, 3);
    const saveRequest = createPaymentIntent(buyer.viewer, { order_id, save_card: true });
    await expect(saveRequest).rejects.toMatchObject({ error: "provider_unavailable" });
    clearSandboxFaults();
    sale.receiveEventsInProcess();
    await pay(buyer, client_secret);
    expect(await getPaymentMethod(order_id)).toEqual({ method: "card", card: null });
  });
});

describe("the minimum charge", () => {
  it("makes a pass below it free once per person, and does not change more expensive ones", async () => {
    const buyer = await sale.createBuyer();
    const createPricedPlan = async (priceCents: number) =>
      (await createSinglePlan({ priceCents, keys: 2, purchaseLimit: priceCents ? null : 1 })).id;
    const [plan49, plan50] = [await createPricedPlan(49), await createPricedPlan(50)];
    const orderTotal = async (planId: number) => {
      const id = await sale.orderPlan(buyer, planId);
      const [row] = await db.execute<{ total: number }>(
        sql`select total_cents as total from orders where id = ${id}`,
      );
      return row!.total;
    };
    expect(await orderTotal(plan49)).toBe(0);
    await expect(sale.orderPlan(buyer, plan49)).rejects.toMatchObject({
      error: "purchase_limit",
      params: { limit: 1 },
    });
    expect(await orderTotal(plan50)).toBe(50);
    expect(await orderTotal(plan50)).toBe(50);
  });
});

it("the webhook events listed in docs/operations.md are those of the code, at the SDK's API version", () => {
  const text = readFileSync("docs/operations.md", "utf8");
  const listedTypes = [
    ...text.matchAll(/^ {4}(?:(?:payment_intent|refund|charge|radar|review)\..*)$/gm),
  ].join("\n");
  expect(listedTypes.match(/[a-z_]+(?:\.[a-z_]+)+/g)).toEqual([...WEBHOOK_EVENT_TYPES]);
  expect(text).toContain(`API version \`${Stripe.API_VERSION}\``);
});
