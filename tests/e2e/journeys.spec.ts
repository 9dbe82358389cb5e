import { formatPrice } from "@/lib/platform/money";
import { findPlan, findProductName } from "./database";
import { expect, test } from "./fixtures";
import { button, createCounter, emailChoice, link, payButton, planChoice, tabTo } from "./screens";
import { buyPass, placeOrder, signUp } from "./users";

// How much a shopper has to do: presses, typed fields and keys.

test.describe("where the law asks for no choice of delivery", () => {
  test.use({ timezoneId: "America/New_York" });

  test("a pass is bought again with two presses", { tag: "@all" }, async ({ shop, context }) => {
    const { page, t, go, arrive, locale } = shop;
    await signUp(context.request, { locale });
    const plan = await findPlan("corvane-pair", 7);
    await buyPass(context.request, plan);
    await go("/order-history");
    const { counted, press } = createCounter();
    await press(
      page
        .getByRole("main")
        .getByRole("button", { name: t("cart.buy_again.buy") })
        .first(),
    );
    await arrive("/checkout");
    await press(payButton(shop, plan.price_cents));
    await arrive("/payment/success");
    expect(counted).toEqual({ presses: 2, fields: 0 });
    await expect(
      page
        .getByRole("main")
        .getByText(await findProductName("corvane-pair", locale))
        .first(),
    ).toBeVisible();
  });
});

test("an unseen pass is refunded with two presses, and the sum is named", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, go, locale } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("corvane-pair", 30);
  const order = await buyPass(context.request, plan, { immediate_delivery: false });
  await go(`/order-history?order_id=${order}`);
  const { counted, press } = createCounter();
  await press(button(shop, t("orders.refund.ask")));
  await press(page.getByRole("dialog").getByRole("button", { name: t("orders.refund.confirm") }));
  await expect(page.getByText(formatPrice(plan.price_cents, locale)).first()).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(counted).toEqual({ presses: 2, fields: 0 });
});

test("three passes are compared with four presses", { tag: ["@all", "@once"] }, async ({ shop }) => {
  const { page, t, go, arrive } = shop;
  await go("/top-trending");
  const { counted, press } = createCounter();
  const boxes = page.getByRole("checkbox", { name: t("catalog.compare.toggle") });
  for (const i of [0, 1, 2]) await press(boxes.nth(i));
  await press(page.getByRole("region", { name: t("catalog.compare.bar") }).getByRole("link"));
  await arrive("/compare");
  await expect(page.getByRole("columnheader")).toHaveCount(3);
  expect(counted.presses).toBe(4);
});

/** A window of 1440 × 900 pixels, and one of 1600 × 1000 at 200 % zoom, which is still no phone. */
for (const [zoom, viewport] of [
  ["100 %", { width: 1440, height: 900 }],
  ["200 %", { width: 800, height: 500 }],
] as const)
  test(`from the home page to a paid pass are at most 45 keys, and nothing covers the focus, at ${zoom}`, {
    tag: ["@all", "@once"],
  }, async ({ shop, context }) => {
    const { page, t, go, arrive, locale } = shop;
    await page.setViewportSize(viewport);
    await signUp(context.request, { locale });
    const plan = await findPlan("quillon-draft", 7);
    await go("/");
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    const skip = async () => {
      await press("Tab");
      await expect(page.getByText(t("ui.header.skip"))).toBeFocused();
      await press("Enter");
    };
    await skip();
    keys += await tabTo(page, link(shop, await findProductName("quillon-draft", locale)).first());
    await press("Enter");
    await arrive("/product/quillon-draft");
    const home = keys;
    keys += await tabTo(page, planChoice(shop, 1));
    await press("ArrowRight");
    await press("ArrowRight");
    await expect(planChoice(shop, 7)).toBeChecked();
    keys += await tabTo(page, button(shop, t("catalog.product.buy")));
    await press("Enter");
    await arrive("/checkout");
    const product = keys;
    keys += await tabTo(page, emailChoice(shop));
    await press("Space");
    keys += await tabTo(page, payButton(shop, plan.price_cents));
    await press("Enter");
    await arrive("/payment/success");
    console.log(
      `${zoom}: ${home} keys to the product, ${product - home} on it, ${keys - product} in the checkout`,
    );
    expect(keys).toBeLessThanOrEqual(45);
  });

test("at 320 px the line to pay with shows the time, the sum and its button whole", {
  tag: ["@all", "@matrix"],
}, async ({ shop, context }) => {
  const { page, go, locale } = shop;
  await page.setViewportSize({ width: 320, height: 568 });
  await signUp(context.request, { locale });
  const plan = await findPlan("ombrith-studio", 365);
  await go(`/checkout?order_id=${await placeOrder(context.request, plan)}`);
  const pay = payButton(shop, plan.price_cents);
  await expect(pay).toBeEnabled();
  // From the top of the page on, although the passes stand above the steps there.
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const covered = await pay.evaluate((button) => {
    const bar = button.closest(".sticky-bar")!;
    const isForReaders = (node: Element): boolean =>
      node !== bar && (getComputedStyle(node).clipPath !== "none" || isForReaders(node.parentElement!));
    const texts = [...bar.querySelectorAll("*")].filter(
      (node) => node.childElementCount === 0 && node.textContent!.trim() !== "" && !isForReaders(node),
    );
    const boxes = texts.map((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return { ...range.getBoundingClientRect().toJSON(), text: node.textContent } as DOMRect & {
        text: string;
      };
    });
    const isOut = ({ left, right, bottom }: DOMRect) =>
      left < 0 || right > innerWidth || bottom > innerHeight;
    const isCrossing = (one: DOMRect, other: DOMRect) =>
      one !== other && one.left < other.right - 1 && other.left < one.right - 1;
    return boxes
      .filter((box) => isOut(box) || boxes.some((other) => isCrossing(box, other)))
      .map(({ text }) => text);
  });
  expect(covered).toEqual([]);
});
