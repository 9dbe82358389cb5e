import { findOrders, findProductName } from "./database";
import { expect, test } from "./fixtures";
import { button, choosePlan, expectSameCodes, link, logInPlace } from "./screens";
import { signUp } from "./users";

test("a guest who adds to the cart logs in and finds the pass in the cart", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(401);
  const { page, t, locale, go, arrive } = shop;
  const user = await signUp(context.request, { locale });
  await context.clearCookies();
  await go("/product/murrelet-voice");
  await choosePlan(shop, 365);
  await button(shop, t("catalog.product.add")).click();
  await logInPlace(shop, user);
  await arrive("/cart");
  await expect(page.getByRole("status").getByText(t("catalog.product.added"))).toBeVisible();
  await expect(link(shop, await findProductName("murrelet-voice", locale))).toBeVisible();
  await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
});

test("a free pass is claimed without paying, once per person", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const user = await signUp(context.request, { locale, verified: true });
  await go("/product/osprill-tables");
  await choosePlan(shop, 1);
  await button(shop, t("catalog.product.claim")).click();
  const address = await arrive("/payment/success");
  const orderId = address.searchParams.get("order_id")!;
  await expect(page.getByText(t("payments.success.lead_free"))).toBeVisible();
  await expectSameCodes(shop, { orderId, to: user.email });

  watch.allow(409);
  await go("/product/osprill-tables");
  await choosePlan(shop, 1);
  await button(shop, t("catalog.product.claim")).click();
  await expect(page.getByText(t("errors.purchase_limit", { limit: 1 }))).toBeVisible();
  expect(await findOrders(user.email)).toHaveLength(1);
});

test("a guest who claims a free pass logs in and has it", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(401);
  const { page, t, locale, go, arrive } = shop;
  const user = await signUp(context.request, { locale, verified: true });
  await context.clearCookies();
  await go("/product/weekwright");
  await choosePlan(shop, 7);
  await button(shop, t("catalog.product.claim")).click();
  await logInPlace(shop, user);
  const address = await arrive("/payment/success");
  await expectSameCodes(shop, { orderId: address.searchParams.get("order_id")!, to: user.email });
  await expect(page.getByRole("main")).toBeVisible();
});

test("an unverified account cannot claim a free pass and is asked to verify its address", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  watch.allow(403);
  await go("/product/weekwright");
  await choosePlan(shop, 7);
  await button(shop, t("catalog.product.claim")).click();
  await expect(page.getByText(t("errors.email_unverified"))).toBeVisible();
});
