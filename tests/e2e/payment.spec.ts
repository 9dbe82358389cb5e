import type { Page } from "@playwright/test";
import { client } from "@/db/client";
import { countCharges, findOrders, findPlan } from "./database";
import { expect, test } from "./fixtures";
import { countMails, waitForMail } from "./mails";
import { button, expectSameCodes, pay, payButton } from "./screens";
import { callApi, placeOrder, signUp } from "./users";

test("a declined payment keeps the hold and its countdown, and can be paid again", async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 7);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);

  await pay(shop, plan.price_cents, "declined");
  await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
  const clock = page.getByText(/^[0-2]\d:[0-5]\d$/).last();
  const before = await clock.textContent();
  await expect(clock).not.toHaveText(before!);
  expect((await findOrders(email))[0]).toMatchObject({ id: orderId, status: "pending" });

  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.detail.declined"))).toBeVisible();
  await page.getByRole("link", { name: t("orders.detail.continue") }).click();
  await arrive(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await expectSameCodes(shop, { orderId, to: email });
  expect(await countCharges(orderId)).toBe(1);
});

test("an authentication is refused, then approved", async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 1);
  const orderId = await placeOrder(context.request, plan, 2);
  await go(`/checkout?order_id=${orderId}`);
  const bank = page.getByRole("dialog", { name: t("payments.sandbox.challenge_title") });

  await pay(shop, plan.price_cents * 2, "requires_action");
  await bank.getByRole("button", { name: t("payments.sandbox.refuse") }).click();
  await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
  await pay(shop, plan.price_cents * 2, "requires_action");
  await bank.getByRole("button", { name: t("payments.sandbox.approve") }).dblclick();
  await arrive(`/payment/success?order_id=${orderId}`);
  // Two passes of one plan start apart: the ticket shows no countdown, but each stub its number and its own time.
  await expect(page.getByText(t("payments.success.own_clock"))).toBeVisible();
  await expect(page.getByText(t("delivery.clock.starts", { days: 1 }))).toHaveCount(0);
  const reveal = button(shop, t("delivery.code.reveal"));
  await expect(reveal).toHaveCount(2);
  await reveal.first().click();
  const [started] = t("delivery.clock.running", { unit: "hour", now: 1, all: 24, moment: "%" }).split("%");
  const numbers = [1, 2].map((number) => page.getByText(t("delivery.code.number", { number, count: 2 })));
  await expect(numbers[0]!.locator("..")).toContainText(started!);
  await expect(numbers[1]!.locator("..")).not.toContainText(started!);
  await expect(page.getByText(t("payments.success.own_clock"))).toBeVisible();
  await expectSameCodes(shop, { orderId, to: email, count: 2 });
  expect(await countCharges(orderId)).toBe(1);
});

test("an interrupted authentication can be continued", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 30);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "requires_action");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.reload();
  await arrive(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "requires_action");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("payments.sandbox.approve") })
    .click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await expectSameCodes(shop, { orderId, to: email });
});

test("a slow payment completes without action", { tag: "@all" }, async ({ shop, context }) => {
  const { page, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("tolkstra-docs", 7);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "processing_succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await expectSameCodes(shop, { orderId, to: email });
  expect(await countMails(page.request, email, "keys")).toBe(1);
});

test("a slow payment completes although its page was closed", { tag: "@all" }, async ({
  shop,
  context,
  openShop,
}) => {
  const { locale } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("tolkstra-docs", 30);
  const orderId = await placeOrder(context.request, plan);
  const tab = await openShop(context);
  await tab.go(`/checkout?order_id=${orderId}`);
  const confirmed = tab.page.waitForResponse(/\/payment\/sandbox\/confirm/);
  await pay(tab, plan.price_cents, "processing_succeeded");
  await confirmed;
  await tab.page.close();
  await expectSameCodes(shop, { orderId, to: email });
});

/** Records the hold's countdown ten times a second. The returned function reads the record in seconds. */
async function recordCountdown(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(window, { shownByClock: shown });
    setInterval(() => {
      for (const clock of document.querySelectorAll("main .figures[aria-hidden]"))
        if (/^[0-2]\d:[0-5]\d$/.test(clock.textContent ?? "")) shown.push(clock.textContent ?? "");
    }, 100);
  });
  return async () => {
    const shown = await page.evaluate(() => (window as unknown as { shownByClock: string[] }).shownByClock);
    return shown.map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));
  };
}

