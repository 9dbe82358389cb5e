import type { BrowserContext } from "@playwright/test";
import { sql } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import en from "@/messages/console/en.json" with { type: "json" };
import ja from "@/messages/console/ja.json" with { type: "json" };
import zh from "@/messages/console/zh.json" with { type: "json" };
import { expectAccessible } from "./axe";
import { expect, test, waitUntilInteractive } from "./fixtures";

const MESSAGES = { en, zh, ja };
const consoleTexts = (locale: Locale) =>
  createTranslator({ locale, messages: MESSAGES[locale] as typeof en });
const consolePath = (path: string, locale: Locale) => localizedPath(path, { locale, surface: "desktop" });

async function signInAs(context: BrowserContext, baseURL: string, staff: StaffUser): Promise<void> {
  const [name = "", value = ""] = staff.cookie.split(/=(.*)/s, 2);
  await context.addCookies([{ name, value, url: baseURL }]);
}

/** A refund request of a pass that was paid and waits for its vendor. */
async function createRequest() {
  const buyer = await createUser();
  const product = await createProduct({ plans: [{ type: "month", keys: 1 }] });
  const { id, lineId } = await createOrder(buyer, product.plans[0]!.id, { status: "completed" });
  await db.execute(sql`update order_lines set state = 'assigned' where id = ${lineId}`);
  const requestId = newId("rrq");
  await db.execute(sql`
    insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
    values (${requestId}, ${lineId}, ${buyer.id}, 1000, shop_now() + interval '5 hours')`);
  const [order] = await db.execute<{ number: string }>(
    sql`select order_number as number from orders where id = ${id}`,
  );
  return { buyer, requestId, number: order!.number };
}

test("a refund is refused with a reason, after its effects were shown, in one of two windows", async ({
  page,
  context,
  browser,
  baseURL,
  locale,
}) => {
  const { buyer, requestId, number } = await createRequest();
  const t = consoleTexts(locale);
  const path = consolePath(`/console/refunds?email=${encodeURIComponent(buyer.email)}`, locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const otherContext = await browser.newContext({ baseURL: baseURL! });
  await signInAs(otherContext, baseURL!, await createStaff({ roles: ["finance"] }));
  const other = await otherContext.newPage();
  const refuse = t("console.refunds.refuse_name", { number });
  for (const window of [page, other]) {
    await window.goto(path);
    await waitUntilInteractive(window);
    await window.getByRole("button", { name: refuse }).click();
    const dialog = window.getByRole("dialog");
    await dialog.getByLabel(t("console.refunds.refuse_reason")).fill("The vendor saw it used.");
    await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
    await expect(dialog.getByRole("listitem")).toContainText([buyer.email]);
  }
  await expectAccessible(page, "the effects of a refusal");
  const [state] = await db.execute<{ state: string }>(
    sql`select state from refund_requests where id = ${requestId}`,
  );
  expect(state!.state).toBe("asked");
  const confirm = t("console.refunds.refuse");
  await page.getByRole("dialog").getByRole("button", { name: confirm, exact: true }).click();
  await expect(page.getByRole("button", { name: refuse })).toHaveCount(0);
  await other.getByRole("dialog").getByRole("button", { name: confirm, exact: true }).click();
  await expect(other.getByRole("dialog").getByRole("alert")).toBeVisible();
  await otherContext.close();
  await page.goto(`${path}&state=refused`);
  await waitUntilInteractive(page);
  await expect(
    page.getByRole("button", { name: t("console.refunds.overrule_name", { number }) }),
  ).toBeVisible();
});
