import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { button, emailChoice, expectSameCodes, link, payButton, planChoice, tabTo } from "./screens";
import { signUp } from "./users";

test("a pass can be bought with the keyboard alone", { tag: ["@all", "@once"] }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email, password } = await signUp(context.request, { locale });
  await context.clearCookies();
  await go("/login");
  await tabTo(page, page.getByLabel(t("accounts.field.email"), { exact: true }));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel(t("accounts.field.password"), { exact: true }));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await arrive("/profile");

  await go("/product/corvane-pair");
  await page.keyboard.press("Tab");
  await expect(page.getByText(t("ui.header.skip"))).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, planChoice(shop, 1));
  await page.keyboard.press("ArrowRight");
  await expect(planChoice(shop, 7)).toBeChecked();
  await page.keyboard.press("ArrowRight");
  await expect(planChoice(shop, 30)).toBeFocused();
  await tabTo(page, button(shop, t("catalog.product.add")));
  await page.keyboard.press("Enter");
  await tabTo(page, link(shop, t("catalog.product.view_cart")));
  await page.keyboard.press("Enter");
  await arrive("/cart");
  await tabTo(page, button(shop, t("cart.summary.checkout")));
  await page.keyboard.press("Space");
  const orderId = (await arrive("/checkout")).searchParams.get("order_id")!;

  const { price_cents } = await findPlan("corvane-pair", 30);
  await tabTo(page, emailChoice(shop));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("radio", { name: t("payments.sandbox.outcome.succeeded"), exact: true }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const bank = page.getByRole("radio", { name: t("payments.sandbox.outcome.requires_action") });
  await expect(bank).toBeChecked();
  await tabTo(page, payButton(shop, price_cents));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: t("payments.sandbox.approve") }));
  await page.keyboard.press("Enter");
  await arrive(`/payment/success?order_id=${orderId}`);
  await tabTo(page, button(shop, t("delivery.code.reveal")));
  await page.keyboard.press("Enter");
  await expect(button(shop, t("delivery.code.copy"))).toBeVisible();
  await expectSameCodes(shop, { orderId, to: email });
});
