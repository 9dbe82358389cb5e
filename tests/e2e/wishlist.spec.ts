import { client } from "@/db/client";
import { durationSpan, spanText } from "@/lib/platform/format";
import { findPlan, findProductName } from "./database";
import { expect, test } from "./fixtures";
import { logIn } from "./screens";
import { buyPass, callApi, signUp } from "./users";

const wished = async (request: Parameters<typeof callApi>[0]) =>
  (await callApi<{ items: { slug: string }[] }>(request, "/wishlist/list")).items.map(({ slug }) => slug);

test("a guest saves products, signs in, and finds them in the account", {
  tag: ["@all", "@matrix"],
}, async ({ shop, context }) => {
  const { page, t, go, arrive, locale } = shop;
  const user = await signUp(context.request, { locale });
  await context.clearCookies();
  const main = page.getByRole("main");
  const toast = page.getByText(t("notifications.wishlist.added"));

  await go("/wishlist");
  await expect(main.getByText(t("notifications.wishlist.empty_title"))).toBeVisible();

  await go("/product/tessock-sql");
  await main.getByRole("button", { name: t("notifications.wishlist.save"), exact: true }).click();
  await expect(toast).toBeVisible();
  await expect(
    main.getByRole("button", { name: t("notifications.wishlist.saved"), exact: true }),
  ).toHaveAttribute("aria-pressed", "true");

  await go("/category/writing");
  await page.mouse.move(20, 20);
  await page.keyboard.press("Tab"); // the first use of the page loads the hearts
  const name = await findProductName("quillon-draft", locale);
  const heart = main.getByRole("button", {
    name: `${t("notifications.wishlist.save")}: ${name}`,
    exact: true,
  });
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: t("notifications.wishlist.view") }).click();
  await arrive("/wishlist");
  await expect(main.getByRole("heading", { level: 2 })).toHaveCount(2);

  await go("/login");
  await logIn(shop, user);
  await expect
    .poll(() => wished(context.request), { timeout: 120_000 })
    .toEqual(["quillon-draft", "tessock-sql"]);
  await go("/wishlist");
  await expect(main.getByRole("heading", { level: 2 })).toHaveCount(2);
  await expect(main.getByText(t("notifications.wishlist.unverified"))).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("wishlist"))).toBeNull();
  await page.keyboard.press("Tab");
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => wished(context.request)).toEqual(["tessock-sql"]);
});

/** A product for each project that runs this journey, because its plan is taken off the shop. */
const PRODUCT = { en: "larksheet-storyboard", zh: "wrenfield-podcast", ja: "plumline-reports" };

test("a pass is bought again from the library, and an unavailable one leads to its product", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(404); // the plan that is gone
  const { page, t, go, arrive, locale } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan(PRODUCT[locale], 7);
  const orderId = await buyPass(context.request, plan);
  const main = page.getByRole("main");
  await go(`/order-history?order_id=${orderId}`);
  await main.getByRole("button", { name: t("cart.buy_again.buy") }).click();
  const again = (await arrive("/checkout")).searchParams.get("order_id");
  expect(again).not.toBe(orderId);
  const order = await callApi<{ order_products: { vip_id: number }[] }>(
    context.request,
    `/order/detail?order_id=${again}`,
  );
  expect(order.order_products.map(({ vip_id }) => vip_id)).toEqual([plan.vip_id]);
  await callApi(context.request, "/order/update-status", { order_id: again, status: "cancelled" });

  // A pass that runs is extended instead.
  await go("/library");
  await main.getByRole("button", { name: t("delivery.code.reveal") }).click();
  const extend = main.getByRole("button", {
    name: t("cart.buy_again.extend", { span: spanText(durationSpan(7, locale), locale) }),
  });
  await extend.click();
  const longer = (await arrive("/checkout")).searchParams.get("order_id");
  await callApi(context.request, "/order/update-status", { order_id: longer, status: "cancelled" });

  try {
    await client()`update plans set listed = false where id = ${plan.vip_id}`;
    await go("/library");
    await extend.click();
    await arrive(`/product/${PRODUCT[locale]}`);
    await expect(page.getByText(t("cart.buy_again.gone"))).toBeVisible();
  } finally {
    await client()`update plans set listed = true where id = ${plan.vip_id}`;
  }
});
