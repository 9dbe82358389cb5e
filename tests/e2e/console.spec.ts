import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCampaign } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { normalizeKey } from "@/lib/delivery/rules";
import { audit } from "@/lib/platform/audit";
import { fingerprint } from "@/lib/platform/crypto/vault";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { signUp } from "./users";

test("the console exists for staff only, and requires the second factor", {
  tag: "@once",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(404);
  for (const path of ["/console", "/console/enter", "/console/orders", "/console/nothing"]) {
    const response = await page.goto(consolePath(path, locale));
    expect(response?.status(), path).toBe(404);
  }
  await signUp(context.request, { locale });
  expect((await page.goto(consolePath("/console", locale)))?.status()).toBe(404);
  const admin = await createStaff({ entered: false });
  await signInAs(context, baseURL!, admin);
  const t = consoleTexts(locale);
  await page.goto(consolePath("/console/orders?status=paid", locale));
  await waitUntilInteractive(page);
  expect(new URL(page.url()).pathname).toBe(consolePath("/console/enter", locale));
  await page.getByLabel(t("console.enter.code"), { exact: true }).fill(await admin.code());
  await page.getByRole("button", { name: t("console.enter.submit") }).click();
  await page.waitForURL((url) => url.search === "?status=paid");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.orders.title"));
});

test("a record that does not exist has the status and title of an unknown page", {
  tag: ["@all", "@once"],
}, async ({ page, context, baseURL, locale, t, watch }) => {
  watch.allow(404);
  await signInAs(context, baseURL!, await createStaff());
  for (const path of [
    "orders/ord_none",
    "customers/usr_none",
    "products/999999999",
    "merchants/mch_none",
    "merchants/mch_none/sales",
    "keys/batches/kb_none",
    "changes/chg_none",
    "disputes/du_none",
    "imports/imp_none",
    "posts/999999999",
    "applications/mer_none",
  ]) {
    const response = await page.goto(consolePath(`/console/${path}`, locale));
    expect(response?.status(), path).toBe(404);
    await expect(page, path).toHaveTitle(new RegExp(t("ui.not_found.title")));
  }
});

test("screens of the console are accessible and fit the window", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  test.slow();
  const admin = await createStaff();
  await signInAs(context, baseURL!, admin);
  const buyer = await createUser();
  const product = await createProduct({ plans: [{ keys: 1 }] });
  const order = await createOrder(buyer, product.plans[0]!.id, { status: "completed" });
  for (const name of [
    "",
    "campaigns",
    "referrals",
    "announcements",
    "orders",
    "refunds",
    "fraud-warnings",
    "reports",
    `orders/${order.id}`,
    "customers",
    `customers/${buyer.id}`,
    "mails",
    "products",
    `products/${product.id}`,
    "products/new",
    "categories",
    "keys",
    "keys/withheld",
    "applications",
    "imports",
    "posts",
    "posts/new",
    "insight",
    "insight/searches",
    "approvals",
    "people",
    "settings",
    "audit",
    "security",
  ]) {
    await page.goto(consolePath(name ? `/console/${name}` : "/console", locale));
    await waitUntilInteractive(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(width, name).toBeLessThanOrEqual(0);
    await expectAccessible(page, name);
  }
});

test("the orders, the audit log and the campaigns fit a window of 1280 px, with long values", {
  tag: ["@all", "@once"],
}, async ({ page, context, baseURL, locale }) => {
  const admin = await createStaff();
  await signInAs(context, baseURL!, admin);
  const buyer = await createUser({ email: `a.rather.long.address.${Date.now()}@mail.find.example` });
  const product = await createProduct({ plans: [{ keys: 1 }] });
  const planId = product.plans[0]!.id;
  const order = await createOrder(buyer, planId, { status: "processing" });
  await db.execute(sql`insert into payments (id, order_id, intent_id, state, amount_cents, currency, receipt_email, method)
    values (${`pay_${order.id}`}, ${order.id}, ${`pi_${order.id}`}, 'canceled', 100, 'usd', ${buyer.email}, 'google_pay')`);
  await audit({
    actor: admin.id,
    action: "replacement.requested_again",
    subject: order.id,
    detail: { order_product_id: order.lineId, amount: 5, note: "A gesture for the long wait. ".repeat(8) },
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  const table = page.locator("main section:has(> table)");
  const hidden = () => table.evaluate((section) => section.scrollWidth - section.clientWidth);
  await page.goto(consolePath(`/console/orders?vip_id=${planId}`, locale));
  await waitUntilInteractive(page);
  await expect(page.locator("main tbody tr")).toHaveCount(1);
  expect(await hidden()).toBe(0);
  await page.goto(consolePath(`/console/audit?subject=${order.id}`, locale));
  await waitUntilInteractive(page);
  const row = page.locator("main tbody tr").first();
  await expect(row).toContainText("A gesture");
  expect((await row.boundingBox())!.height).toBeLessThan(400);
  expect(await hidden()).toBe(0);
  await createCampaign({ monthlyBudgetCents: 1_000_000, dailyBudgetCents: 100_000, minimumCents: 10_000 });
  for (const each of LOCALES) {
    await page.goto(consolePath("/console/campaigns", each));
    await waitUntilInteractive(page);
    expect(await hidden(), each).toBe(0);
  }
});

test("a code typed into find opens its order with the keyboard alone, and appears in no address", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  const support = await createStaff({ roles: ["support"] });
  await signInAs(context, baseURL!, support);
  const product = await createProduct({ plans: [{ keys: 1 }] });
  const planId = product.plans[0]!.id;
  const buyer = await createUser();
  const order = await createOrder(buyer, planId, { status: "completed" });
  const code = `Typed ${order.id.slice(-6)} x9`;
  await db.execute(sql`update keys set state = 'reserved', order_line_id = ${order.lineId}, slot = 1,
    fingerprint = ${fingerprint(normalizeKey(code))} where plan_id = ${planId}`);
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(consolePath("/console/orders", locale));
  await waitUntilInteractive(page);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  // Another search first: Enter opens a hit of the text that is shown.
  await page.keyboard.type(buyer.email);
  // The account, and the order that was delivered to its address.
  const found = page.getByRole("dialog").getByRole("option").filter({ hasText: buyer.email });
  await expect(found.first()).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(code);
  const hit = page
    .getByRole("dialog")
    .getByRole("option")
    .filter({ hasText: t("console.find.kind.key") });
  await expect(hit).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const [{ number } = { number: "" }] = await db.execute<{ number: string }>(
    sql`select lower(order_number) as number from orders where id = ${order.id}`,
  );
  await page.waitForURL((url) => url.pathname.endsWith(`/console/orders/${number}`));
  await expect(page.getByRole("heading", { level: 2, name: t("console.order.timeline") })).toBeVisible();
  await expect(page.getByText(t("console.timeline.staff.key_found"))).toBeVisible();
  await page.getByLabel(t("console.notes.label")).fill("Called back");
  await page.getByRole("button", { name: t("console.notes.add") }).click();
  await expect(page.getByText("Called back").first()).toBeVisible();
  expect(decodeURIComponent(addresses.join("\n")).toLowerCase()).not.toContain(code.toLowerCase());
});
