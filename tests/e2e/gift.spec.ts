import type { Locator } from "@playwright/test";
import { expectAccessible } from "./axe";
import { findOrderKeys, findPlan } from "./database";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mails";
import { button, payButton } from "./screens";
import { newUser, placeOrder, signUp } from "./users";
import { watchContext } from "./watch";

test("a gift is paid, claimed by a new account and shown", async ({
  shop,
  context,
  browser,
  openShop,
  baseURL,
  watch: giverPages,
}, { project }) => {
  giverPages.allow(400);
  const { page, t, locale, go, arrive } = shop;
  const giver = await signUp(context.request, { locale });
  const recipient = newUser();
  const plan = await findPlan("ackwith-minutes", 30);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await page.getByRole("checkbox", { name: t("orders.gift.toggle") }).check();
  await expect(page.getByRole("group", { name: t("orders.checkout.delivery.legend") })).toHaveCount(0);
  const field = (name: string): Locator => page.getByLabel(name, { exact: true });
  await field(t("orders.gift.message")).fill("For your new job");
  await field(t("orders.gift.from")).fill("evil.example");
  await expectAccessible(page, "checkout of a gift");
  // Nothing is paid without a recipient.
  await payButton(shop, plan.price_cents).click();
  await expect(field(t("orders.gift.recipient"))).toBeFocused();
  await page.reload();
  await expect(field(t("orders.gift.message"))).toHaveValue("For your new job");
  await field(t("orders.gift.recipient")).fill(recipient.email);
  await payButton(shop, plan.price_cents).click();
  await expect(page.getByText(t("errors.gift_from_wrong"))).toBeVisible();
  await expect(field(t("orders.gift.from"))).toBeFocused();
  await field(t("orders.gift.from")).fill("Ann O’Brien-Lee");
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(page.getByText(recipient.email)).toBeVisible();
  const receipt = await waitForMail(page.request, giver.email, "keys");
  expect(receipt.html).not.toContain("<code");
  const mail = await waitForMail(page.request, recipient.email, "gift");
  expect(mail.text).not.toContain("For your new job");
  expect(mail.text).toContain(t("emails.gift.from", { name: "Ann O’Brien-Lee" }));
  await go("/library");
  await expect(page.getByText(recipient.email)).toBeVisible();

  const otherBrowser = await browser.newContext({
    ...project.use,
    baseURL,
    extraHTTPHeaders: { "x-forwarded-for": "198.51.100.77" },
  });
  const watch = await watchContext(otherBrowser, new URL(baseURL!).origin);
  watch.allow(401, 403);
  const theirs = await openShop(otherBrowser);
  const [, token = "", proof = ""] = /\/gift\/([\w-]+)#([\w-]+)/.exec(mail.text)!;
  const leaks: string[] = [];
  otherBrowser.on("request", (request) => {
    const sent = `${request.headers().referer} ${request.postData()}`;
    const leaked = sent.includes(token) || sent.includes(proof) || request.url().includes(proof);
    if (leaked && !request.url().endsWith("/gift/claim")) leaks.push(request.url());
  });
  await theirs.go(`/gift/${token}#${proof}`);
  await expect(theirs.page).not.toHaveURL(/#/);
  await expect(theirs.page.getByText("Ann O’Brien-Lee")).toBeVisible();
  await expect(theirs.page.getByText("For your new job")).toBeVisible();
  await expectAccessible(theirs.page, "the gift's link");
  await button(theirs, t("orders.gift.claim.action")).click();
  const form = theirs.page.getByRole("dialog");
  await form.getByLabel(t("accounts.field.email"), { exact: true }).fill(recipient.email);
  await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(recipient.password);
  await form.getByRole("radio", { name: t("accounts.age.adult") }).check();
  await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
  await theirs.arrive("/library");
  await button(theirs, t("delivery.code.reveal")).press("Enter");
  const [code] = await findOrderKeys(orderId);
  await expect(theirs.page.getByRole("main").getByText(code!, { exact: true })).toBeVisible();
  expect(leaks).toEqual([]);
  expect(watch.problems).toEqual([]);
  await otherBrowser.close();

  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByRole("heading", { name: t("orders.gift.title"), exact: true })).toBeVisible();
  await expect(button(shop, t("orders.gift.resend"))).toHaveCount(0);
  await expect(page.getByText(t("orders.refund.ask"))).toHaveCount(0);
});
