import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import type { Locale } from "@/lib/platform/i18n/locales";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

const TAGLINES: Record<Locale, string> = { en: "Calmer than before.", zh: "更从容。", ja: "前より静かに。" };

test("a merchant proposes a text, staff approve it, and the shop shows it", { tag: "@all" }, async ({
  page,
  browser,
  context,
  baseURL,
  locale,
}) => {
  const t = consoleTexts(locale);
  const merchant = await createMerchant();
  const seller = await createSeller(merchant);
  const { slug, name } = await createProduct({ merchantId: merchant.id });
  const home = `/merchant/${merchant.handle}`;
  await signInAs(context, baseURL!, seller);

  await page.goto(consolePath(`${home}/products`, locale));
  await waitUntilInteractive(page);
  await page.getByRole("link", { name }).first().click();
  await page.getByRole("button", { name: new RegExp(`^${t("console.merchant_changes.pause")}`) }).click();
  await expect(page.getByText(t("console.merchant_changes.paused"))).toBeVisible();
  await page.getByRole("button", { name: new RegExp(`^${t("console.merchant_changes.resume")}`) }).click();
  await expect(page.getByText(t("console.merchant_changes.resumed"))).toBeVisible();
  await expectAccessible(page, "a product of a merchant");

  await page.getByRole("link", { name: t("console.merchant_changes.propose") }).click();
  const english = page.getByRole("group", { name: t("console.editor.language.en"), exact: true });
  await english.getByLabel(t("console.editor.field.tagline"), { exact: true }).fill(TAGLINES.en);
  await page.getByRole("button", { name: t("console.merchant_changes.review"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(t("console.merchant_changes.next_waits"))).toBeVisible();
  await dialog.getByRole("button", { name: t("console.merchant_changes.propose_now") }).click();
  await page.waitForURL(/\/changes\/chg_\w+$/);
  await expect(page.getByText(t("console.merchant_changes.states.proposed")).first()).toBeVisible();
  await expectAccessible(page, "a proposed change");
  expect(await (await context.request.get(`/product/${slug}`)).text()).not.toContain(TAGLINES.en);

  const office = await browser.newContext({ baseURL: baseURL! });
  await signInAs(office, baseURL!, await createStaff({ roles: ["catalogue"] }));
  const desk = await office.newPage();
  await desk.goto(consolePath(`/console/changes?merchant=${merchant.handle}`, locale));
  await waitUntilInteractive(desk);
  await desk.getByRole("link", { name }).first().click();
  const approve = desk.getByRole("button", { name: t("console.changes.approve"), exact: true });
  await approve.first().click();
  await desk.getByRole("button", { name: t("console.effects.continue") }).click();
  await desk
    .getByRole("dialog")
    .getByRole("button", { name: t("console.changes.approve"), exact: true })
    .click();
  await expect(desk.getByText(t("console.changes.done_approve"))).toBeVisible();
  await office.close();
  await expect
    .poll(async () => (await context.request.get(`/product/${slug}`)).text())
    .toContain(TAGLINES.en);
});

test("a draft that another tab has saved meanwhile is not overwritten unseen, and nothing typed is lost", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(409);
  const t = consoleTexts(locale);
  const merchant = await createMerchant();
  const { id } = await createProduct({ merchantId: merchant.id });
  await signInAs(context, baseURL!, await createSeller(merchant));
  const home = `/merchant/${merchant.handle}`;
  const tagline = (tab: typeof page) =>
    tab
      .getByRole("group", { name: t("console.editor.language.en"), exact: true })
      .getByLabel(t("console.editor.field.tagline"), { exact: true });
  const review = (tab: typeof page) =>
    tab.getByRole("button", { name: t("console.merchant_changes.review"), exact: true }).click();
  const saveDraft = async (tab: typeof page, text: string) => {
    await tagline(tab).fill(text);
    await review(tab);
    await tab.getByRole("button", { name: t("console.merchant_changes.save_draft") }).click();
    await tab.waitForURL(/\/changes\/chg_\w+$/);
  };
  await page.goto(consolePath(`${home}/products/${id}/edit`, locale));
  await waitUntilInteractive(page);
  await saveDraft(page, "As it began.");
  const change = new URL(page.url()).pathname;
  const old = await context.newPage();
  for (const tab of [page, old]) {
    await tab.goto(`${change}/edit`);
    await waitUntilInteractive(tab);
  }
  await saveDraft(page, "Of the other tab.");

  await tagline(old).fill("Of this tab.");
  await review(old);
  await expect(old.getByText(t("console.merchant_changes.draft_changed"), { exact: true })).toBeVisible();
  await expect(tagline(old)).toHaveValue("Of this tab.");
  await expectAccessible(old, "a draft that another tab has saved");
  const newer = context.waitForEvent("page");
  await old.getByRole("link", { name: t("console.merchant_changes.see_draft") }).click();
  await expect((await newer).getByText("Of the other tab.").first()).toBeVisible();
  await old.getByRole("button", { name: t("console.merchant_changes.keep_mine"), exact: true }).click();
  await saveDraft(old, "Of this tab.");
  await expect(old.getByText("Of this tab.").first()).toBeVisible();

  // The page that shows the former draft proposes nothing.
  const proposed = page.waitForResponse(/\/propose$/);
  await page.getByRole("button", { name: t("console.merchant_changes.propose_now"), exact: true }).click();
  expect((await proposed).status()).toBe(409);
  await expect(page.getByText("Of this tab.").first()).toBeVisible();
  await page.getByRole("button", { name: t("console.merchant_changes.propose_now"), exact: true }).click();
  await expect(page.getByText(t("console.merchant_changes.states.proposed")).first()).toBeVisible();
});
