import type { Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { client, db, transaction } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { moveKeys } from "@/lib/delivery/withheld/move-keys";
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
  await expectAccessible(page, path);
}

const countKeys = async (planId: number) => {
  const rows = await db.execute<{ state: string; n: number }>(
    sql`select state, count(*)::int as n from keys where plan_id = ${planId} group by state`,
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};

test("the effects of closing the shop are shown, and nothing is closed before the press", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff());
  await open(page, "/console/settings", locale);
  await expect(page.getByText(t("console.settings.open"), { exact: true })).toBeVisible();
  await page.getByRole("button", { name: t("console.settings.close") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("console.settings.reason_label")).fill("Moving the database");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  await expect(dialog.getByRole("listitem")).toHaveText(t("console.effects.shop_closed"));
  await expectAccessible(page, "the effects of closing the shop");
  await dialog.getByRole("button", { name: t("console.effects.cancel") }).click();
  await expect(dialog).toHaveCount(0);
  // Other journeys run beside this one, so the shop itself stays open (tests/api/console-switches.test.ts closes one).
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from shop_closure`);
  expect(row!.n).toBe(0);
});

test("withheld codes are released after a preview of the effects", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  const { id: planId } = await createSinglePlan({ type: "month", keys: 3 });
  await transaction((tx) =>
    moveKeys(tx, { planId, state: "available" }, { state: "withheld", actor: "staff:test" }),
  );
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$="vip_id=${planId}"]`) });
  await signInAs(context, baseURL!, await createStaff({ roles: ["catalogue"] }));
  await open(page, "/console/keys/withheld", locale);
  await expect(row).toBeVisible();
  await expect(row.getByText(t("console.withheld.release"), { exact: true })).toHaveCount(0);

  await context.clearCookies();
  await signInAs(context, baseURL!, await createStaff());
  await open(page, "/console/keys", locale);
  await page.getByRole("link", { name: t("console.keys.view_withheld") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.withheld.title"));
  await waitUntilInteractive(page);
  await row.getByText(t("console.withheld.release"), { exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem")).toHaveText(t("console.effects.codes_restocked", { count: 3 }));
  expect(await countKeys(planId)).toEqual({ withheld: 3 });
  await dialog.getByRole("button", { name: t("console.withheld.release"), exact: true }).click();
  await expect(page.getByText(t("console.withheld.released", { count: 3 }))).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await countKeys(planId)).toEqual({ available: 3 });
});

test("failed jobs of a queue are retried from the board of stuck work", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const queue = `job-${newId("q")}`.toLowerCase(); // which no worker takes
  const [job] = await client()<{ id: string }[]>`select (graphile_worker.add_job(${queue})).id::text as id`;
  await client()`select graphile_worker.permanently_fail_jobs(array[${job!.id}::bigint], 'Error')`;
  await open(page, "/console/stuck", locale);
  await page.getByRole("button", { name: t("console.stuck.retry_queue_name", { queue }) }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem")).toHaveText(t("console.effects.jobs_retried", { count: 1 }));
  await dialog.getByRole("button", { name: t("console.stuck.run"), exact: true }).click();
  await expect(page.getByText(t("console.stuck.queue_retried", { count: 1 }))).toBeVisible();
  await expect(
    page.getByRole("button", { name: t("console.stuck.retry_queue_name", { queue }) }),
  ).toHaveCount(0);
  const [row] = await client()<{ attempts: number }[]>`
    select attempts from graphile_worker.jobs where task_identifier = ${queue}`;
  expect(row!.attempts).toBe(0);
  await client()`select graphile_worker.complete_jobs(array[${job!.id}::bigint])`;
});

test("staff request a replacement on the order page, and someone else decides", { tag: "@all" }, async ({
  page,
  context,
  baseURL,
  locale,
}) => {
  const t = consoleTexts(locale);
  const asking = await createStaff({ roles: ["support"] });
  const { keyId, planId, order, buyer } = await createDelivered();
  await signInAs(context, baseURL!, asking);
  await open(page, `/console/orders/${order.id}`, locale);
  await page.getByRole("button", { name: t("console.order_actions.replace_name", { key: keyId }) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("console.order_actions.replace_reason")).fill("A picture shows: already used.");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  await expect(dialog.getByRole("listitem")).toHaveText(t("console.effects.replacement_asked"));
  await expectAccessible(page, "the effects of a request for another code");
  await dialog.getByRole("button", { name: t("console.order_actions.replace_confirm") }).click();
  await expect(page.getByText(t("console.order_actions.replace_done"))).toBeVisible();
  await expect(page.getByText(t("console.timeline.staff.replacement_requested"))).toBeVisible();
  await expect(page.getByText(t("console.replacements.blocked.own_request"))).toBeVisible();
  const row = page.locator("main tbody tr");
  const approve = row.getByRole("button", { name: t("console.replacements.approve") });
  await expect(approve).toHaveCount(0);

  await context.clearCookies();
  await signInAs(context, baseURL!, await createStaff({ roles: ["finance"] }));
  await open(page, `/console/replacements?customer_id=${buyer.id}`, locale);
  await row.locator("td").nth(3).click();
  await expect(page.locator("main aside")).toContainText(asking.email);
  await page.keyboard.press("a");
  await dialog.getByRole("button", { name: t("console.replacements.approve"), exact: true }).click();
  await expect(page.getByText(t("console.replacements.approved"))).toBeVisible();
  expect(await countKeys(planId)).toEqual({ assigned: 1, revoked: 1 });
});

test("the unsold codes of a bad batch are withdrawn from a request about it", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff());
  const { keyId, planId, buyer } = await createDelivered();
  const merchant = await createMerchant();
  const batchId = newId("kb");
  const name = `${batchId}.csv`;
  await db.execute(sql`
    insert into key_batches (id, merchant_id, sha256, name, source, statement, state, lines, added, by, ended_at)
    values (${batchId}, ${merchant.id}, ${batchId}, ${name}, 'issued', 'Made for a test.', 'done', 2, 2, 'system', shop_now())`);
  await db.execute(sql`update keys set batch_id = ${batchId} where plan_id = ${planId}`);
  await db.execute(sql`
    insert into replacement_requests (id, key_id, user_id, reason)
    values (${newId("rpl")}, ${keyId}, ${buyer.id}, 'It is refused.')`);
  await open(page, `/console/replacements?customer_id=${buyer.id}`, locale);
  await page.locator("main tbody tr").locator("td").nth(3).click();
  await page.getByRole("button", { name: t("console.key_batches.withdraw_name", { batch: name }) }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(t("console.key_batches.effect_withdrawn", { count: 1 }));
  await dialog.getByRole("button", { name: t("console.key_batches.withdraw_now"), exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(t("console.key_batches.withdrawn_now", { count: 1 }))).toBeVisible();
  expect(await countKeys(planId)).toEqual({ assigned: 1, revoked: 1 });
  await page.locator("main aside").getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
});
