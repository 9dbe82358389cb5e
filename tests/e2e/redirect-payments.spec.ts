import type { RedirectMethod } from "@/lib/payments/rules";
import { countCharges, findOrders, findPlan } from "./database";
import { expect, type ShopPage, test } from "./fixtures";
import { emailChoice, expectSameCodes, link, payButton } from "./screens";
import { placeOrder, signUp } from "./users";

/** Chooses a redirect method at the checkout, and opens its page. */
async function leaveTo(shop: ShopPage, method: RedirectMethod, cents: number) {
  const { page, t } = shop;
  const name = new RegExp(`^${t(`payments.method.redirect.${method}`).replaceAll(/[()（）]/g, "\\$&")}`);
  await page.getByRole("radio", { name }).check();
  await emailChoice(shop).check();
  await payButton(shop, cents).click();
  await page.waitForURL(/\/dev\/pay\//);
}

test("a payment on another page is refused, left alone and paid, and the order says where it stands", {
  tag: "@all",
}, async ({ shop, context, openShop }) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 7);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await leaveTo(shop, "alipay", plan.price_cents);
  await page.getByRole("button", { name: "Refuse", exact: true }).click();
  await arrive(`/payment/error?order_id=${orderId}`);
  expect((await findOrders(email))[0]).toMatchObject({ id: orderId, status: "pending" });
  await link(shop, t("payments.unpaid.continue")).click();
  await arrive(`/checkout?order_id=${orderId}`);
  await expect(page.getByText(t("payments.decline.reason.refused_there"))).toBeVisible();
  await leaveTo(shop, "wechat_pay", plan.price_cents);

  // Another tab, as after the page of the method was closed.
  const other = await openShop(context);
  const waits = other.page.getByText(
    t("orders.detail.paying_there_title", { method: t("payments.method.redirect.wechat_pay") }),
  );
  await other.go(`/order-history?order_id=${orderId}`);
  await expect(waits).toBeVisible();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await expectSameCodes(shop, { orderId, to: email });
  await expect(waits).toBeHidden();
  expect(await countCharges(orderId)).toBe(1);
});
