import { findOrders, findPlan, findProductName } from "./database";
import { expect, test } from "./fixtures";
import { countMails, verificationCode, waitForMail } from "./mails";
import { button, expectSameCodes, link, pay, payButton } from "./screens";
import { callApi, fillCart, newUser, placeOrder, signUp } from "./users";

test("a new delivery address is verified by code and receives the keys", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale, verified: true });
  const deliveryEmail = newUser().email;
  const plan = await findPlan("cairnby-papers", 7);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);

  await button(shop, t("orders.checkout.email_change_named")).click();
  const field = page.getByLabel(t("orders.checkout.email_label"));
  watch.allow(400, 409);
  await field.fill("no address");
  await button(shop, t("orders.checkout.email_save")).click();
  await expect(page.getByText(t("errors.email_invalid"))).toBeVisible();
  await field.fill(deliveryEmail);
  await button(shop, t("orders.checkout.email_save")).click();
  await expect(page.getByText(t("orders.checkout.code_sent", { email: deliveryEmail }))).toBeVisible();
  expect((await findOrders(email))[0]!.send_email).toBe(email);
  const code = await verificationCode(page.request, deliveryEmail);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  const box = page.getByLabel(t("orders.checkout.code_label"));
  await box.fill(wrong);
  await expect(page.getByText(t("errors.code_wrong"))).toBeVisible();
  await box.fill(code);
  await expect(page.getByText(deliveryEmail, { exact: true })).toBeVisible();
  expect((await findOrders(email))[0]!.send_email).toBe(deliveryEmail);
  await waitForMail(page.request, email, "email-changed");

  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(page.getByRole("main")).toContainText(deliveryEmail);
  await expectSameCodes(shop, { orderId, to: deliveryEmail });
  expect(await countMails(page.request, email, "keys")).toBe(0);
});

test("an unverified account verifies its own address before a new delivery address", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const deliveryEmail = newUser().email;
  const plan = await findPlan("cairnby-papers", 30);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await button(shop, t("orders.checkout.email_change_named")).click();
  await button(shop, t("accounts.verify.send")).click();
  await page.getByLabel(t("accounts.code.label")).fill(await verificationCode(page.request, email));
  await button(shop, t("accounts.verify.submit")).click();
  await expect(page.getByRole("status").getByText(t("accounts.verify.done"))).toBeVisible();
  watch.allow(409);
  const change = button(shop, t("orders.checkout.email_change_named"));
  const field = page.getByLabel(t("orders.checkout.email_label"));
  await expect(change.or(field)).toBeVisible();
  if (await change.isVisible()) await change.click();
  await field.fill(deliveryEmail);
  await button(shop, t("orders.checkout.email_save")).click();
  await page
    .getByLabel(t("orders.checkout.code_label"))
    .fill(await verificationCode(page.request, deliveryEmail));
  await expect(page.getByText(deliveryEmail, { exact: true })).toBeVisible();
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await expectSameCodes(shop, { orderId, to: deliveryEmail });
});

