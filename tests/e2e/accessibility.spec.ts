import { client } from "@/db/client";
import { findRoute, ROUTES } from "@/lib/platform/routing/routes";
import { expectDarkColours, expectNoFaults } from "./axe";
import { expect, test } from "./fixtures";
import { mailOf, verificationCode } from "./mails";
import { buyPass, fillCart, placeOrder, signUp } from "./people";
import { button, pay } from "./screens";
import { nameOf, planOf } from "./table";

const tag = "@phone-ja";
/** Public pages that are put together differently on phones; the others are looked at there by test:all. */
const OWN_ON_PHONES = [
  "/",
  "/search?q=draft",
  "/product/quillon-draft",
  "/blog",
  "/free-voucher",
  "/login",
  "/register",
];

const GUESTS = [
  "/",
  "/top-trending",
  "/limited-offer",
  "/search",
  "/search?q=draft",
  "/search?q=zzzzzz",
  "/product/quillon-draft",
  "/product/cadrell-score",
  "/product/ozmere-motion",
  "/product/tessock-sql",
  "/product/detail/1001",
  "/blog",
  "/blog?q=zzzzzz",
  "/blog/detail/how-long-a-pass",
  "/free-voucher",
  "/i/nobody",
  "/business/register",
  "/subscription/confirm?token=x",
  "/unsubscribe",
  "/unsubscribe?token=x",
  "/withdraw",
  "/vendor-confirmation?token=x",
  "/privacy-policy",
  "/terms-of-service",
  "/refund-policy",
  "/login",
  "/register",
  "/set-new-password",
  "/reset-password",
];
const MEMBERS = [
  "/cart",
  "/order-history",
  "/library",
  "/profile",
  "/payment-billing",
  "/coupons",
  "/invite",
  "/checkout",
];
const PAID = ["/payment/success", "/payment/cancel", "/payment/error", "/receipt"];

test("every route is looked at here", { tag: "@once" }, () => {
  const seen = [...GUESTS, ...MEMBERS, ...PAID].map((path) => findRoute(path.split("?", 1)[0]!)?.path);
  expect(ROUTES.filter(({ path }) => !seen.includes(path)).map(({ path }) => path)).toEqual([]);
});

for (const path of GUESTS) {
  test(`axe finds nothing on ${path}`, { tag: OWN_ON_PHONES.includes(path) ? tag : [] }, async ({
    page,
    go,
  }) => {
    await go(path);
    await expectNoFaults(page, path);
  });
}

test("axe finds nothing where something is missing or wrong", { tag }, async ({
  page,
  go,
  shop,
  t,
  watch,
}) => {
  await go("/register");
  await button(shop, t("accounts.register.send")).click();
  await expectNoFaults(page, "registration with errors");
  await go("/business/register");
  await button(shop, t("merchants.form.submit")).click();
  await expectNoFaults(page, "business registration with errors");
  watch.allow(404);
  await go("/no-such-page");
  await expectNoFaults(page, "no such page");
});

test("axe finds nothing on the empty pages of members", { tag }, async ({
  page,
  context,
  go,
  locale,
  watch,
}) => {
  watch.allow(404); // a checkout without an order
  await signUp(context.request, { locale });
  for (const path of MEMBERS) {
    await go(path);
    await expectNoFaults(page, `${path} empty`);
  }
});

test("axe finds nothing where a password is set anew", { tag }, async ({
  page,
  context,
  shop,
  t,
  go,
  locale,
}) => {
  const { email } = await signUp(context.request, { locale });
  await context.clearCookies();
  await go(`/set-new-password?email=${encodeURIComponent(email)}`);
  await button(shop, t("accounts.reset.send")).click();
  const code = page.getByLabel(t("accounts.code.label"), { exact: true });
  await expect(code).toBeFocused();
  await expectNoFaults(page, "the code");
  await code.fill(await verificationCode(page.request, email));
  await button(shop, t("accounts.reset.check")).click();
  await expect(page.getByLabel(t("accounts.reset.password"), { exact: true })).toBeFocused();
  await button(shop, t("accounts.reset.submit")).click();
  await expectNoFaults(page, "the new password");
});

