import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { formatPrice } from "@/lib/platform/money";
import { findPlan } from "./database";
import { expect, type ShopPage, test, waitUntilInteractive } from "./fixtures";
import { button, checkOut, pay, payButton } from "./screens";
import { callApi, fillCart, signUp } from "./users";

const price = (cents: number, { locale }: ShopPage) => formatPrice(cents, locale);
const findCoupon = async (code: string) =>
  (
    await db.execute<{ state: string; order_id: string | null }>(
      sql`select state, order_id from coupons where code = ${code}`,
    )
  )[0]!;

test("the daily coupon is claimed, used in the cart, paid with, and shown as used", async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale, verified: true });
  const week = await findPlan("whinlow-captions", 7);
  await fillCart(context.request, week, 2);
  await go("/free-voucher");
  const claims = page.getByRole("region", { name: t("coupons.vouchers.title") });
  await expect(claims.getByRole("button", { name: t("coupons.vouchers.claim") })).toHaveCount(2);
  await claims
    .getByRole("button", { name: t("coupons.vouchers.claim") })
    .first()
    .click();
  const use = claims.getByRole("link", { name: t("coupons.vouchers.use") });
  await expect(use).toBeVisible();
  await use.click();
  await page.waitForURL(/\/cart\?coupon=DAY-/);
  const total = week.price_cents * 2;
  await expect(page.getByText(`−${price(500, shop)}`).first()).toBeVisible();
  await expect(page.getByText(price(total - 500, shop), { exact: true }).last()).toBeVisible();
  const orderId = await checkOut(shop);
  await expect(page.getByText(`−${price(500, shop)}`).first()).toBeVisible();
  await pay(shop, total - 500, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  const [order] = await db.execute(sql`select total_cents, discount_cents from orders where id = ${orderId}`);
  expect(order).toEqual({ total_cents: total - 500, discount_cents: 500 });
  await go("/coupons");
  await expect(page.getByText(t("coupons.ticket.state.used"), { exact: true })).toBeVisible();
  await go("/free-voucher");
  await expect(claims.getByText(t("coupons.vouchers.spent"))).toBeVisible();
});

test("the best coupon is on the order by itself, stays off once taken off, and a code can be typed instead", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go, arrive } = shop;
  watch.allow(404);
  await signUp(context.request, { locale, verified: true });
  await callApi(context.request, "/voucher/free/claim", { type: "daily" });
  const week = await findPlan("whinlow-captions", 7);
  await go(`/product/whinlow-captions?plan=${week.vip_id}`);
  await button(shop, t("catalog.product.buy")).click();
  const orderId = (await arrive("/checkout")).searchParams.get("order_id")!;
  const summary = page.getByRole("complementary", { name: t("orders.checkout.summary") });
  await expect(summary).toContainText(`−${price(500, shop)}`);
  await expect(payButton(shop, week.price_cents - 500)).toBeEnabled();
  await summary.getByRole("button", { name: t("coupons.field.remove", { code: "" }).trim() }).click();
  await expect(payButton(shop, week.price_cents)).toBeEnabled();
  await page.reload();
  await expect(payButton(shop, week.price_cents)).toBeEnabled();
  await expect(summary.getByRole("button", { name: /−/ })).toBeVisible(); // offered, not applied
  await summary.getByText(t("coupons.field.have")).click();
  const field = summary.getByLabel(t("coupons.field.code"), { exact: true });
  await field.fill("no-such-code");
  await field.press("Enter");
  await expect(summary.getByText(t("errors.coupon_unknown"))).toBeVisible();
  const code = await createCoupon({ amountCents: 700 });
  await field.fill(code.toLowerCase());
  await field.press("Enter");
  await expect(payButton(shop, week.price_cents - 700)).toBeEnabled();
  await pay(shop, week.price_cents - 700, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  expect(await findCoupon(code)).toEqual({ state: "used", order_id: orderId });
});

