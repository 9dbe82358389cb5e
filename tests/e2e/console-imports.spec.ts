import { readFileSync } from "node:fs";
import { createProduct } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

test("codes are checked and imported without the refused lines, which can be saved from the browser's file", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["catalogue"] }));
  const { slug } = await createProduct({ plans: [{ type: "day" }] });
  const lines = Array.from({ length: 60 }, (_, i) =>
    i % 20 === 7 ? `${slug},fortnight,E2E-${slug}-${i},` : `${slug},day,E2E-${slug}-${i},`,
  );
  const csv = `product,plan,key,redeem_by\n${lines.join("\n")}\n`;
  const answers: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/api/v1/")) answers.push(await response.text().catch(() => ""));
  });
  await page.goto(consolePath("/console/imports", locale));
  await waitUntilInteractive(page);
  await page.getByRole("radio", { name: t("console.imports.kinds.keys") }).check();
  const file = { name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.getByLabel(t("console.imports.file"), { exact: true }).setInputFiles(file);
  await page.getByRole("button", { name: t("console.imports.preview_now") }).click();
  const start = page.getByRole("button", { name: t("console.imports.import_now", { count: 57 }) });
  await expect(start).toBeVisible();
  const report = page.getByRole("region", { name: t("console.imports.report") });
  await expect(report.getByRole("row")).toHaveCount(4);
  await expectAccessible(page, "preview");
  await start.click();
  await expect(page.getByText(t("console.imports.state.done"), { exact: true }).first()).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: t("console.imports.download_lines") }).click();
  const saved = readFileSync(await (await downloading).path(), "utf8");
  expect(saved.trim().split("\n")).toEqual([
    "product,plan,key,redeem_by",
    ...lines.filter((line) => line.includes("fortnight")),
  ]);
  expect(answers.join("\n")).not.toContain(`E2E-${slug}`);
  await page.getByRole("link", { name: "codes.csv" }).first().click();
  await page.waitForURL((url) => /\/console\/imports\/imp_/.test(url.pathname));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.imports.of.keys"));
  await expectAccessible(page, "import");
});
