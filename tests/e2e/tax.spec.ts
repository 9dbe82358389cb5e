import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { libraryChoice, payButton } from "./screens";
import { callApi, placeOrder, signUp } from "./users";

type Tax = { tax: { documents: { document_id: string; number: string; kind: string }[] } };

test("a buyer in Germany sees the tax, answers for a card of another country, and reads both invoices", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  watch.allow(400); // of an id that is none
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  const plan = await findPlan("ackwith-minutes", 30);
  const orderId = await placeOrder(context.request, plan);
  await callApi(context.request, "/order/update-delivery", { order_id: orderId, country: "DE" });
  await go(`/checkout?order_id=${orderId}`);
  const summary = page.getByRole("complementary", { name: t("orders.checkout.summary") });
  await expect(summary).toContainText(/19%|19 %/);
  await expect(summary).toContainText(t("orders.tax.name.vat"));
  // A business whose id the EU's service knows buys without tax, and the buyer may go back.
  await page.getByRole("checkbox", { name: t("orders.tax.business.toggle") }).check();
  await page.getByRole("textbox", { name: t("orders.tax.business.vat_id"), exact: true }).fill("DE123");
  await page
    .getByRole("textbox", { name: t("orders.tax.business.company"), exact: true })
    .fill("株式会社 Beispiel GmbH");
  await page
    .getByRole("textbox", { name: t("orders.tax.business.address"), exact: true })
    .fill("Hauptstr. 1\n10115 Berlin");
  await page.getByRole("button", { name: t("orders.tax.business.save") }).click();
  await expect(page.getByText(t("errors.vat_id_invalid"))).toBeVisible();
  await page
    .getByRole("textbox", { name: t("orders.tax.business.vat_id"), exact: true })
    .fill("de 136 695 976");
  await page.getByRole("button", { name: t("orders.tax.business.save") }).click();
  await expect(summary.getByText(t("orders.tax.reverse"))).toBeVisible();
  await page.getByRole("button", { name: t("orders.tax.business.remove") }).click();
  await expect(summary.getByText(t("orders.tax.reverse"))).toHaveCount(0);
  await libraryChoice(shop).check();
  await page.getByLabel(t("payments.sandbox.card_country")).selectOption("FR");
  await payButton(shop, plan.price_cents).click();
  await arrive(`/payment/success?order_id=${orderId}`);
  await go(`/order-history?order_id=${orderId}`);
  const question = page.getByRole("group", { name: t("orders.tax.question.title") });
  await question.getByRole("button", { name: t("orders.tax.question.save") }).click();
  await expect(question.getByText(t("orders.tax.question.missing"))).toBeVisible();
  await question.getByRole("radio").nth(1).check();
  await question.getByRole("button", { name: t("orders.tax.question.save") }).click();
  await expect(question).toHaveCount(0);
  const { tax } = await callApi<Tax>(context.request, `/order/detail?order_id=${orderId}`);
  expect(tax.documents.map(({ kind }) => kind).sort()).toEqual(["credit_note", "invoice", "invoice"]);
  for (const { document_id, kind, number } of tax.documents) {
    const link = page.getByRole("link", {
      name: t(kind === "invoice" ? "orders.tax.invoice" : "orders.tax.credit_note", { number }),
    });
    await expect(link).toHaveAttribute("href", new RegExp(`document_id=${document_id}`));
    const file = await context.request.get(new URL((await link.getAttribute("href"))!, page.url()).href);
    expect((await file.body()).subarray(0, 5).toString()).toBe("%PDF-");
  }
});
