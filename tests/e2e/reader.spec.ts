import { createCoupon } from "@/db/factories/coupons";
import { formatDate } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import {
  button,
  checkOut,
  emailChoice,
  expectSameCodes,
  libraryChoice,
  link,
  openMore,
  payButton,
  stubOf,
} from "./screens";
import { buyPass, callApi, fillCart, placeOrder, signUp } from "./users";

test.use({ timezoneId: "Asia/Tokyo" });

/** Japan's zone, as times name it. */
const JAPAN = /GMT\+9|JST/;

test("a buyer in Tokyo sees local times, no European texts, and the consequence of showing a code", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 30);
  const main = page.getByRole("main");
  await fillCart(context.request, plan);
  await go("/cart");
  const orderId = await checkOut(shop); // by the browser, which sends its time zone
  // The bar counts down, and says to screen readers until when.
  await expect(main.getByText(JAPAN).first()).toBeAttached();
  await expect(emailChoice(shop)).toBeChecked();
  await expect(main.getByText(t("orders.checkout.delivery.library_hint_plain"))).toBeVisible();
  await libraryChoice(shop).check();
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(main.getByText(t("payments.success.kept"))).toBeVisible();

  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/PL-\d{4}-\d{4,}/);
  await expect(main.getByText(orderId, { exact: true })).toBeVisible();
  await expect(main.getByText(JAPAN).first()).toBeVisible();
  await expect(main.getByText(t("orders.detail.in_library_plain"))).toBeVisible();
  await expect(button(shop, t("orders.refund.ask"))).toBeVisible();
  for (const key of ["orders.detail.in_library", "orders.detail.two_ways"] as const)
    await expect(main.getByText(t(key))).toHaveCount(0);
  await expect(link(shop, t("orders.detail.withdraw"))).toHaveCount(0);

  await go("/library");
  // The stub says what showing the code costs, and that it then counts as delivered.
  const stub = stubOf(shop);
  await expect(stub).toContainText(formatPrice(plan.price_cents, locale));
  await expect(stub.getByText(t("delivery.code.consent_text_plain"))).toBeVisible();
  await expect(main.getByText(t("delivery.code.consent_text"))).toHaveCount(0);
  await openMore(shop);
  await expect(main.getByText(t("delivery.library.unseen_plain"))).toBeVisible();
  await expect(main.getByText(t("delivery.library.unseen"))).toHaveCount(0);
  const dialog = page.getByRole("dialog");
  await button(shop, t("orders.refund.ask")).click();
  await dialog.getByRole("button", { name: t("orders.refund.confirm") }).click();
  await expect(button(shop, t("delivery.code.reveal"))).toHaveCount(0);

  const { user_id: userId } = await callApi<{ user_id: string }>(context.request, "/auth/get-info");
  await createCoupon({ userId, endsIn: "7 days" });
  await go("/coupons");
  await expect(main.getByText(t("coupons.terms.any"))).toContainText(JAPAN);
});

test("a buyer in Tokyo who changes nothing gets the code by email immediately", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { t, locale, go, arrive, page } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 7);
  await fillCart(context.request, plan);
  await go("/cart");
  const orderId = await checkOut(shop);
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(page.getByText(t("payments.success.sent_to", { email }))).toBeVisible();
  await expectSameCodes(shop, { orderId, to: email });
});

test("a buyer with a right of withdrawal must choose, and the choice of another country does not count", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 7);
  await fillCart(context.request, plan);
  await go("/cart");
  const orderId = await checkOut(shop);
  await emailChoice(shop).check();
  // The zone names a country without the right, which can be corrected.
  await page
    .getByText(t("orders.checkout.country.elsewhere"))
    .getByRole("button", { name: t("orders.checkout.country.change") })
    .click();
  const country = page.getByLabel(t("orders.checkout.country.label"));
  const saved = page.waitForResponse("**/api/v1/order/update-delivery");
  await country.selectOption("DE");
  await saved;
  const missing = page.getByText(t("orders.checkout.delivery.missing"));
  for (const press of [payButton(shop, plan.price_cents), button(shop, t("payments.sandbox.wallet"))]) {
    await expect(emailChoice(shop)).not.toBeChecked();
    await expect(libraryChoice(shop)).not.toBeChecked();
    await press.click();
    await expect(missing).toBeVisible();
    await expect(emailChoice(shop)).toBeFocused();
    await page.reload();
    await expect(missing).toHaveCount(0);
  }
  type Order = { status: string; order_products: { immediate_delivery: boolean | null }[] };
  const read = () => callApi<Order>(context.request, `/order/detail?order_id=${orderId}`);
  expect(await read()).toMatchObject({ status: "pending", order_products: [{ immediate_delivery: null }] });
  await libraryChoice(shop).check();
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  expect(await read()).toMatchObject({ order_products: [{ immediate_delivery: false }] });
});

test("a pre-order appears in the library and is cancelled there", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("ozmere-motion", 7);
  await go(`/product/ozmere-motion?plan=${plan.vip_id}`);
  await expect(page.getByRole("main")).toContainText(formatDate(plan.releases_at!, locale, "Asia/Tokyo"));
  const orderId = await buyPass(context.request, plan, { immediate_delivery: false }, { waits: true });
  await go(`/payment/success?order_id=${orderId}`);
  await expect(page.getByText(t("payments.success.will_keep"))).toBeVisible();
  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.status.pre_ordered"), { exact: true }).first()).toBeVisible();
  await expect(page.getByText(t("orders.status.processing"), { exact: true })).toHaveCount(0);
  const [notice] = t("orders.detail.waiting_all_until", { date: "|" }).split("|");
  await expect(page.getByText(notice!)).toBeVisible();
  await go("/library");
  await expect(page.getByRole("heading", { name: t("delivery.library.waiting_title") })).toBeVisible();
  await button(shop, t("orders.refund.cancel.ask_pre_order")).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("orders.refund.cancel.confirm") }).click();
  await expect(page.getByRole("heading", { name: t("delivery.library.waiting_title") })).toBeHidden();
  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.receipt.net"))).toBeVisible();
});

test("the checkout asks once where a buyer lives, and shows the texts of that country", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  await go("/library"); // the browser's first page
  const plan = await findPlan("ackwith-minutes", 7);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  const country = page.getByLabel(t("orders.checkout.country.label"));
  const choose = async (code: string) => {
    const saved = page.waitForResponse("**/api/v1/order/update-delivery");
    await country.selectOption(code);
    await saved;
    await expect(country).toHaveValue(code);
  };
  await choose("DE");
  await expect(page.getByText(t("orders.checkout.delivery.email_hint"))).toBeVisible();
  await choose("JP");
  await expect(page.getByText(t("orders.checkout.delivery.email_hint_plain"))).toBeVisible();
  await page.reload();
  await expect(page.getByText(t("orders.checkout.delivery.email_hint_plain"))).toBeVisible();
  await expect(country).toHaveCount(0);
  await button(shop, t("orders.checkout.country.change")).click();
  await choose("DE");
  await expect(page.getByText(t("orders.checkout.delivery.email_hint"))).toBeVisible();
});