test("an order is cancelled at the checkout and its passes can be ordered again", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("pellmere-edit", 7);
  const orderId = await placeOrder(context.request, plan);
  const free = (await findPlan("pellmere-edit", 7)).free;
  await go(`/checkout?order_id=${orderId}`);
  await button(shop, t("orders.actions.cancel")).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("orders.actions.keep") }).click();
  await expect(dialog).toBeHidden();
  expect((await findOrders(email))[0]).toMatchObject({ status: "pending" });
  await button(shop, t("orders.actions.cancel")).click();
  await dialog.getByRole("button", { name: t("orders.actions.cancel") }).dblclick();
  await arrive(`/payment/cancel?order_id=${orderId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("payments.unpaid.cancel_title"));
  expect((await findOrders(email))[0]).toMatchObject({ status: "cancelled" });
  expect((await findPlan("pellmere-edit", 7)).free).toBeGreaterThan(free);

  await go(`/checkout?order_id=${orderId}`);
  await expect(page.getByText(t("orders.checkout.ended_title"))).toBeVisible();
  await expect(payButton(shop, plan.price_cents)).toHaveCount(0);
  await button(shop, t("payments.unpaid.again")).dblclick();
  await arrive("/cart");
  await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
  await expect(link(shop, await findProductName("pellmere-edit", locale))).toBeVisible();
});

test("a cancelled order returns available passes to the cart and names the unavailable ones", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale, verified: true });
  const [month, week] = [await findPlan("pellmere-edit", 30), await findPlan("cairnby-papers", 7)];
  const lines = [await fillCart(context.request, month, 2), await fillCart(context.request, week)];
  const { order_id } = await callApi<{ order_id: string }>(context.request, "/order/create", {
    cart_record_ids: lines,
  });
  await go(`/order-history?order_id=${order_id}`);
  await expect(button(shop, t("payments.unpaid.again"))).toBeHidden();
  await button(shop, t("orders.actions.cancel")).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("orders.actions.cancel") })
    .click();
  const again = button(shop, t("payments.unpaid.again"));
  await expect(again).toBeVisible();

  // One key of the first plan is left, and none of the second.
  watch.allow(409);
  await page.route("**/api/v1/cart/add", async (route) => {
    const { vip_id, quantity } = route.request().postDataJSON() as { vip_id: number; quantity: number };
    if (vip_id === month.vip_id && quantity === 1) return route.continue();
    const problem = vip_id === week.vip_id ? t("errors.sold_out") : t("errors.stock_short", { count: 1 });
    await route.fulfill({
      status: 409,
      json: { code: "409", state: 409, success: false, message: problem, data: null },
    });
  });
  await page.route("**/api/v1/cart/list*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { cart_items: { max_quantity: number }[] } };
    for (const item of body.data.cart_items) item.max_quantity = 1;
    await route.fulfill({ response: response, json: body });
  });
  await again.dblclick();
  await expect(page.getByText(t("payments.unpaid.again_part"))).toBeVisible();
  const named = page.getByRole("status").getByRole("listitem");
  await expect(named).toHaveCount(2);
  await expect(named.first()).toContainText(
    t("payments.unpaid.again_fewer", { name: "", added: 1, count: 2 }),
  );
  await expect(named.last()).toContainText(await findProductName("cairnby-papers", locale));
  await expect(named.last()).toContainText(t("errors.sold_out"));
  await button(shop, t("payments.unpaid.cart")).click();
  await arrive("/cart");
  await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
});

test("an order is cancelled and deleted in the order history", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  const orderId = await placeOrder(context.request, await findPlan("pellmere-edit", 30));
  await go(`/order-history?order_id=${orderId}`);
  await button(shop, t("orders.actions.cancel")).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("orders.actions.cancel") })
    .click();
  await expect(page.getByText(t("orders.status.cancelled")).first()).toBeVisible();
  await go("/order-history");
  await button(shop, t("orders.actions.remove")).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("orders.actions.remove") })
    .click();
  await expect(page.getByText(t("orders.history.empty_title"))).toBeVisible();
});

const ORDER_PAGES = [
  "/checkout",
  "/payment/success",
  "/payment/cancel",
  "/payment/error",
  "/order-history",
  "/receipt",
];

test("another user's order is shown as missing", { tag: "@all" }, async ({
  shop,
  context,
  playwright,
  baseURL,
  watch,
}) => {
  const { page, t, locale, go, at } = shop;
  watch.allow(404);
  const owner = await playwright.request.newContext({ baseURL });
  await signUp(owner, { locale });
  const orderId = await placeOrder(owner, await findPlan("pellmere-edit", 30));
  await signUp(context.request, { locale });
  for (const path of ORDER_PAGES) {
    for (const id of [orderId, "ord_none"])
      expect((await page.request.get(at(`${path}?order_id=${id}`))).status()).toBe(404);
    await go(`${path}?order_id=${orderId}`);
    const title = page.getByRole("heading", { level: 1, name: t("orders.checkout.missing_title") });
    await expect(title).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(t("payments.title.unknown")));
  }
  await owner.post("/api/v1/order/cancel", { data: { order_id: orderId } });
  await owner.dispose();
});

test("an order page without an id leads to the waiting order, else to the cart or the orders", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const targets = {
    "/checkout": "/cart",
    "/payment/cancel": "/order-history",
    "/payment/error": "/order-history",
  };
  for (const [path, otherwise] of Object.entries(targets)) {
    await go(path);
    await arrive(otherwise);
  }
  const orderId = await placeOrder(context.request, await findPlan("pellmere-edit", 30));
  for (const path of Object.keys(targets))
    for (const query of ["", "?order_id="]) {
      await go(`${path}${query}`);
      await arrive(`${path}?order_id=${orderId}`);
    }
  for (const path of ["/payment/success", "/receipt", "/order-history?order_id="]) {
    await go(path);
    await arrive("/order-history");
  }
});
