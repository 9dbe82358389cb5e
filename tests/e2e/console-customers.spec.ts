import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createCampaign } from "@/db/factories/coupons";
import { createStaff } from "@/db/factories/staff";
import { formatPrice } from "@/lib/platform/money";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

test("a stolen account is secured after a preview of the effects, and a coupon is previewed before it is sent", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  const support = await createStaff({ roles: ["support"] });
  const name = `Zoë ${Date.now()}`;
  const customer = await createSignedInUser({ username: name });
  const campaign = await createCampaign({ amountCents: 400, minimumCents: 1_500, endsIn: "30 days" });
  await db.execute(sql`
    update campaigns set title = '{"en": "Sorry", "zh": "致歉", "ja": "お詫び"}', created_at = shop_now() + interval '1 minute'
    where id = ${campaign}`);
  await signInAs(context, baseURL!, support);
  await page.goto(consolePath("/console", locale));
  await waitUntilInteractive(page);
  await page.keyboard.press("Control+k");
  const find = page.getByRole("dialog");
  await expect(find.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(name.toLowerCase());
  await expect(find.getByRole("option").filter({ hasText: customer.email })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.endsWith(`/console/customers/${customer.id}`));

  await page.getByRole("button", { name: t("console.customer.give") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("console.customer.campaign")).selectOption(campaign);
  const minimum = t("console.coupon_terms.minimum", { amount: formatPrice(1_500, locale) });
  await expect(dialog).toContainText(minimum);
  await dialog.getByLabel(t("console.customer.reason")).fill("Waited a week");
  await expectAccessible(page, "a coupon for a customer");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  await expect(dialog.getByRole("listitem").filter({ hasText: minimum })).toBeVisible();
  await dialog.getByRole("button", { name: t("console.customer.give") }).click();
  await expect(page.getByText("Waited a week")).toBeVisible();

  await page.getByRole("button", { name: t("console.customer.require_password") }).click();
  await expect(dialog).toContainText(customer.email);
  await dialog.getByLabel(t("console.customer.reason")).fill("Somebody else bought with it");
  await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
  await expect(
    dialog.getByRole("listitem").filter({ hasText: t("console.effects.password_removed") }),
  ).toBeVisible();
  await expectAccessible(page, "the effects of requiring a password");
  await dialog.getByRole("button", { name: t("console.customer.require_password") }).click();
  await expect(page.getByText(t("console.customer.password_required"), { exact: true })).toBeVisible();
  await expect(page.getByText("Somebody else bought with it").first()).toBeVisible();
  await expect(page.locator("main").getByText(support.email).first()).toBeVisible();
  await expect(page.getByText(t("console.customer.no_sessions"))).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  await expectAccessible(page, "a customer who needs a new password");

  await page.goto(consolePath("/console/audit", locale));
  await waitUntilInteractive(page);
  const row = page
    .locator("main tbody tr")
    .filter({ hasText: t("console.audit.done.customer_new_password_required") });
  await expect(row).toContainText(t("console.audit.field.reason"));
  await expect(row).toContainText(customer.email);
  await row.locator("td").last().getByRole("button").click();
  await page.getByRole("menuitem", { name: t("console.table.details") }).click();
  const panel = page.locator("main aside");
  await expect(panel.locator("pre")).toBeHidden();
  await panel.locator("summary").click();
  await expect(panel.locator("pre")).toContainText('"reason": "Somebody else bought with it"');
  await expectAccessible(page, "the audit log");
});