test("a slow payment that fails leads back to the payable order", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go } = shop;
  const { email } = await signUp(context.request, { locale, verified: true });
  const plan = await findPlan("tolkstra-docs", 1);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await expect(payButton(shop, plan.price_cents)).toBeEnabled();
  const clock = await recordCountdown(page);
  await pay(shop, plan.price_cents, "processing_failed");
  await expect(page.getByText(t("payments.wait.title"))).toBeVisible();
  await expect(page.getByText(t("payments.decline.kept"))).toBeInViewport({ timeout: 120_000 });
  await expect(
    page.getByRole("radio", { name: t("payments.sandbox.outcome.processing_failed") }),
  ).toBeChecked();
  await expect(page.getByText(t("payments.decline.kept"))).toBeInViewport();
  const seconds = await clock();
  expect(seconds.length).toBeGreaterThan(10);
  expect(seconds).toEqual([...seconds].sort((a, b) => b - a)); // it never jumps back
  await expect(payButton(shop, plan.price_cents)).toBeEnabled();
  expect((await findOrders(email))[0]).toMatchObject({ status: "pending" });
  await waitForMail(page.request, email, "payment-failed");
});

test("a payment that stays open shows a notice and can be cancelled", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("tolkstra-docs", 1);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "silent");
  await expect(page.getByRole("heading", { name: t("payments.wait.title") })).toBeVisible();
  expect((await findOrders(email))[0]).toMatchObject({ status: "processingPayment" });
  await button(shop, t("orders.actions.cancel")).click();
  await expect(page.getByRole("dialog").getByText(t("orders.actions.cancel_running_text"))).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("orders.actions.cancel") })
    .click();
  await arrive(`/payment/cancel?order_id=${orderId}`);
  await expect(page.getByText(t("payments.unpaid.cancel_running"))).toBeVisible();
  expect((await findOrders(email))[0]).toMatchObject({ status: "cancelled" });
  expect(await countCharges(orderId)).toBe(0);
});

test("a payment that succeeds after the shopper cancelled it is refunded, as the page announced", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("tolkstra-docs", 1);
  const orderId = await placeOrder(context.request, plan);
  const settle = (delay: string) => client()`
    update sandbox_intents set settles_at = shop_now() + ${delay}::interval
    where id = (select intent_id from payments where order_id = ${orderId}) and status = 'processing'`;
  await go(`/checkout?order_id=${orderId}`);
  const confirmed = page.waitForResponse("**/api/v1/payment/sandbox/confirm");
  await pay(shop, plan.price_cents, "processing_succeeded");
  await confirmed;
  await settle("1 hour");
  await expect(page.getByRole("heading", { name: t("payments.wait.title") })).toBeVisible();
  await button(shop, t("orders.actions.cancel")).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("orders.actions.cancel") })
    .click();
  await expect(page.getByRole("main").getByText(t("orders.detail.cancel_requested"))).toBeVisible();
  await settle("0 seconds");
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(page.getByText(t("payments.success.refunded_title"))).toBeVisible();
  await waitForMail(page.request, email, "refund");
  expect((await findOrders(email))[0]).toMatchObject({ status: "refunded" });
});

test("an order that was paid in another window is not cancelled, and the page shows its state", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(409);
  const { page, t, locale, go } = shop;
  const { email } = await signUp(context.request, { locale });
  const orderId = await placeOrder(context.request, await findPlan("tolkstra-docs", 1));
  await go(`/order-history?order_id=${orderId}`);
  await button(shop, t("orders.actions.cancel")).click();
  const { client_secret } = await callApi<{ client_secret: string }>(
    context.request,
    "/payment/stripe/create-payment-intent",
    { order_id: orderId },
  );
  await callApi(context.request, "/payment/sandbox/confirm", { client_secret, outcome: "succeeded" });
  const isPaid = async () => (await findOrders(email))[0]?.status === "completed";
  await expect.poll(isPaid, { timeout: 120_000 }).toBe(true);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("orders.actions.cancel") }).click();
  await expect(dialog.getByText(t("errors.order_not_cancellable"))).toBeVisible();
  await dialog.getByRole("button", { name: t("orders.actions.keep") }).click();
  await expect(page.getByRole("main").getByText(t("orders.status.completed"), { exact: true })).toBeVisible();
  await expect(button(shop, t("orders.actions.cancel"))).toHaveCount(0);
});

test("going back after success offers no payment", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("vossle-letters", 7);
  const orderId = await placeOrder(context.request, plan);
  await go("/cart");
  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await page.goBack();
  await expect(page.getByRole("main")).toBeVisible();
  await expect(payButton(shop, plan.price_cents)).toHaveCount(0);
  await go(`/checkout?order_id=${orderId}`);
  await arrive(`/payment/success?order_id=${orderId}`);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    t("payments.success.heading", { count: 1 }),
  );
  expect(await countCharges(orderId)).toBe(1);
});
