import { client } from "@/db/client";
import { formatPrice } from "@/lib/platform/money";
import { countCharges, findOrders, findPlan } from "./database";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mails";
import { button, expectSameCodes, pay, payButton } from "./screens";
import { placeOrder, signUp } from "./users";

const holdFor = (orderId: string, seconds: number) =>
  client()`update orders set hold_ends_at = shop_now() + make_interval(secs => ${seconds}) where id = ${orderId}`;

/** The provider receives the money of a cancelled payment and sends the webhook event. */
async function receiveLatePayment(orderId: string): Promise<void> {
  const [row] = await client()<{ intent_id: string }[]>`
    update sandbox_intents set status = 'succeeded', received_cents = amount_cents
    where id = (select intent_id from payments where order_id = ${orderId}) returning id as intent_id`;
  const inserted = await client()`
    insert into sandbox_events (id, type, payload, due_at)
    select 'evt_late' || md5(${orderId}), 'payment_intent.succeeded',
      jsonb_set(payload || jsonb_build_object('id', 'evt_late' || md5(${orderId}), 'type', 'payment_intent.succeeded'),
        '{data,object,id}', to_jsonb(${row!.intent_id}::text)), shop_now()
    from sandbox_events where type like 'payment_intent.%' limit 1 returning id`;
  expect(inserted).toHaveLength(1);
}

/** Makes a cancelled order one whose hold has ended, so that its late payment is served where that is possible. */
const endHoldInstead = (orderId: string) =>
  client()`update orders set cancel_requested_at = null where id = ${orderId}`;

test("a hold that expires while the checkout is open shows a message and charges nothing", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("pellmere-edit", 7);
  const orderId = await placeOrder(context.request, plan);
  const checkout = payButton(shop, plan.price_cents);
  // A machine that is too busy to open the page before the end gets more time.
  for (const seconds of [8, 40]) {
    await holdFor(orderId, seconds);
    await go(`/checkout?order_id=${orderId}`);
    if ((await checkout.count()) > 0) break;
  }
  await expect(checkout).toBeEnabled();
  await expect(page.getByText(t("orders.checkout.expired_title"))).toBeVisible({ timeout: 120_000 });
  await expect(checkout).toHaveCount(0);
  await go(`/order-history?order_id=${orderId}`);
  await expect(
    page.getByText(t("orders.detail.ending")).or(page.getByText(t("orders.detail.expired"))),
  ).toBeVisible();
  expect(await countCharges(orderId)).toBe(0);
  const paid = await context.request.post("/api/v1/payment/stripe/create-payment-intent", {
    data: { order_id: orderId },
  });
  expect(paid.ok()).toBe(false);
});

test("an order whose hold has expired is cancelled by the worker within two minutes and releases the key", {
  tag: "@all",
}, async ({ context, locale }) => {
  test.setTimeout(180_000);
  const { email } = await signUp(context.request, { locale });
  const orderId = await placeOrder(context.request, await findPlan("pellmere-edit", 7));
  await holdFor(orderId, 0);
  // The worker sweeps once a minute.
  await expect
    .poll(async () => (await findOrders(email))[0], { timeout: 120_000 })
    .toMatchObject({ status: "cancelled" });
});

test("a late payment delivers the pass while a key is available", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("pellmere-edit", 7);
  const orderId = await cancelAfterDecline();
  await endHoldInstead(orderId);
  await receiveLatePayment(orderId);
  await expectSameCodes(shop, { orderId, to: email });
  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.detail.late_served"))).toBeVisible();
  expect(await countCharges(orderId)).toBe(1);

  /** Places an order, starts a payment that is declined, and cancels the order. */
  async function cancelAfterDecline() {
    const id = await placeOrder(context.request, plan);
    await go(`/checkout?order_id=${id}`);
    await pay(shop, plan.price_cents, "declined");
    await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
    await button(shop, t("orders.actions.cancel")).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("orders.actions.cancel") })
      .click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("payments.unpaid.cancel_title"));
    return id;
  }
});

test("a late payment is refunded when no key is available", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("tolkstra-docs", 365);
  const orderId = await placeOrder(context.request, plan);
  for (const call of ["payment/stripe/create-payment-intent", "order/cancel"])
    expect((await context.request.post(`/api/v1/${call}`, { data: { order_id: orderId } })).ok()).toBe(true);
  await endHoldInstead(orderId);
  const hiddenKeys = await client()<{ id: string }[]>`
    update keys set redeem_by = coalesce(redeem_by, '2099-01-01') - interval '100 years'
    where plan_id = ${plan.vip_id} and state = 'available' returning id`;
  try {
    await receiveLatePayment(orderId);
    await waitForMail(page.request, email, "refund");
    expect((await findOrders(email))[0]).toMatchObject({ status: "refunded" });
  } finally {
    await client()`update keys set redeem_by = redeem_by + interval '100 years' where id in ${client()(hiddenKeys.map(({ id }) => id))}`;
  }
  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.detail.late_refunded"))).toBeVisible();
  await expect(page.getByText(formatPrice(plan.price_cents, locale)).first()).toBeVisible();
});