test("axe finds nothing in the dialogs of the profile", { tag }, async ({
  page,
  context,
  shop,
  t,
  go,
  locale,
  watch,
}) => {
  watch.allow(403);
  const { email } = await signUp(context.request, { locale });
  await client()`update sessions set reauthenticated_at = shop_now() - interval '1 hour'
    where user_id = (select id from users where email = ${email})`;
  await go("/profile");
  for (const name of [t("accounts.field.username"), t("accounts.profile.phone")])
    await button(shop, t("accounts.profile.edit_named", { name })).click();
  await expectNoFaults(page, "details being edited");
  for (const opener of [
    t("accounts.profile.change_named", { name: t("accounts.field.email") }),
    t("accounts.signin.change_password"),
    t("accounts.data.delete"),
    t("accounts.data.export"),
  ]) {
    await button(shop, opener).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectNoFaults(page, opener);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
});

test("axe finds nothing on a full cart", { tag }, async ({ page, context, shop, t, go, locale }) => {
  await signUp(context.request, { locale });
  await placeOrder(context.request, await planOf("quillon-draft", 30));
  await fillCart(context.request, await planOf("murrelet-voice", 30));
  await fillCart(context.request, await planOf("ozmere-motion", 7));
  await go("/cart");
  await expectNoFaults(page, "cart");
  const name = await nameOf("murrelet-voice", locale);
  await button(shop, t("cart.line.change_plan_named", { name })).click();
  await expect(page.getByRole("dialog").getByRole("radio").first()).toBeAttached();
  await expectNoFaults(page, "plans of a line");
});

test("axe finds nothing on the way through the checkout", { tag }, async ({
  page,
  context,
  shop,
  t,
  go,
  locale,
}) => {
  await signUp(context.request, { locale, verified: true });
  const plan = await planOf("swarrel-cut", 3);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await expectNoFaults(page, "checkout");
  await button(shop, t("orders.checkout.email_change_named")).click();
  await pay(shop, plan.price_cents, "requires_action");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNoFaults(page, "the bank's question");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("payments.sandbox.refuse") })
    .click();
  await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
  await expectNoFaults(page, "declined, and another address");
});

test("axe finds nothing on orders and what they end in", { tag }, async ({
  page,
  context,
  shop,
  t,
  go,
  arrive,
  locale,
}) => {
  test.setTimeout(120_000);
  await signUp(context.request, { locale });
  const plan = await planOf("swarrel-cut", 1);
  const orderId = await placeOrder(context.request, plan);
  for (const path of ["/order-history", `/order-history?order_id=${orderId}`]) {
    await go(path);
    await expectNoFaults(page, `${path} to be paid`);
  }
  for (const path of ["/payment/cancel", "/payment/error"]) {
    await go(`${path}?order_id=${orderId}`);
    await expectNoFaults(page, path);
  }
  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await button(shop, t("delivery.code.reveal")).click();
  await expect(button(shop, t("delivery.code.copy"))).toBeVisible();
  await expectNoFaults(page, "/payment/success");
  for (const path of [
    "/library",
    `/order-history?order_id=${orderId}`,
    `/receipt?order_id=${orderId}`,
    `/withdraw?order_id=${orderId}`,
  ]) {
    await go(path);
    await expectNoFaults(page, `${path} paid`);
  }
});

test("mails are dark in the dark, to their edges", { tag: "@once" }, async ({ page, context, locale }) => {
  const { email } = await signUp(context.request, { locale });
  await buyPass(context.request, await planOf("swarrel-cut", 1));
  for (const event of ["welcome", "keys"] as const) {
    await page.setContent((await mailOf(context.request, email, event)).html);
    await expectDarkColours(page, event);
    // Axe sees only what lies behind text. The button is meant to be light.
    const lightGrounds = await page.locator("body, body :not(.act)").evaluateAll((nodes) =>
      nodes
        .filter((node) => {
          const [red = 0, , , alpha = 1] = getComputedStyle(node)
            .backgroundColor.match(/[\d.]+/g)!
            .map(Number);
          return alpha > 0 && red > 127;
        })
        .map((node) => node.outerHTML.slice(0, 120)),
    );
    expect(lightGrounds, event).toEqual([]);
  }
});