test("a coupon is rejected with a reason, kept while it does not apply, applied and removed", {
  tag: ["@all", "@once"],
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go } = shop;
  watch.allow(404, 422);
  await signUp(context.request, { locale });
  const week = await findPlan("whinlow-captions", 7);
  await fillCart(context.request, week);
  const code = await createCoupon({ percent: 20, minimumCents: week.price_cents + 1 });
  await go("/cart");
  const field = page.getByLabel(t("coupons.field.code"), { exact: true });
  await button(shop, t("coupons.field.apply")).click();
  await expect(page.getByText(t("coupons.field.missing"))).toBeVisible();
  await field.fill("no-such-code");
  await field.press("Enter");
  await expect(page.getByText(t("errors.coupon_unknown"))).toBeVisible();
  await button(shop, t("coupons.field.remove", { code: "no-such-code" })).click();
  await field.fill(code.toLowerCase());
  await field.press("Enter");
  const minimum = price(week.price_cents + 1, shop);
  await expect(page.getByText(t("errors.coupon_below_minimum", { minimum }))).toBeVisible();
  await page.getByRole("button", { name: t("cart.line.more") }).click();
  const discount = Math.floor(week.price_cents * 2 * 0.2);
  await expect(page.getByText(`−${price(discount, shop)}`).first()).toBeVisible();
  await button(shop, t("coupons.bind.keep")).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("coupons.bind.confirm") }).click();
  await expect(dialog).toBeHidden();
  await expect(button(shop, t("coupons.bind.keep"))).toBeHidden();
  await button(shop, t("coupons.field.remove", { code })).click();
  await expect(page.getByText(price(week.price_cents * 2, shop), { exact: true }).last()).toBeVisible();
});

test("a coupon of a link fills the field until it is removed, and one order holds it at a time", {
  tag: ["@all", "@once"],
}, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  await fillCart(context.request, await findPlan("whinlow-captions", 7));
  const code = await createCoupon();
  await go(`/top-trending?coupon=${code}`);
  await waitUntilInteractive(page);
  await go("/cart");
  await expect(page.getByText(`−${price(500, shop)}`).first()).toBeVisible();
  const orderId = await checkOut(shop);
  expect(await findCoupon(code)).toEqual({ state: "reserved", order_id: orderId });
  await go("/coupons");
  await expect(page.getByText(t("coupons.ticket.held"))).toBeVisible();
  await callApi(context.request, "/order/cancel", { order_id: orderId });
  expect(await findCoupon(code)).toEqual({ state: "open", order_id: null });
});

test("a coupon is added to the account after a warning; a coupon of another account is rejected", {
  tag: ["@all", "@once"],
}, async ({ shop, context, playwright, baseURL, watch }) => {
  const { page, t, locale, go } = shop;
  watch.allow(403);
  await signUp(context.request, { locale });
  const otherUser = await playwright.request.newContext({ baseURL });
  await signUp(otherUser, { locale });
  const boundCode = await createCoupon();
  await callApi(otherUser, "/auth/coupon/bind", { coupon_code: boundCode });
  await otherUser.dispose();
  await go("/coupons");
  await expect(page.getByText(t("coupons.mine.empty_title"))).toBeVisible();
  const dialog = page.getByRole("dialog");
  const submitCode = async (code: string) => {
    await page.getByLabel(t("coupons.add.code")).fill(code);
    await button(shop, t("coupons.add.submit")).click();
  };
  const confirm = dialog.getByRole("button", { name: t("coupons.bind.confirm") });
  await submitCode(boundCode);
  await expect(dialog).toContainText(t("errors.coupon_bound"));
  await expect(confirm).toBeHidden();
  await expect(dialog).toContainText(t("coupons.bind.refused.claimed"));
  await dialog
    .getByRole("button", { name: t("coupons.bind.close") })
    .last()
    .click();
  const code = await createCoupon({ minimumCents: 1500 });
  await submitCode(code.toLowerCase());
  await expect(dialog).toContainText(t("coupons.bind.warning", { code }));
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(code)).toBeVisible();
  await expect(page.getByRole("link", { name: t("coupons.ticket.use") })).toBeVisible();
});

