import { client } from "@/db/client";
import { expectAccessible, expectDarkColours } from "./axe";
import { findPlan, findProductName } from "./database";
import { expect, test } from "./fixtures";
import { verificationCode, waitForMail } from "./mails";
import { button, pay } from "./screens";
import { buyPass, fillCart, placeOrder, signUp } from "./users";

test("forms with errors are accessible", { tag: "@all" }, async ({ page, go, shop, t }) => {
  await go("/register");
  await button(shop, t("accounts.register.send")).click();
  await expectAccessible(page, "registration with errors");
  await go("/business/register");
  await button(shop, t("merchants.form.submit")).click();
  await expectAccessible(page, "business registration with errors");
});

test("the reset of a password is accessible at each step", { tag: "@all" }, async ({
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
  await expectAccessible(page, "the code");
  await code.fill(await verificationCode(page.request, email));
  await button(shop, t("accounts.reset.check")).click();
  await expect(page.getByLabel(t("accounts.reset.password"), { exact: true })).toBeFocused();
  await button(shop, t("accounts.reset.submit")).click();
  await expectAccessible(page, "the new password");
});

test("the dialogs of the profile are accessible", { tag: "@all" }, async ({
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
  await expectAccessible(page, "details being edited");
  for (const opener of [
    t("accounts.profile.change_named", { name: t("accounts.field.email") }),
    t("accounts.signin.change_password"),
    t("accounts.data.delete"),
    t("accounts.data.export"),
  ]) {
    await button(shop, opener).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page, opener);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
});

test("a full cart is accessible", { tag: "@all" }, async ({ page, context, shop, t, go, locale }) => {
  await signUp(context.request, { locale });
  await placeOrder(context.request, await findPlan("quillon-draft", 30));
  await fillCart(context.request, await findPlan("murrelet-voice", 30));
  await fillCart(context.request, await findPlan("ozmere-motion", 7));
  await go("/cart");
  await expectAccessible(page, "cart");
  const name = await findProductName("murrelet-voice", locale);
  await button(shop, t("cart.line.change_plan_named", { name })).click();
  await expect(page.getByRole("dialog").getByRole("radio").first()).toBeAttached();
  await expectAccessible(page, "plans of a line");
});

test("the checkout is accessible at each step", { tag: "@all" }, async ({
  page,
  context,
  shop,
  t,
  go,
  locale,
}) => {
  await signUp(context.request, { locale, verified: true });
  const plan = await findPlan("swarrel-cut", 3);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await expectAccessible(page, "checkout");
  await button(shop, t("orders.checkout.email_change_named")).click();
  await pay(shop, plan.price_cents, "requires_action");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "the bank's question");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("payments.sandbox.refuse") })
    .click();
  await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
  await expectAccessible(page, "declined, and another address");
});

test("an order is accessible from its payment to its receipt", { tag: "@all" }, async ({
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
  const plan = await findPlan("swarrel-cut", 1);
  const orderId = await placeOrder(context.request, plan);
  for (const path of ["/order-history", `/order-history?order_id=${orderId}`]) {
    await go(path);
    await expectAccessible(page, `${path} to be paid`);
  }
  for (const path of ["/payment/cancel", "/payment/error"]) {
    await go(`${path}?order_id=${orderId}`);
    await expectAccessible(page, path);
  }
  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await button(shop, t("delivery.code.reveal")).click();
  await expect(button(shop, t("delivery.code.copy"))).toBeVisible();
  await expectAccessible(page, "/payment/success");
  for (const path of [
    "/library",
    `/order-history?order_id=${orderId}`,
    `/receipt?order_id=${orderId}`,
    `/withdraw?order_id=${orderId}`,
  ]) {
    await go(path);
    await expectAccessible(page, `${path} paid`);
  }
});

test("emails are dark to their edges in the dark theme", { tag: ["@all", "@once"] }, async ({
  page,
  context,
  locale,
}) => {
  const { email } = await signUp(context.request, { locale });
  await buyPass(context.request, await findPlan("swarrel-cut", 1));
  for (const event of ["welcome", "keys"] as const) {
    await page.setContent((await waitForMail(context.request, email, event)).html);
    await expectDarkColours(page, event);
    // Axe tests only the background of texts; the button is light on purpose.
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
