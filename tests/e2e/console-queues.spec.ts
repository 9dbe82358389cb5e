import type { Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { setReviews } from "@/db/factories/reviews";
import { createStaff } from "@/db/factories/staff";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, createDelivered, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

async function open(page: Page, path: string, locale: Locale): Promise<void> {
  await page.goto(consolePath(path, locale));
  await waitUntilInteractive(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(width, path).toBeLessThanOrEqual(0);
}

/** A delivered order of one code, whose owner says that it does not work. */
async function createRequest() {
  const { keyId, ...delivered } = await createDelivered();
  const id = newId("rpl");
  await db.execute(sql`
    insert into replacement_requests (id, key_id, user_id, reason)
    values (${id}, ${keyId}, ${delivered.buyer.id}, 'The vendor says it is used.')`);
  return { id, ...delivered };
}

test("a code is replaced after a preview of the effects", { tag: "@all" }, async ({
  page,
  context,
  baseURL,
  locale,
}) => {
  const t = consoleTexts(locale);
  const support = await createStaff({ roles: ["support"] });
  await signInAs(context, baseURL!, support);
  const { id, planId, buyer, order } = await createRequest();
  await open(page, `/console/orders/${order.id}`, locale);
  await expect(page.getByText("The vendor says it is used.").first()).toBeVisible();
  await expectAccessible(page, "an order whose code was refused");
  await page.getByRole("button", { name: t("console.replacements.approve") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(t("console.effects.codes_revoked", { count: 1 }));
  await expect(dialog).toContainText(buyer.email);
  await dialog.getByRole("button", { name: t("console.replacements.approve") }).click();
  await expect(page.getByText(t("console.replacements.approved"))).toBeVisible();
  const [request] = await db.execute<{ state: string; by: string }>(
    sql`select state, decided_by as by from replacement_requests where id = ${id}`,
  );
  expect(request).toEqual({ state: "approved", by: support.id });
  const keys = await db.execute<{ state: string }>(
    sql`select state from keys where plan_id = ${planId} order by state`,
  );
  expect(keys.map(({ state }) => state)).toEqual(["assigned", "revoked"]);
});

test("a disputed payment shows its deadline and offers its evidence", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["finance"] }));
  const { order } = await createRequest();
  const id = newId("du").replace("_", "");
  await db.execute(sql`
    insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open, evidence_due_at)
    values (${id}, ${order.id}, 'pi_x', 1000, 'fraudulent', 'needs_response', true, shop_now() + interval '1 hour')`);
  await open(page, "/console/disputes", locale);
  await expectAccessible(page, "disputes");
  await page.getByRole("link", { name: id }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(id);
  await expect(page.getByText(t("console.disputes.reasons.fraudulent"))).toBeVisible();
  await expectAccessible(page, "dispute");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: t("console.disputes.evidence") }).click();
  expect((await download).suggestedFilename()).toMatch(/^evidence-PL-.*\.pdf$/);
  await page.getByLabel(t("console.notes.label")).fill("Sent to the bank");
  await page.getByRole("button", { name: t("console.notes.add") }).click();
  await expect(page.getByText("Sent to the bank")).toBeVisible();
});

test("stuck work shows the reason and can be retried", { tag: "@all" }, async ({
  page,
  context,
  baseURL,
  locale,
}) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const address = `${newId("to")}@example.com`;
  const mailId = newId("mail");
  await db.execute(sql`
    insert into mails (id, event, to_address, locale, refs, dedupe_key, state, attempts, last_error, failed_at)
    values (${mailId}, 'contact-received', ${address}, 'en', '{"contactId":"con_x"}', ${mailId}, 'failed', 12, 'mailbox full', shop_now())`);
  await open(page, "/console/stuck", locale);
  await expectAccessible(page, "stuck");
  const row = page.getByRole("row").filter({ hasText: address });
  await expect(row).toContainText("mailbox full");
  await row.getByRole("button", { name: t("console.mails.again") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(address);
  await dialog.getByRole("button", { name: t("console.mails.again") }).click();
  await expect(page.getByText(t("console.mails.again_done"))).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("the board of stuck work refreshes itself, which does not extend staff mode", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(403); // the board asks once more after staff mode has ended
  const t = consoleTexts(locale);
  const support = await createStaff({ roles: ["support"] });
  await signInAs(context, baseURL!, support);
  await page.clock.install();
  await open(page, "/console/stuck", locale);
  const age = async (minutes: number) => {
    const [row] = await db.execute(sql`
      update sessions set staff_seen_at = staff_seen_at - make_interval(mins => ${minutes})
      where id = ${support.viewer.sessionId} returning staff_seen_at`);
    return row;
  };
  const before = await age(5);
  const address = `${newId("to")}@example.com`;
  const mailId = newId("mail");
  await db.execute(sql`
    insert into mails (id, event, to_address, locale, refs, dedupe_key, state, attempts, last_error, failed_at)
    values (${mailId}, 'contact-received', ${address}, 'en', '{"contactId":"con_x"}', ${mailId}, 'failed', 12, 'mailbox full', shop_now())`);
  await page.clock.fastForward(31_000);
  await expect(page.getByRole("row").filter({ hasText: address })).toContainText("mailbox full");
  expect(await age(0)).toEqual(before);
  await age(31);
  await page.clock.fastForward(31_000);
  await expect(page).toHaveURL(/\/console\/enter/);
  await expect(page.getByText(t("console.stuck.lead"))).toHaveCount(0);
});

test("a review is hidden with a reason and shown again", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["catalogue"] }));
  const product = await createProduct();
  await setReviews(product.slug, [2]);
  await open(page, `/console/reviews?product_id=${product.id}`, locale);
  await expectAccessible(page, "reviews");
  await page.getByRole("button", { name: t("console.reviews.hide") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("console.reviews.reason")).fill("Off topic");
  await dialog.getByRole("button", { name: t("console.reviews.hide") }).click();
  const row = page.locator("main tbody tr");
  await expect(row).toContainText(t("console.reviews.states.hidden"));
  await row.locator("td").nth(2).click();
  const panel = page.locator("main aside");
  await expect(panel).toContainText(t("console.reviews.hidden_because", { reason: "Off topic" }));
  await expectAccessible(page, "the panel of a review");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await row.getByRole("button", { name: t("console.reviews.show") }).click();
  await expect(page.getByRole("button", { name: t("console.reviews.hide") })).toBeVisible();
});

test("an application is refused with its reason", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff());
  const email = `${newId("maker")}@example.com`;
  await db.execute(sql`
    insert into merchant_applications (id, email, product_url, phone_num, locale)
    values (${newId("mer")}, ${email}, 'https://example.com/app', '+14155550123', 'en')`);
  await open(page, `/console/applications?email=${email}`, locale);
  await page.getByRole("link", { name: email }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(email);
  await expectAccessible(page, "application");
  await page.getByRole("button", { name: t("console.applications.refuse") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("console.applications.note_reason")).fill("No games.");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  await expect(dialog).toContainText(email);
  await dialog.getByRole("button", { name: t("console.applications.refuse") }).click();
  await expect(page.getByText(t("console.applications.refused"))).toBeVisible();
  await expect(page.getByText("No games.")).toBeVisible();
});
