import type { Locator } from "@playwright/test";
import { client } from "@/db/client";
import { formatPrice } from "@/lib/platform/money";
import { expectAccessible } from "./axe";
import { findOrders, findPlan, findProductName } from "./database";
import { expect, type ShopPage, test } from "./fixtures";
import { button, choosePlan, createCounter, emailChoice, expectSameCodes, link, payButton } from "./screens";
import { callApi, newUser, placeOrder, signUp, type TestUser } from "./users";

const dialog = ({ page }: ShopPage): Locator => page.getByRole("dialog");

/** Registers in the form over the page. */
async function registerInPlace(shop: ShopPage, user: Pick<TestUser, "email" | "password">): Promise<void> {
  const { t } = shop;
  const form = dialog(shop);
  await form.getByLabel(t("accounts.field.email"), { exact: true }).fill(user.email);
  await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(user.password);
  await form.getByRole("radio", { name: t("accounts.age.adult") }).check();
  await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
}

test("a new buyer pays with at most six presses and two typed fields", { tag: "@all" }, async ({
  shop,
  watch,
}) => {
  watch.allow(401);
  const { page, t, go, arrive } = shop;
  const user = newUser();
  const plan = await findPlan("quillon-draft", 7);
  const { counted, press, type } = createCounter();
  await go(`/product/quillon-draft?plan=${plan.vip_id}`);
  await press(button(shop, t("catalog.product.buy")));
  const form = dialog(shop);
  await expect(form.getByText(formatPrice(plan.price_cents, shop.locale)).first()).toBeVisible();
  await type(form.getByLabel(t("accounts.field.email"), { exact: true }), user.email);
  await type(form.getByLabel(t("accounts.field.password"), { exact: true }), user.password);
  await press(form.getByRole("radio", { name: t("accounts.age.adult") }));
  await press(form.getByRole("button", { name: t("accounts.in_place.create") }));
  const orderId = (await arrive("/checkout")).searchParams.get("order_id")!;
  await press(emailChoice(shop));
  await press(payButton(shop, plan.price_cents));
  await arrive(`/payment/success?order_id=${orderId}`);
  expect(counted.presses).toBeLessThanOrEqual(6);
  expect(counted.fields).toBeLessThanOrEqual(2);
  expect(await findOrders(user.email)).toMatchObject([{ id: orderId, total_cents: plan.price_cents }]);
  await expect(page.getByText(t("payments.success.sent_to", { email: user.email }))).toBeVisible();
  await expectSameCodes(shop, { orderId, to: user.email });
});

test.describe("where the law asks for no choice of delivery", () => {
  test.use({ timezoneId: "America/New_York" });

  test("a returning buyer pays with three presses, and the cart keeps its own passes", {
    tag: "@all",
  }, async ({ shop, context, watch }) => {
    watch.allow(401);
    const { t, locale, go, arrive } = shop;
    const plan = await findPlan("quillon-draft", 365);
    const user = await signUp(context.request, { locale });
    await context.request.post("/api/v1/cart/add", {
      data: { vip_id: plan.vip_id, product_id: plan.product_id, quantity: 2 },
    });
    await go("/");
    await context.request.post("/api/v1/auth/logout", { data: {} });
    const { counted, press } = createCounter();
    await go(`/product/quillon-draft?plan=${plan.vip_id}`);
    await press(button(shop, t("catalog.product.buy")));
    // A password manager fills the form, which starts with the sign-in in a browser that had a session.
    await dialog(shop).getByLabel(t("accounts.field.email"), { exact: true }).fill(user.email);
    await dialog(shop).getByLabel(t("accounts.field.password"), { exact: true }).fill(user.password);
    await press(dialog(shop).getByRole("button", { name: t("accounts.in_place.continue") }));
    const orderId = (await arrive("/checkout")).searchParams.get("order_id")!;
    await press(payButton(shop, plan.price_cents));
    await arrive(`/payment/success?order_id=${orderId}`);
    expect(counted.presses).toBeLessThanOrEqual(3);
    await go("/cart");
    await expect(link(shop, await findProductName("quillon-draft", locale))).toBeVisible();
    await expect(shop.page.getByText(t("cart.summary.passes", { count: 2 }))).toBeVisible();
  });
});

