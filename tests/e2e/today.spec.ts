import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createCampaign } from "@/db/factories/coupons";
import { createStaff } from "@/db/factories/staff";
import { newId } from "@/lib/platform/crypto/ids";
import { formatPrice } from "@/lib/platform/money";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

test("Today has what waits with its decision, Insight the figures, a campaign's budget waits for a second person, and its switch previews the effects", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(409);
  const t = consoleTexts(locale);
  const title = `Journey ${newId("c")}`;
  const campaign = await createCampaign({
    monthlyBudgetCents: 10_000,
    title: { en: title, zh: title, ja: title },
  });
  await db.execute(sql`
    insert into merchant_applications (id, email, product_url, phone_num, locale)
    values (${newId("app")}, ${`${newId("v")}@example.com`}, 'https://v.example', '1', 'en')`);
  await db.execute(sql`
    insert into sales_daily (day, orders, revenue_cents, refunded_cents, delivered, delivery_seconds)
    values ((shop_now() at time zone 'UTC')::date - 1, 4, 10000, 2500, 3, 12)
    on conflict (day) do update set orders = greatest(sales_daily.orders, 1)`);
  const [asking, second] = [await createStaff({ roles: ["finance"] }), await createStaff()];

  await signInAs(context, baseURL!, asking);
  await page.goto(consolePath("/console/insight/sales", locale));
  await waitUntilInteractive(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.today.figures"));
  await expect(
    page
      .getByRole("figure")
      .filter({ hasText: t("console.today.revenue") })
      .first(),
  ).toBeVisible();
  await page.getByRole("link", { name: t("console.today.days", { count: 7 }) }).click();
  await page.waitForURL(/days=7$/);
  await page
    .getByRole("figure")
    .filter({ hasText: t("console.today.orders") })
    .getByText(t("console.today.as_table"))
    .click();
  await expect(page.getByRole("region", { name: t("console.today.orders") }).getByRole("row")).toHaveCount(8);
  await expectAccessible(page, "sales with an open table");

  await page.goto(consolePath("/console/campaigns", locale));
  await waitUntilInteractive(page);
  const row = page.getByRole("row").filter({ hasText: title });
  await row.getByRole("button", { name: t("console.campaigns.set_budget") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("console.campaigns.budget_usd")).fill("6000");
  await expectAccessible(page, "the budget's dialog");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  await expect(dialog).toContainText(t("console.effects.second_person"));
  await dialog.getByRole("button", { name: t("console.campaigns.save"), exact: true }).click();
  await expect(dialog).toBeHidden();
  await row.getByRole("button", { name: t("console.campaigns.switch_off") }).click();
  await expect(dialog).toContainText(t("console.effects.campaign_off", { campaign }));
  await dialog.getByRole("button", { name: t("console.campaigns.switch_off"), exact: true }).click();
  await expect(row).toContainText(t("console.campaigns.state.off"));
  await expect(row).toContainText("$100.00");

  await context.clearCookies();
  await signInAs(context, baseURL!, second);
  await page.goto(consolePath("/console", locale));
  await waitUntilInteractive(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.today.title"));
  const line = page.getByRole("main").getByRole("listitem").getByRole("link").filter({ hasText: campaign });
  await expect(line).toContainText(t("console.inbox.reason.second_person"));
  await line.click();
  await page.waitForURL(/item=approvals/);
  const record = page.getByRole("region", { name: t("console.inbox.kind.approvals") });
  await expect(record).toContainText(campaign);
  await expectAccessible(page, "the inbox with a record");
  await page.keyboard.press("z");
  await dialog.getByRole("button", { name: t("console.inbox.hours", { count: 4 }) }).click();
  await expect(line).toHaveCount(0);
  await page.getByRole("link", { name: t("console.inbox.view.later") }).click();
  await line.click();
  await record.getByRole("button", { name: t("console.inbox.release") }).click();
  await expect(line).toHaveCount(0);
  await page.getByRole("link", { name: t("console.inbox.view.open") }).click();
  await line.click();
  await expect(record).toContainText(campaign);
  await page.keyboard.press("a");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  const [before, after] = [formatPrice(10_000, locale), formatPrice(600_000, locale)];
  await expect(dialog).toContainText(t("console.effects.campaign_budget", { campaign, before, after }));
  await expectAccessible(page, "the approval's effects");
  await dialog.getByRole("button", { name: t("console.inbox.action.approve") }).click();
  await expect(line).toHaveCount(0);
  await page.goto(consolePath("/console/campaigns", locale));
  await expect(row).toContainText("$6,000.00");
});
