import { countCharges, findOrderKeys, findOrders, findPlan, findProductName } from "./database";
import { expect, test } from "./fixtures";
import { countMails, waitForMail } from "./mails";
import {
  button,
  checkOut,
  choosePlan,
  expectSameCodes,
  link,
  logIn,
  openCart,
  openFromHome,
  pay,
  register,
  revealCodes,
} from "./screens";
import { newUser } from "./users";

test("a shopper buys a pass: registration, plan, cart, payment, email, library", {
  tag: ["@matrix", "@phone-ja"],
}, async ({ shop, context }) => {
  const { page, t, go, arrive, locale } = shop;
  const user = newUser();
  const plan = await findPlan("quillon-draft", 7);

  await go("/register");
  await register(shop, user);
  await arrive("/profile");
  await button(shop, t("accounts.profile.sign_out")).click();
  await arrive("/");
  await go("/login");
  await logIn(shop, user);
  await arrive("/profile");

  await openFromHome(shop, "quillon-draft");
  await choosePlan(shop, 7);
  await button(shop, t("catalog.product.add")).click();
  await openCart(shop, 1);
  await expect(link(shop, await findProductName("quillon-draft", locale))).toBeVisible();

  const orderId = await checkOut(shop);
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(page.getByText(t("payments.success.sent_to", { email: user.email }))).toBeVisible();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [code] = await revealCodes(shop, 1);
  await button(shop, t("delivery.code.copy")).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  expect(await findOrderKeys(orderId)).toEqual([code]);

  await expectSameCodes(shop, { orderId, to: user.email });
  const mail = await waitForMail(page.request, user.email, "keys");
  expect(mail.html).toContain(`lang="${locale === "zh" ? "zh-Hans" : locale}"`);
  expect(await countMails(page.request, user.email, "keys")).toBe(1);
  expect(await countCharges(orderId)).toBe(1);
  const [order] = await findOrders(user.email);
  expect(order).toMatchObject({ id: orderId, total_cents: plan.price_cents, send_email: user.email });
});