test("a guest who adds to the cart registers over the product and lands in the cart", {
  tag: "@all",
}, async ({ shop, watch }) => {
  watch.allow(400, 401, 409);
  const { page, t, locale, go, arrive } = shop;
  await go("/product/murrelet-voice");
  await choosePlan(shop, 1);
  const address = page.url();
  const add = button(shop, t("catalog.product.add"));
  await add.click();
  const form = dialog(shop);
  const email = form.getByLabel(t("accounts.field.email"), { exact: true });
  await expect(form.getByText(await findProductName("murrelet-voice", locale)).first()).toBeVisible();
  const typed = newUser();
  await email.fill(typed.email);

  // Escape closes; nothing is lost.
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
  expect(page.url()).toBe(address);
  await add.click();
  await expect(email).toHaveValue(typed.email);

  // The focus stays in the form.
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    const inside = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
    );
    expect(inside).toBe(true);
  }

  // A wrong field is shown below the pass, which stays in sight.
  await email.fill("nobody@");
  await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
  await expect(email).toBeFocused();
  const isCovered = () =>
    email.evaluate((field) => {
      const { left, top, width, height } = field.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) !== field;
    });
  await expect.poll(isCovered).toBe(false);
  await email.fill(typed.email);

  await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(typed.password);
  await form.getByRole("radio", { name: t("accounts.age.under_13"), exact: true }).check();
  await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
  await expect(form.getByText(t("errors.under_age"))).toBeVisible();
  await form.getByRole("radio", { name: t("accounts.age.adult") }).check();
  await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
  await arrive("/cart");
  await expect(page.getByRole("status").getByText(t("catalog.product.added"))).toBeVisible();
  await expect(link(shop, await findProductName("murrelet-voice", locale))).toBeVisible();
  await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
});

test("an address that has an account is offered the sign-in with the address filled in", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(401, 409);
  const { t, locale, go, arrive } = shop;
  const user = await signUp(context.request, { locale });
  await context.clearCookies();
  await go("/product/murrelet-voice");
  await button(shop, t("catalog.product.add")).click();
  const known = dialog(shop).getByRole("tab", { name: t("accounts.in_place.sign_in"), exact: true });
  await dialog(shop)
    .getByRole("tab", { name: t("accounts.in_place.new"), exact: true })
    .click();
  await expectAccessible(shop.page, "the form in place");
  await registerInPlace(shop, user);
  await dialog(shop)
    .getByRole("button", { name: t("accounts.register.login_instead") })
    .click();
  await expect(known).toHaveAttribute("aria-selected", "true");
  const email = dialog(shop).getByLabel(t("accounts.field.email"), { exact: true });
  await expect(email).toHaveValue(user.email);
  await dialog(shop)
    .getByRole("button", { name: t("accounts.in_place.continue") })
    .click();
  await arrive("/cart");
});

test("a session that ends at Pay says what happens to the order, and continues after a login in place", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(401);
  const { page, t, locale, go, arrive } = shop;
  const user = await signUp(context.request, { locale });
  const plan = await findPlan("quillon-draft", 30);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await expect(payButton(shop, plan.price_cents)).toBeEnabled();
  const saved = page.waitForResponse("**/api/v1/order/update-delivery");
  await emailChoice(shop).check();
  await saved;
  await client()`update sessions set revoked_at = shop_now() where user_id = (select id from users where email = ${user.email})`;
  await payButton(shop, plan.price_cents).click();
  const form = dialog(shop);
  const [beforeTime] = t("orders.checkout.session_held", { moment: "|" }).split("|");
  await expect(form.getByText(beforeTime!)).toBeVisible();
  await expect(form.getByLabel(t("accounts.field.email"), { exact: true })).toHaveValue(user.email);
  await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(user.password);
  await form.getByRole("button", { name: t("accounts.in_place.continue") }).click();
  await expect(page.getByText(t("orders.checkout.session_back"))).toBeVisible();
  await expect(emailChoice(shop)).toBeChecked();
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
});

