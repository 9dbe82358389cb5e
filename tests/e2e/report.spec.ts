import { client } from "@/db/client";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mails";
import { button, link } from "./screens";
import { newUser } from "./users";

test("a product is reported from its page, with a receipt there and by email, and the decision can be objected to", {
  tag: "@all",
}, async ({ shop }) => {
  const { page, t, go, arrive } = shop;
  const { email } = newUser();
  await go("/product/quillon-draft");
  await link(shop, t("catalog.product.report")).click();
  await arrive("/report?product=quillon-draft");
  await page.getByLabel(t("support.report.reason")).selectOption("misleading");
  await page.getByLabel(t("support.report.message")).fill("It promises what it does not do.");
  await page.getByLabel(t("support.report.email"), { exact: true }).fill(email);
  await button(shop, t("support.report.send")).click();
  await page.waitForURL(/receipt=/);
  await expect(page.getByText(t("support.report.received_mailed"))).toBeVisible();
  const mail = await waitForMail(page.request, email, "report-received");
  const reference = /rpt_[a-z0-9]+/.exec(mail.text)![0];
  await expect(page.getByText(reference)).toBeVisible();

  // Staff keep it; the link with the secret is in the email about it.
  await client()`
    update content_reports set outcome = 'kept', statement = 'The page says what it does.', decided_at = shop_now(), decided_by = 'staff:test'
    where id = ${reference}`;
  const { appealToken } = await import("@/lib/support/reports/find-report");
  await go(`/report?appeal=${appealToken(reference, "reporter")}`);
  await expect(page.getByText("The page says what it does.")).toBeVisible();
  await page.getByLabel(t("support.report.appeal_message")).fill("It says so in its first sentence.");
  await button(shop, t("support.report.appeal_send")).click();
  await expect(page.getByText(t("support.report.appeal_sent"))).toBeVisible();
});

test("the form of a report works without script", { tag: "@all" }, async ({ browser, baseURL, shop }) => {
  const { t, at } = shop;
  const plain = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(at("/report?product=quillon-draft"));
  await page.getByLabel(t("support.report.message")).fill("It promises what it does not do.");
  await page.getByRole("button", { name: t("support.report.send") }).click();
  await expect(page.getByText(t("support.report.received"))).toBeVisible();
  await plain.close();
});
