import type { BrowserContext, Page } from "@playwright/test";
import { createTranslator } from "next-intl";
import { createProduct } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import en from "@/messages/console/en.json" with { type: "json" };
import ja from "@/messages/console/ja.json" with { type: "json" };
import zh from "@/messages/console/zh.json" with { type: "json" };
import { expect, test, waitUntilInteractive } from "./fixtures";
import { createTranslate } from "./translations";

const MESSAGES = { en, zh, ja };
const editorTexts = (locale: Locale) =>
  createTranslator({ locale, messages: MESSAGES[locale] as typeof en, namespace: "console.editor" });
const TAGLINES = { en: "A tagline of today.", zh: "今天的一句话。", ja: "今日のキャッチコピー。" };

async function signInAs(context: BrowserContext, baseURL: string, staff: StaffUser): Promise<void> {
  const [name = "", value = ""] = staff.cookie.split(/=(.*)/s, 2);
  await context.addCookies([{ name, value, url: baseURL }]);
}

const createTranslated = () =>
  createProduct({
    texts: {
      zh: { name: "工具", tagline: "一个工具。", description: "这是工具。", includes: ["一"] },
      ja: { name: "ツール", tagline: "道具です。", description: "これは道具です。", includes: ["一つ"] },
    },
    plans: [{ keys: 2 }],
  });

async function openEditor(page: Page, id: number, locale: Locale): Promise<void> {
  await page.goto(localizedPath(`/console/products/${id}`, { locale, surface: "desktop" }));
  await waitUntilInteractive(page);
}

test("texts in three languages and a price are edited, reviewed and saved, and the shop shows them", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = editorTexts(locale);
  const editor = await createStaff({ roles: ["catalogue"] });
  await signInAs(context, baseURL!, editor);
  const { id, slug } = await createTranslated();
  const save = async () => {
    await page.getByRole("button", { name: t("review") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("save"), exact: true })
      .click();
    await expect(page.getByText(t("saved"))).toBeVisible();
  };
  const tagline = (language: Locale) =>
    page
      .getByRole("group", { name: t(`language.${language}`), exact: true })
      .getByLabel(t("field.tagline"), { exact: true });

  await page.goto(localizedPath(`/console/products?product_id=${id}`, { locale, surface: "desktop" }));
  await waitUntilInteractive(page);
  const list = page.url();
  await page.locator(`a[href$="/console/products/${id}"]`).first().click();
  const price = page.getByLabel(t("field.price"), { exact: true });
  await price.fill("12");
  await expect(page.getByText(t("buyers_will_see"))).toBeVisible();
  // The way back asks before what was typed is lost.
  const question = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  await page.evaluate(() => history.back());
  expect(await question).toBe(t("leave"));
  await expect(price).toHaveValue("12");
  expect(page.url()).not.toBe(list);
  await save();
  await expect(page.getByText(t("revision", { number: 2 })).first()).toBeVisible();

  await tagline("zh").fill("Only Latin letters");
  await expect(page.getByText(t("verdict.refused"), { exact: true })).toBeVisible();
  for (const language of LOCALES) await tagline(language).fill(TAGLINES[language]);
  await expect(page.getByText(t("verdict.refused"), { exact: true })).toBeHidden();
  await expect(page.getByText(t("unsaved"))).toBeVisible();
  await page.getByRole("button", { name: t("review") }).click();
  for (const language of LOCALES)
    await expect(page.getByRole("dialog").getByText(TAGLINES[language])).toBeVisible();
  await page.getByRole("dialog").getByLabel(t("note")).fill("New taglines");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("save"), exact: true })
    .click();
  await expect(page.getByText(t("revision", { number: 3 })).first()).toBeVisible();

  for (const language of LOCALES) {
    const path = localizedPath(`/product/${slug}`, { locale: language, surface: "desktop" });
    const start = Date.now();
    await expect
      .poll(async () => (await page.request.get(path)).text(), { timeout: 2_000 })
      .toContain(TAGLINES[language]);
    expect(Date.now() - start).toBeLessThan(2_500);
    expect(await (await page.request.get(path)).text()).toContain("$12.00");
  }

  await page.getByText("New taglines").waitFor({ state: "attached" });
  const second = page.getByRole("listitem").filter({ hasText: t("revision", { number: 2 }) });
  await second.locator("summary").click();
  await second.getByRole("button", { name: t("return_to", { number: 2 }) }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("return"), exact: true })
    .click();
  await expect(page.getByText(t("revision", { number: 4 })).first()).toBeVisible();
  await expect(tagline("zh")).toHaveValue("一个工具。");
  const path = localizedPath(`/product/${slug}`, { locale: "zh", surface: "desktop" });
  await expect
    .poll(async () => (await page.request.get(path)).text(), { timeout: 2_000 })
    .toContain("一个工具。");
});

test("a second tab keeps what was typed, and saves it together with the first one's change", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(409);
  const t = editorTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["catalogue"] }));
  const { id } = await createTranslated();
  await openEditor(page, id, locale);
  const other = await context.newPage();
  await openEditor(other, id, locale);
  const vendorLabel = createTranslate(locale)("catalog.field.vendor");
  await other.getByLabel(vendorLabel, { exact: true }).fill("The Other Vendor");
  await other.getByRole("button", { name: t("review") }).click();
  await other
    .getByRole("dialog")
    .getByRole("button", { name: t("save"), exact: true })
    .click();
  await expect(other.getByText(t("revision", { number: 2 })).first()).toBeVisible();

  const rank = page.getByLabel(t("field.sort_num"), { exact: true });
  await rank.fill("77");
  await page.getByRole("button", { name: t("review") }).click();
  await expect(page.getByText(t("conflict.title"))).toBeVisible();
  await expect(page.getByRole("status").getByText("The Other Vendor")).toBeVisible();
  await expect(rank).toHaveValue("77");
  await page.getByRole("button", { name: t("conflict.merge") }).click();
  await expect(page.getByLabel(vendorLabel, { exact: true })).toHaveValue("The Other Vendor");
  await expect(rank).toHaveValue("77");
  await page.getByRole("button", { name: t("review") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("save"), exact: true })
    .click();
  await expect(page.getByText(t("revision", { number: 3 })).first()).toBeVisible();
  await expect(rank).toHaveValue("77");
});