test("a logout in another tab asks for the login over the checkout, and says until when the order is held", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(401, 404);
  const { page, t, locale, go } = shop;
  const user = await signUp(context.request, { locale });
  const plan = await findPlan("quillon-draft", 30);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await expect(payButton(shop, plan.price_cents)).toBeEnabled();
  await callApi(context.request, "/auth/logout", {});
  await page.evaluate(() => window.dispatchEvent(new Event("focus"))); // the reader returns to this tab
  const form = dialog(shop);
  const [beforeTime] = t("orders.checkout.session_held", { moment: "|" }).split("|");
  await expect(form.getByText(beforeTime!)).toBeVisible();
  expect(new URL(page.url()).searchParams.get("order_id")).toBe(orderId);
  await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(user.password);
  await form.getByRole("button", { name: t("accounts.in_place.continue") }).click();
  await expect(page.getByText(t("orders.checkout.session_back"))).toBeVisible();
  await expect(payButton(shop, plan.price_cents)).toBeEnabled();

  // Another user does not see the order.
  await signUp(context.request, { locale });
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText(t("orders.checkout.missing_title"))).toBeVisible();
});

test("a payment that succeeded without a confirmed order says so, names the contact and checks again", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(503);
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("quillon-draft", 30);
  const orderId = await placeOrder(context.request, plan);
  let broken = true;
  await page.route("**/api/v1/order/update-status", (route) =>
    broken ? route.fulfill({ status: 503, body: "" }) : route.continue(),
  );
  await go(`/checkout?order_id=${orderId}`);
  await emailChoice(shop).check();
  await payButton(shop, plan.price_cents).click();
  await expect(page.getByText(t("payments.unconfirmed.title"))).toBeVisible({ timeout: 120_000 });
  await expect(page.locator("a[href^='mailto:']").filter({ hasText: "@" }).first()).toBeVisible();
  const order = await callApi<{ order_number: string }>(context.request, `/order/detail?order_id=${orderId}`);
  await expect(page.getByText(order.order_number)).toBeVisible();
  broken = false;
  await button(shop, t("payments.unconfirmed.look")).click();
  await arrive(`/payment/success?order_id=${orderId}`);
});

test("Pay and Register name the refund, the terms and the privacy policy", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go } = shop;
  const expectLinks = async () => {
    for (const name of ["refunds", "terms", "privacy"] as const)
      await expect(link(shop, t(`ui.links.${name}`)).first()).toHaveAttribute("target", "_blank");
  };
  await go("/register");
  await expectLinks();
  await signUp(context.request, { locale });
  const orderId = await placeOrder(context.request, await findPlan("quillon-draft", 7));
  await go(`/checkout?order_id=${orderId}`);
  await expectLinks();
  const row = page.getByRole("region", { name: t("orders.checkout.trust") });
  await expect(row.getByRole("paragraph")).not.toBeEmpty();
});

test("a guest joins the wait-list of a sold-out pass and registers over the product", {
  tag: "@all",
}, async ({ shop, watch }) => {
  watch.allow(401);
  const { page, t, go } = shop;
  const [soldOut] = await client()<{ slug: string; id: number }[]>`
    select p.slug, pl.id from plans pl join products p on p.id = pl.product_id and p.listed
    where pl.listed and pl.releases_at is null
      and not exists (select from keys k where k.plan_id = pl.id and k.state in ('available', 'reserved')) limit 1`;
  await go(`/product/${soldOut!.slug}?plan=${soldOut!.id}`);
  await button(shop, t("catalog.product.notify")).click();
  await registerInPlace(shop, newUser());
  await expect(page.getByText(t("catalog.product.notify_done"))).toBeVisible();
});
