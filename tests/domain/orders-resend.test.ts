import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/queries";
import { queueExpiryReminder } from "@/lib/orders/cancellation/commands";
import { resendKeys } from "@/lib/orders/fulfilment/commands";
import { sweepJob } from "@/lib/orders/jobs";
import { getOrder } from "@/lib/orders/queries";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
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
  (await createProduct({ plans: [{ type: "month", keys: 3, ...given }] })).plans[0]!.id;
const orderView = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const lineOf = async (orderId: string) => (await orderView(orderId)).order_products[0]!;
const ask = async (orderId: string, locale: Locale = "en", who = buyer) =>
  requestRefund(
    who.viewer,
    { order_id: orderId, order_product_id: (await lineOf(orderId)).order_product_id },
    locale,
  );
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) =>
      isShopError(error) ? [error.error, error.params.reason].filter(Boolean).join(": ") : String(error),
  );
const mailTexts = async (event: string) =>
  ((await findMailboxMails(buyer.email)) ?? [])
    .filter((mail) => mail.event === event)
    .map((mail) => mail.text);

describe("codes once more", () => {
  it("go to the order's address three times an hour, the same to the character", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    for (let time = 0; time < 3; time += 1)
      expect(await resendKeys(buyer.viewer, { order_id: orderId })).toEqual({
        order_id: orderId,
        send_email: buyer.email,
        sent: 1,
      });
    expect(await refusal(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("too_many_requests");
    await sale.runQueue();
    const texts = await mailTexts("keys");
    expect(texts).toHaveLength(4);
    expect(new Set(texts).size).toBe(1);
    await sale.setClockAhead("61 minutes");
    expect(await refusal(resendKeys(buyer.viewer, { order_id: orderId }))).toBeNull();
  });

  it("do not leave before they were delivered, nor for another, nor when given back on the way", async () => {
    const planId = await planOf({ keys: 5 });
    const unpaid = await sale.orderOf(buyer, planId);
    expect(await refusal(resendKeys(buyer.viewer, { order_id: unpaid }))).toBe("key_unknown");
    const orderId = await sale.sell(buyer, planId);
    const other = await sale.newBuyer();
    expect(await refusal(resendKeys(other.viewer, { order_id: orderId }))).toBe("order_unknown");
    await resendKeys(buyer.viewer, { order_id: orderId });
    await ask(orderId);
    await sale.runQueue();
    expect(await mailTexts("keys")).toHaveLength(1);
  });
});

describe("the reminder before a hold ends", () => {
  const sweep = async () => {
    await sweepJob.run(undefined);
    await sale.runQueue();
  };

  it("is sent once, in the last ten minutes", async () => {
    await sale.orderOf(buyer, await planOf());
    await sale.setClockAhead("19 minutes");
    await sweep();
    expect(await mailTexts("order-expiring")).toHaveLength(0);
    await sale.setClockAhead("20 minutes 1 second");
    await sweep();
    await sweep();
    expect(await mailTexts("order-expiring")).toHaveLength(1);
  });

  it("is not sent for what is paid, free or over, whoever asks", async () => {
    const planId = await planOf({ keys: 5 });
    const free = await sale.orderOf(buyer, await planOf({ priceCents: 0 }));
    await queueExpiryReminder(free);
    const paid = await sale.sell(buyer, planId);
    const open = await sale.orderOf(buyer, planId);
    await queueExpiryReminder(paid);
    await sale.setClockAhead("31 minutes");
    await queueExpiryReminder(open);
    await sweep();
    expect(await mailTexts("order-expiring")).toHaveLength(0);
  });
});
