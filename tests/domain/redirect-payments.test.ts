import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { getOrder } from "@/lib/orders/find-order";
import { sweepJob } from "@/lib/orders/jobs";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { REDIRECT_HOLD_LIMIT_MINUTES, REDIRECT_HOLD_MINUTES, REDIRECT_METHODS } from "@/lib/payments/rules";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import {
  answerRedirect,
  findRedirectPage,
  type RedirectChoice,
} from "@/lib/platform/stripe/sandbox/redirects";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
let planId: number;
beforeEach(async () => {
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 1 })).id;
});

type Redirect = { orderId: string; intentId: string; link: string };
/** Goes to the page of a method that redirects, of a new order or of the given one. */
async function leave(
  orderId?: string,
  method: (typeof REDIRECT_METHODS)[number] = "alipay",
): Promise<Redirect> {
  const order = orderId ?? (await sale.orderPlan(buyer, planId));
  const { clientSecret, intentId } = await sale.openPayment(buyer, order);
  const path = `/payment/success?order_id=${order}`;
  const confirmed = await confirmSandboxIntent(clientSecret, "succeeded", method, path);
  const url = new URL(confirmed!.redirect!, "http://shop");
  expect(url.pathname).toBe(`/dev/pay/${intentId}`);
  await sale.processEvents();
  return { orderId: order, intentId, link: url.searchParams.get("link")! };
}
async function answer({ intentId, link }: Redirect, choice: RedirectChoice): Promise<string> {
  const back = await answerRedirect(intentId, link, choice);
  await sale.processEvents();
  return new URL(back!, "http://shop").searchParams.get("redirect_status")!;
}
const view = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const heldMinutes = async (orderId: string) => {
  const [row] = await db.execute<{ left: number; all: number }>(sql`
    select extract(epoch from hold_ends_at - shop_now())::float8 / 60 as left, extract(epoch from hold_ends_at - created_at)::float8 / 60 as all
    from orders where id = ${orderId}`);
  return row!;
};
/** The method decides what it took time for. */
const decide = async (intentId: string) => {
  await db.execute(sql`update sandbox_intents set settles_at = shop_now() where id = ${intentId}`);
  await settlePayment(intentId);
  await sale.processEvents();
};
/** The hold ends now. */
const endHold = (orderId: string) =>
  db.execute(sql`update orders set hold_ends_at = shop_now() - interval '1 second' where id = ${orderId}`);
const stock = async () =>
  (await db.execute<{ state: string }>(sql`select state from keys where plan_id = ${planId}`)).map(
    ({ state }) => state,
  );
const payByCard = async (orderId: string) => {
  await sale.pay(buyer, orderId);
  await sale.processEvents();
};

