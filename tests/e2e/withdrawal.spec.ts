import { formatPrice } from "@/lib/platform/money";
import { findOrderKeys, findPlan } from "./database";
import { expect, test } from "./fixtures";
import { verificationCode, waitForMail } from "./mails";
import { button, emailChoice, libraryChoice, openMore, payButton, stubOf } from "./screens";
import { buyPass, callApi, placeOrder, signUp } from "./users";

test("a code kept in the library stays unrevealed until the press that gives the consent", async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 7);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await expect(emailChoice(shop)).not.toBeChecked();
  await libraryChoice(shop).check();
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await expect(page.getByText(t("payments.success.kept"))).toBeVisible();
  const mail = await waitForMail(page.request, email, "keys");
  expect(mail.html).not.toContain("<code");
  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.detail.in_library"))).toBeVisible();
  await go("/library");
  await expect(button(shop, t("delivery.activate.button"))).toHaveCount(0);
  // The words and the button are in sight, and the press gives the consent once.
  const stub = stubOf(shop);
  await expect(stub.getByText(t("delivery.code.consent_text"))).toBeVisible();
  const reveal = button(shop, t("delivery.code.reveal"));
  await expect(reveal).toBeInViewport();
  await openMore(shop);
  await expect(page.getByText(t("delivery.library.unseen"))).toBeVisible();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/library/reveal")) sent.push(request.url());
  });
  await reveal.dblclick();
  const [code] = await findOrderKeys(orderId);
  await expect(page.getByRole("main").getByText(code!, { exact: true })).toBeVisible();
  expect(sent).toHaveLength(1);
  await expect(stub).toHaveCount(0);
  await expect(page.getByText(t("delivery.library.unseen"))).toHaveCount(0);
  await expect(button(shop, t("delivery.activate.button"))).toBeVisible();
  type Order = { status: string };
  const { status } = await callApi<Order>(context.request, `/order/detail?order_id=${orderId}`);
  expect(status).toBe("completed");
});

test("keys kept in the library are not mailed and are refunded immediately", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go, arrive } = shop;
  const { email } = await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 30);
  const orderId = await placeOrder(context.request, plan);
  await go(`/checkout?order_id=${orderId}`);
  await libraryChoice(shop).check();
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  const mail = await waitForMail(page.request, email, "keys");
  expect(mail.html).not.toContain("<code");
  await go(`/order-history?order_id=${orderId}`);
  await expect(page.getByText(t("orders.detail.in_library"))).toBeVisible();
  await expect(page.getByText(t("orders.detail.two_ways"))).toBeVisible();
  await button(shop, t("orders.refund.ask")).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(t("orders.refund.at_once"))).toBeVisible();
  await dialog.getByRole("button", { name: t("orders.refund.confirm") }).click();
  const amount = formatPrice(plan.price_cents, locale);
  await expect(
    page
      .getByText(t("orders.refund_step.submitted", { amount }))
      .or(page.getByText(t("orders.refund_step.done", { amount }))),
  ).toBeVisible();
});

test("a purchase is withdrawn without a session, by a mailed code", { tag: ["@all", "@matrix"] }, async ({
  shop,
  playwright,
  baseURL,
}) => {
  const { page, t, locale, go } = shop;
  const owner = await playwright.request.newContext({ baseURL });
  const { email } = await signUp(owner, { locale });
  const plan = await findPlan("ackwith-minutes", 7);
  const orderId = await buyPass(owner, await findPlan("ackwith-minutes", 7), { immediate_delivery: false });
  await go(`/withdraw?order_id=${orderId}`);
  await page.getByLabel(t("orders.withdraw.name"), { exact: true }).fill("Anna Weber");
  await page.getByLabel(t("orders.withdraw.email"), { exact: true }).fill(email);
  await button(shop, t("orders.withdraw.declare")).click();
  // Recorded at this press, with a receipt, before anything is proved.
  await expect(page.getByText(t("orders.withdraw.declared_mailed", { email }))).toBeVisible();
  const receipt = await waitForMail(page.request, email, "withdrawal-declared");
  expect(receipt.html).not.toContain("Anna Weber");
  const link = page.getByRole("link", { name: t("orders.withdraw.download") });
  const file = await page.request.get((await link.getAttribute("href"))!);
  expect(file.headers()["content-type"]).toBe("application/pdf");
  await page.getByLabel(t("orders.withdraw.code")).fill(await verificationCode(page.request, email));
  await button(shop, t("orders.withdraw.code_next")).click();
  const amount = formatPrice(plan.price_cents, locale);
  await button(shop, t("orders.withdraw.confirm", { amount })).dblclick();
  await expect(page.getByText(t("orders.withdraw.done_title", { amount }))).toBeVisible();
  await waitForMail(page.request, email, "withdrawal-received");
  await owner.dispose();
});

test("the owner opens the withdrawal from the order, sees why nothing is refundable, and gets a receipt", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const orderId = await buyPass(context.request, await findPlan("ackwith-minutes", 7), {
    immediate_delivery: true,
  });
  await go(`/order-history?order_id=${orderId}`);
  const order = page.getByRole("main"); // the footer has a link of the same name in Chinese
  await order.getByRole("link", { name: t("orders.detail.withdraw") }).click();
  await arrive(`/withdraw?order_id=${orderId}`);
  await expect(page.getByText(t("orders.withdraw.reason.shown"))).toBeVisible();
  await expect(page.getByText(t("orders.withdraw.nothing"))).toBeVisible();
  await go(`/receipt?order_id=${orderId}`);
  await expect(page.getByText(orderId)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: t("orders.receipt.print") })).toBeHidden();
  await expect(page.getByRole("contentinfo")).toBeHidden();
});

// Once, because the vendor confirmations of a merchant go to the same address.
test("the vendor decides with one click on the link in the email", { tag: ["@all", "@once"] }, async ({
  shop,
  context,
  playwright,
  baseURL,
}) => {
  const { page, t, locale, go } = shop;
  const owner = await playwright.request.newContext({ baseURL });
  await signUp(owner, { locale });
  const order_id = await buyPass(owner, await findPlan("ackwith-minutes", 30), { immediate_delivery: true });
  type Order = { status: string; order_products: { order_product_id: string }[] };
  const read = () => callApi<Order>(owner, `/order/detail?order_id=${order_id}`);
  const { order_product_id } = (await read()).order_products[0]!;
  await callApi(owner, "/order/refund/request", { order_id, order_product_id });
  // An owner of the pass's merchant.
  const mail = await waitForMail(
    context.request,
    "demo-kettle-owner@passlane.example",
    "vendor-confirmation",
  );
  const token = /vendor-confirmation\?token=([\w.%-]+)/.exec(mail.text)![1]!;
  await go(`/maker-answer?token=${token}`); // the page's former address
  await expect(page).toHaveURL(/\/vendor-confirmation\?token=/);
  await expect(page.getByText(/SHA-256/)).toBeVisible();
  await button(shop, t("orders.vendor_confirmation.press_unused")).dblclick();
  await expect(page.getByText(t("orders.vendor_confirmation.done_unused"))).toBeVisible();
  await page.reload();
  await expect(page.getByText(t("orders.vendor_confirmation.was_approved"))).toBeVisible();
  const repeated = await callApi<{ decided: boolean }>(owner, "/order/maker-answer", {
    token: decodeURIComponent(token),
  });
  expect(repeated.decided).toBe(false);
  await owner.dispose();
});
