import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { taxWithin } from "@/lib/payments/tax/rules";
import { formatPrice } from "@/lib/platform/money";
import { clientAddress } from "../setup/client-address";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { becomeMerchant, giveTradeFile, listFirstProduct, namesOf, PRODUCT } from "./merchant-steps";
import { button, checkOut, choosePlan, openCart, pay, revealCodes } from "./screens";
import { newUser, signUp } from "./users";
import { watchContext } from "./watch";

const PRICE_CENTS = 2_000;

test(
  "a merchant goes from an application to a sale and its refund",
  { tag: "@all" },
  async ({ shop, context, browser, openShop, baseURL, watch: staffPages }, { project }) => {
    test.setTimeout(240_000);
    staffPages.allow(401, 403);
    const { page, t, locale } = shop;
    const c = consoleTexts(locale);
    const tag = `${Date.now()}-${locale}-${shop.device}`;
    const { handle, slug } = namesOf(tag);
    const openContext = async () => {
      const opened = await browser.newContext({
        ...project.use,
        baseURL: baseURL!,
        extraHTTPHeaders: { "x-forwarded-for": clientAddress() },
      });
      const watch = await watchContext(opened, new URL(baseURL!).origin);
      watch.allow(400, 401, 403);
      return { context: opened, shop: await openShop(opened), watch };
    };

    const theirs = await openContext();
    const seller = theirs.shop.page;
    await signInAs(context, baseURL!, await createStaff());
    const road = { staff: page, seller: theirs.shop, applicant: newUser(), tag };
    await becomeMerchant(road);
    await giveTradeFile(road);
    const codes = await listFirstProduct(road);
    const home = consolePath(`/merchant/${handle}`, locale);

    // A shopper buys a pass.
    const shopper = await openContext();
    const buyer = await signUp(shopper.context.request, { locale });
    await shopper.shop.go(`/product/${slug}`);
    await expect(shopper.shop.page.locator(`a[href*="/seller/${handle}"]`).first()).toBeVisible();
    await choosePlan(shopper.shop, 30);
    await button(shopper.shop, t("catalog.product.add")).click();
    await openCart(shopper.shop, 1);
    const orderId = await checkOut(shopper.shop);
    await pay(shopper.shop, PRICE_CENTS, "succeeded");
    await shopper.shop.arrive(`/payment/success?order_id=${orderId}`);
    expect(codes).toContain((await revealCodes(shopper.shop, 1))[0]);

    // The sale is in the merchant's list, without the buyer.
    const usd = (cents: number) => formatPrice(cents, locale);
    const openSales = async (state: "sold" | "refunded") => {
      await seller.goto(consolePath(`/merchant/${handle}/sales?state=${state}`, locale));
      await waitUntilInteractive(seller);
      const main = seller.getByRole("main");
      await expect(main.getByRole("link", { name: PRODUCT[locale].name })).toHaveCount(1);
      return main;
    };
    const listed = await openSales("sold");
    // The price includes 23 % of VAT of the demo's country; the commission is 15 % of the rest.
    const netCents = PRICE_CENTS - taxWithin(PRICE_CENTS, 2_300);
    const commissionCents = Math.round(netCents * 0.15);
    const payableCents = netCents - commissionCents;
    // A card of a phone shows what is payable only.
    for (const amount of shop.device === "phone"
      ? [payableCents]
      : [PRICE_CENTS, commissionCents, payableCents])
      await expect(listed.getByText(usd(amount), { exact: true }).first()).toBeVisible();
    await expect(listed).not.toContainText(buyer.email);
    await expectAccessible(seller, "the sales");

    // The shopper asks for the money back; the merchant says that the code is unused.
    await shopper.shop.go(`/order-history?order_id=${orderId}`);
    await button(shopper.shop, t("orders.refund.ask")).click();
    await shopper.shop.page
      .getByRole("dialog")
      .getByRole("button", { name: t("orders.refund.confirm") })
      .click();
    await expect(
      shopper.shop.page.getByText(t("orders.refund.sent", { hours: VENDOR_CONFIRMATION_HOURS })),
    ).toBeVisible();
    await seller.goto(home);
    await waitUntilInteractive(seller);
    const questions = seller.getByRole("region", { name: c("console.merchant_home.answer"), exact: true });
    await expect(seller.getByRole("main")).not.toContainText(buyer.email);
    for (const code of codes) await expect(seller.getByRole("main")).not.toContainText(code);
    await expectAccessible(seller, "the home with a question");
    await questions.getByRole("button", { name: c("console.merchant_requests.answers.unused") }).click();
    const answer = seller.getByRole("dialog");
    await expect(answer).toContainText(usd(PRICE_CENTS));
    await expectAccessible(seller, "the answer");
    await answer.getByRole("button", { name: c("console.merchant_requests.confirm") }).dblclick();
    await expect(seller.getByText(c("console.merchant_requests.answered"))).toBeVisible();
    await expect(questions.getByText(c("console.merchant_home.no_requests"))).toBeVisible();
    await waitForMail(page.request, buyer.email, "refund");
    await openSales("refunded");
    await shopper.shop.go(`/order-history?order_id=${orderId}`);
    await expect(button(shopper.shop, t("orders.refund.ask"))).toHaveCount(0);
    expect([theirs.watch.problems, shopper.watch.problems]).toEqual([[], []]);
    await shopper.context.close();
    await theirs.context.close();
  },
);

test("an owner fills in the profile, invites a colleague, and creates a working token", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(400);
  const c = consoleTexts(locale);
  const merchant = await createMerchant();
  const owner = await createSeller(merchant);
  await signInAs(context, baseURL!, owner);
  const open = async (screen: string) => {
    await page.goto(consolePath(`/merchant/${merchant.handle}/${screen}`, locale));
    await waitUntilInteractive(page);
  };

  await open("profile");
  await page.locator('[name="texts.en"]').fill("We make tools.");
  await page.locator('[name="texts.zh"]').fill("We make tools.");
  await page.locator('[name="support_email"]').fill(owner.email);
  const save = page.getByRole("button", { name: c("console.merchant_profile.save"), exact: true });
  await save.click();
  await expect(page.locator('[name="texts.zh"]')).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page, "a profile with a refused text");
  await page.locator('[name="texts.zh"]').fill("我们做工具。");
  await save.click();
  await expect(page.getByText(c("console.merchant_profile.saved"))).toBeVisible();

  await open("team");
  const colleague = newUser().email;
  await page.getByRole("button", { name: c("console.merchant_team.invite"), exact: true }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(colleague);
  await page.getByRole("button", { name: c("console.merchant_team.send") }).click();
  await expect(page.getByText(colleague).first()).toBeVisible();

  await open("tokens");
  const create = c("console.merchant_tokens.create");
  await page.getByRole("button", { name: create, exact: true }).click();
  await page.locator('[name="name"]').fill("Robot");
  await page.getByRole("checkbox").first().check();
  await page.getByRole("dialog").getByRole("button", { name: create, exact: true }).click();
  const token = await page.getByRole("main").locator("code").first().textContent();
  await expectAccessible(page, "a new token");
  const me = await context.request.get("/api/v1/merchant/me", {
    headers: { authorization: `Bearer ${token}`, cookie: "" },
  });
  expect((await me.json()).data).toMatchObject({ handle: merchant.handle, role: null });
});
