import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as activate } from "@/app/api/v1/library/activate/route";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as library } from "@/app/api/v1/library/route";
import { POST as freePayment } from "@/app/api/v1/order/free-payment/route";
import { POST as resend } from "@/app/api/v1/order/resend/route";
import { POST as updateDelivery } from "@/app/api/v1/order/update-delivery/route";
import { POST as withdraw } from "@/app/api/v1/order/withdraw/route";
import { POST as createIntent } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { type LibraryItem, LibraryList, RevealedKey } from "@/lib/delivery/contract";
import type { Consent } from "@/lib/delivery/rules";
import { WithdrawView } from "@/lib/orders/withdrawal/contract";
import type { Handler } from "@/lib/platform/api/declaration";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let buyer: sale.Buyer;
let weekPlan: number;
let freePlan: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
  const product = await createProduct({ plans: [{ keys: 20 }, { type: "day", priceCents: 0, keys: 5 }] });
  [weekPlan, freePlan] = product.plans.map((plan) => plan.id) as [number, number];
});
afterAll(sale.closeSale);

const post = async (handler: Handler, path: string, body: object, language = "en") =>
  call(handler, path, { body, headers: authHeaders(buyer, language) });
const listItems = async (orderId: string): Promise<LibraryItem[]> => {
  const { body } = await call(library, "/library", { headers: authHeaders(buyer) });
  return LibraryList.parse(body.data).items.filter((item) => item.order_id === orderId);
};
/** Pays through the calls, as a client does that makes no other call; returns the order's id. */
async function buy(choice: object = {}, language = "en"): Promise<string> {
  const order_id = await sale.orderPlan(buyer, weekPlan);
  const { body } = await post(
    createIntent,
    "/payment/stripe/create-payment-intent",
    { order_id, ...choice },
    language,
  );
  await confirmSandboxIntent(body.data.client_secret, "succeeded");
  await sale.processEvents();
  return order_id;
}
const withdrawAll = async (order_id: string) =>
  WithdrawView.parse((await post(withdraw, "/order/withdraw", { order_id, confirm: true })).body.data);
const getConsent = async (orderId: string) => {
  const [row] = await db.execute<{ consent: Consent | null }>(
    sql`select consent from order_lines where order_id = ${orderId}`,
  );
  return row!.consent;
};

describe("a buyer who skips the call of the delivery choice", () => {
  it("gets no refund for a code that was shown and activated", async () => {
    const order_id = await buy({}, "ja");
    expect(await getConsent(order_id)).toMatchObject({ source: "api-default", wording: { locale: "ja" } });
    const [item] = await listItems(order_id);
    const { library_id } = item!;
    expect((await post(reveal, "/library/reveal", { library_id })).status).toBe(200);
    expect((await post(activate, "/library/activate", { library_id })).status).toBe(200);
    expect(await withdrawAll(order_id)).toMatchObject({ refund_amount: 0, lines: [{ reason: "shown" }] });
  });
});

describe("`immediate_delivery: false`", () => {
  it("leaves the code unrevealed: not activated, not sent again, shown by the press that gives the consent", async () => {
    const order_id = await buy({ immediate_delivery: false });
    const [item] = await listItems(order_id);
    expect(item).toMatchObject({ seen: false, needs_consent: true, can_activate: false, reveals: [] });
    const { library_id } = item!;
    for (const language of ["en", "zh", "ja"]) {
      const refused = [
        await post(activate, "/library/activate", { library_id }, language),
        await post(resend, "/order/resend", { order_id }, language),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, "40912"]));
    }
    const presses = await Promise.all(
      [1, 2].map(() => post(reveal, "/library/reveal", { library_id }, "zh")),
    );
    const codes = presses.map(({ body }) => RevealedKey.parse(body.data).code);
    expect(new Set(codes).size).toBe(1);
    expect((await listItems(order_id))[0]).toMatchObject({
      seen: true,
      needs_consent: false,
      can_activate: true,
    });
    expect(await sale.getOrderStatus(order_id)).toBe("completed");
    expect((await withdrawAll(order_id)).refund_amount).toBe(0);
  });

  it("lets the buyer return the unrevealed code, which is then never shown", async () => {
    const order_id = await buy({ immediate_delivery: false });
    const [item] = await listItems(order_id);
    expect((await withdrawAll(order_id)).refund_amount).toBe(10);
    const refused = await post(reveal, "/library/reveal", { library_id: item!.library_id });
    expect([refused.status, refused.body.code]).toEqual([404, "40407"]);
  });

  it("completes a free order as shipped", async () => {
    const order_id = await sale.orderPlan(buyer, freePlan);
    const body = { order_id, final_amount: 0, immediate_delivery: false };
    const { body: answer } = await post(freePayment, "/order/free-payment", body);
    expect(answer.data).toEqual({ order_id, status: "shipped" });
  });

  it("outlasts the default when an earlier call chose it", async () => {
    const order_id = await sale.orderPlan(buyer, weekPlan);
    await post(updateDelivery, "/order/update-delivery", { order_id, immediate_delivery: false });
    await sale.pay(buyer, order_id);
    await sale.processEvents();
    expect(await getConsent(order_id)).toBeNull();
    expect((await listItems(order_id))[0]).toMatchObject({ needs_consent: true });
  });
});

it("the choice must be a boolean", async () => {
  const order_id = await sale.orderPlan(buyer, weekPlan);
  for (const value of ["yes", 1, null]) {
    const body = { order_id, immediate_delivery: value };
    const refused = await post(createIntent, "/payment/stripe/create-payment-intent", body);
    expect([refused.status, refused.body.code]).toEqual([400, "40000"]);
  }
  expect(await getConsent(order_id)).toBeNull();
});
