import { readFileSync } from "node:fs";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

test("a merchant checks a file of codes, states their origin, imports them, and withdraws the unsold ones", async ({
  page,
  context,
  baseURL,
  locale,
}) => {
  const t = consoleTexts(locale);
  const merchant = await createMerchant();
  const seller = await createSeller(merchant);
  await signInAs(context, baseURL!, seller);
  const { slug } = await createProduct({ merchantId: merchant.id, plans: [{ type: "day" }] });
  const lines = Array.from({ length: 40 }, (_, i) =>
    i % 20 === 7 ? `${slug},fortnight,MK-${slug}-${i},` : `${slug},day,MK-${slug}-${i},`,
  );
  const csv = `product,plan,key,redeem_by\n${lines.join("\n")}\n`;
  const answers: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/api/v1/")) answers.push(await response.text().catch(() => ""));
  });
  const path = `/merchant/${merchant.handle}/keys`;
  await page.goto(consolePath(path, locale));
  await expectAccessible(page, "stock");
  await page.getByRole("link", { name: t("console.merchant_keys.tabs.add") }).click();
  await page.waitForURL((url) => url.pathname.endsWith("/keys/import"));
  await waitUntilInteractive(page);
  const file = { name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.getByLabel(t("console.imports.file"), { exact: true }).setInputFiles(file);
  await page.getByRole("button", { name: t("console.imports.preview_now") }).click();
  const start = page.getByRole("button", { name: t("console.merchant_keys.import_now", { count: 38 }) });
  await start.click();
  await expect(page.getByText(t("console.merchant_keys.statement_missing"))).toBeVisible();
  await expectAccessible(page, "preview");
  await page
    .getByLabel(t("console.merchant_keys.statement"), { exact: true })
    .fill("From our licence server.");
  await start.click();
  await expect(page.getByText(t("console.imports.state.done"), { exact: true }).first()).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: t("console.imports.download_lines") }).click();
  const saved = readFileSync(await (await downloading).path(), "utf8");
  expect(saved.trim().split("\n")).toEqual([
    "product,plan,key,redeem_by",
    ...lines.filter((line) => line.includes("fortnight")),
  ]);
  await page.getByRole("link", { name: t("console.merchant_keys.to_batch") }).click();
  await page.waitForURL((url) => /\/keys\/batches\/kb_/.test(url.pathname));
  await page.getByRole("button", { name: t("console.key_batches.withdraw") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(t("console.key_batches.effect_withdrawn", { count: 38 }));
  await expectAccessible(page, "withdrawal");
  await dialog.getByRole("button", { name: t("console.key_batches.withdraw_now") }).click();
  await expect(page.getByText(t("console.key_batches.withdrawn_now", { count: 38 }))).toBeVisible();
  expect(answers.join("\n")).not.toContain(`MK-${slug}`);
});