describe("a payment on the page of its method", () => {
  it.each(REDIRECT_METHODS)("%s leads back paid, with the codes on their way, and once", async (method) => {
    const there = await leave(undefined, method);
    expect(await view(there.orderId)).toMatchObject({
      status: "pending",
      can_pay: true,
      open_payment: { method, state: "redirected" },
    });
    expect(await findRedirectPage(there.intentId, there.link)).toEqual({
      method,
      amountCents: 1000,
      open: true,
    });
    expect(await answer(there, "paid")).toBe("succeeded");
    expect(await view(there.orderId)).toMatchObject({ status: "completed", open_payment: null });
    const [payment] = await db.execute(
      sql`select method, state from payments where order_id = ${there.orderId}`,
    );
    expect(payment).toEqual({ method, state: "succeeded" });
    // The page again, also with another ending.
    for (const choice of ["paid", "refused"] as const) expect(await answer(there, choice)).toBe("succeeded");
    expect(await getProviderCash(there.orderId)).toBe(1000);
    expect((await findRedirectPage(there.intentId, there.link))!.open).toBe(false);
    expect(await findRedirectPage(there.intentId, "made-up")).toBeNull();
    expect(await answerRedirect(there.intentId, "made-up", "paid")).toBeNull();
  });

  it.each([
    ["refused", "payment_method_provider_decline"],
    ["expired", "payment_intent_payment_attempt_expired"],
  ] as const)(
    "that is %s leaves the order held with the reason, and a card pays it",
    async (choice, code) => {
      const there = await leave();
      expect(await answer(there, choice)).toBe("failed");
      expect(await view(there.orderId)).toMatchObject({
        status: "pending",
        payment_error: code,
        open_payment: null,
        can_pay: true,
      });
      await payByCard(there.orderId);
      expect(await view(there.orderId)).toMatchObject({ status: "completed" });
      expect(await getProviderCash(there.orderId)).toBe(1000);
    },
  );

  it("that is decided later keeps the passes beyond the end of the hold, and is paid then", async () => {
    const there = await leave();
    expect(await answer(there, "later_paid")).toBe("pending");
    expect(await view(there.orderId)).toMatchObject({
      status: "processingPayment",
      open_payment: { method: "alipay", state: "processing" },
    });
    await endHold(there.orderId);
    expect(await expireOrder(there.orderId)).toBe("processingPayment");
    expect(await stock()).toEqual(["reserved"]);
    await decide(there.intentId);
    expect(await view(there.orderId)).toMatchObject({ status: "completed", open_payment: null });
    expect(await getProviderCash(there.orderId)).toBe(1000);
  });

  it("that is decided after the end of the hold, with no event, is found by the sweep", async () => {
    const there = await leave();
    await answer(there, "later_paid");
    await endHold(there.orderId);
    await db.execute(sql`update sandbox_intents set settles_at = shop_now() where id = ${there.intentId}`);
    await db.execute(
      sql`update payments set updated_at = updated_at - interval '3 minutes' where order_id = ${there.orderId}`,
    );
    await sweepJob.run(undefined);
    expect(await view(there.orderId)).toMatchObject({ status: "paid" });
    await sale.processEvents();
  });

  it("that is refused later ends the wait, tells the buyer by email, and releases what its hold no longer covers", async () => {
    const there = await leave();
    await answer(there, "later_refused");
    await decide(there.intentId);
    expect(await view(there.orderId)).toMatchObject({
      status: "pending",
      payment_error: "payment_method_provider_decline",
      open_payment: null,
    });
    const mails = await findMailboxMails(buyer.email);
    expect(mails?.map(({ event }) => event)).toContain("payment-failed");
    await endHold(there.orderId);
    expect(await expireOrder(there.orderId)).toBe("cancelled");
    expect(await stock()).toEqual(["available"]);
  });

  it("in a closed tab ends with the hold: the stock is free and the page is over", async () => {
    const there = await leave();
    await endHold(there.orderId);
    expect(await expireOrder(there.orderId)).toBe("cancelled");
    expect(await stock()).toEqual(["available"]);
    expect((await findRedirectPage(there.intentId, there.link))!.open).toBe(false);
    expect(await answer(there, "paid")).toBe("failed");
    expect(await view(there.orderId)).toMatchObject({ status: "cancelled", refunds: [] });
    expect(await getProviderCash(there.orderId)).toBeNull();
  });

  it("in a closed tab can be begun again, there or otherwise", async () => {
    const first = await leave();
    const second = await leave(first.orderId, "wechat_pay");
    expect(second.intentId).toBe(first.intentId);
    expect(await view(first.orderId)).toMatchObject({ open_payment: { method: "wechat_pay" } });
    expect(await answer(second, "paid")).toBe("succeeded");
    expect(await getProviderCash(first.orderId)).toBe(1000);
  });
});

describe("the hold of an order that is paid elsewhere", () => {
  it("lasts as long as the page needs, from each beginning, and never beyond its limit", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const set = (left: number, age: number) =>
      db.execute(sql`
        update orders set hold_ends_at = shop_now() + make_interval(mins => ${left}), created_at = shop_now() - make_interval(mins => ${age})
        where id = ${orderId}`);
    await set(2, 13);
    const there = await leave(orderId);
    expect((await heldMinutes(orderId)).left).toBeCloseTo(REDIRECT_HOLD_MINUTES, 0);
    // Another look at the same payment adds nothing.
    await set(2, 13);
    await settlePayment(there.intentId);
    expect((await heldMinutes(orderId)).left).toBeLessThan(3);
    await set(2, 13);
    const elsewhere = await leave(orderId, "wechat_pay");
    expect((await heldMinutes(orderId)).left).toBeCloseTo(REDIRECT_HOLD_MINUTES, 0);
    await answer(elsewhere, "refused");
    await set(1, 50);
    await leave(orderId);
    expect((await heldMinutes(orderId)).all).toBeCloseTo(REDIRECT_HOLD_LIMIT_MINUTES, 0);
  });

  it("is not given back by a payment that is begun after its end", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    const { clientSecret, intentId } = await sale.openPayment(buyer, orderId);
    await endHold(orderId);
    await confirmSandboxIntent(clientSecret, "succeeded", "alipay", "/");
    await settlePayment(intentId);
    expect((await heldMinutes(orderId)).left).toBeLessThan(0);
  });
});

describe("a payment that arrives although it was closed with its order", () => {
  /** The method takes the money in spite of the cancellation. */
  async function payAnyway(): Promise<Redirect> {
    const there = await leave();
    await endHold(there.orderId);
    await expireOrder(there.orderId);
    await sale.processEvents();
    await db.execute(
      sql`update sandbox_intents set status = 'requires_action', canceled_at = null where id = ${there.intentId}`,
    );
    return there;
  }

  it("is served while the passes are still there", async () => {
    const there = await payAnyway();
    expect(await answer(there, "paid")).toBe("succeeded");
    expect(await view(there.orderId)).toMatchObject({ status: "completed" });
    expect(await getProviderCash(there.orderId)).toBe(1000);
  });

  it("is refunded once they are sold", async () => {
    const there = await payAnyway();
    await sale.sell(await sale.createBuyer(), planId);
    await answer(there, "paid");
    await sale.processEvents();
    expect(await view(there.orderId)).toMatchObject({ status: "refunded" });
    expect(await getProviderCash(there.orderId)).toBe(0);
  });
});