test("a public code needs a verified address and creates a personal coupon", {
  tag: ["@all", "@once"],
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go, arrive } = shop;
  watch.allow(403);
  const { email } = await signUp(context.request, { locale });
  const code = `OPEN${Date.now()}`;
  await createCampaign({ code });
  await go("/coupons");
  const dialog = page.getByRole("dialog");
  const submitCode = async () => {
    await page.getByLabel(t("coupons.add.code")).fill(code);
    await button(shop, t("coupons.add.submit")).click();
  };
  await submitCode();
  await expect(dialog).toContainText(t("errors.email_unverified"));
  await dialog.getByRole("link", { name: t("coupons.bind.verify") }).click();
  await arrive("/profile");
  await db.execute(sql`update users set email_verified_at = shop_now() where email = ${email}`);
  await go("/coupons");
  await submitCode();
  await expect(dialog).toContainText(t("coupons.bind.warning_shared", { code }));
  await dialog.getByRole("button", { name: t("coupons.bind.confirm") }).click();
  await expect(page.getByText(/^PASS-/)).toBeVisible();
});

test("the cart lists applicable coupons before the others", {
  tag: ["@all", "@once"],
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go } = shop;
  watch.allow(422);
  const { email } = await signUp(context.request, { locale });
  const [me] = await db.execute<{ id: string }>(sql`select id from users where email = ${email}`);
  const week = await findPlan("whinlow-captions", 7);
  await fillCart(context.request, week);
  const large = await createCoupon({ userId: me!.id, minimumCents: week.price_cents + 250 });
  const small = await createCoupon({ userId: me!.id, amountCents: 123 });
  await go(`/cart?coupon=${large}`);
  const minimum = price(week.price_cents + 250, shop);
  await expect(page.getByText(t("errors.coupon_below_minimum", { minimum }))).toBeVisible();
  await page.getByRole("button", { name: price(123, shop) }).click();
  await expect(page.getByText(`−${price(123, shop)}`).first()).toBeVisible();
  await button(shop, t("coupons.field.remove", { code: large })).waitFor({ state: "hidden" });
  await go("/cart");
  await button(shop, t("coupons.field.remove", { code: small })).click(); // the best one applies by itself
  const missing = price(250, shop);
  await expect(page.getByText(t("coupons.field.misfit.minimum", { minimum, missing }))).toBeVisible();
});

test("a guest logs in before claiming the daily coupon and returns", { tag: ["@all", "@once"] }, async ({
  shop,
}) => {
  const { page, t, go } = shop;
  await go("/free-voucher");
  await page
    .getByRole("link", { name: t("coupons.vouchers.login") })
    .first()
    .click();
  await page.waitForURL(/\/login\?redirect=.*free-voucher/);
});

test("the invitation page shows clicks, friends and rewards", { tag: "@all" }, async ({
  shop,
  context,
  playwright,
  baseURL,
}) => {
  const { page, t, locale, go } = shop;
  const { email } = await signUp(context.request, { locale, verified: true });
  const [me] = await db.execute<{ id: string; code: string }>(
    sql`select id, invite_code as code from users where email = ${email}`,
  );
  await go("/invite");
  await expect(page.getByText(t("referrals.mine.nobody"))).toBeVisible();
  await expect(page.getByText(new RegExp(`/i/${me!.code}$`))).toBeVisible();
  const invitedUser = await playwright.request.newContext({ baseURL });
  const visit = {
    ip_address: "",
    visit_device_type: "desktop",
    browser_language: "en",
    visit_device_model: "",
  };
  await callApi(invitedUser, "/visit/record", { ...visit, page_url: `/i/${me!.code}` });
  const tag = me!.code;
  await callApi(invitedUser, "/auth/register/direct", {
    user_email: `friend-${tag}@example.com`,
    user_password: "correct horse battery",
    username: "Kim",
    invited_account: tag,
  });
  await invitedUser.dispose();
  await page.reload();
  await expect(page.getByText("K***")).toBeVisible();
  await expect(page.getByText(t("referrals.mine.not_bought"))).toBeVisible();
  const clicks = page.locator("dl > div").filter({ hasText: t("referrals.mine.count.clicks") });
  await expect(clicks.getByRole("definition")).toHaveText("1");
});
