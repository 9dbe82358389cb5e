import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

test("orders are browsed, selected and opened with the keyboard", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const planId = (await createProduct({ plans: [{ keys: 0 }] })).plans[0]!.id;
  const buyer = await createUser();
  for (let n = 0; n < 5; n++) await createOrder(buyer, planId, { status: "completed" });
  await page.goto(consolePath(`/console/orders?vip_id=${planId}`, locale));
  await waitUntilInteractive(page);
  const rows = page.locator("main tbody tr");
  await expect(rows).toHaveCount(5);
  const current = page.locator("main tbody tr[data-current]");
  const expectCurrent = async (index: number) => {
    await expect(current).toHaveCount(1);
    await expect(rows.nth(index)).toHaveAttribute("data-current", "true");
  };
  const expectSelected = async (indices: number[]) => {
    for (let index = 0; index < 5; index++)
      await expect(rows.nth(index)).toHaveAttribute("aria-selected", String(indices.includes(index)));
  };
  const selected = (count: number) => page.getByText(t("console.table.selected", { count }), { exact: true });

  await test.step("j and k move, and stay within the list", async () => {
    await expect(current).toHaveCount(0);
    await page.keyboard.press("j");
    await expectCurrent(0);
    for (let n = 0; n < 6; n++) await page.keyboard.press("j");
    await expectCurrent(4);
    for (let n = 0; n < 6; n++) await page.keyboard.press("k");
    await expectCurrent(0);
    await page.keyboard.press("j");
    await expectCurrent(1);
  });

  await test.step("x selects and deselects the current row", async () => {
    await page.keyboard.press("x");
    await expectSelected([1]);
    await expect(selected(1)).toBeVisible();
    await page.keyboard.press("x");
    await expectSelected([]);
    await page.keyboard.press("x");
    await expectSelected([1]);
  });

  await test.step("Shift-click selects to that row, and keys go on from it", async () => {
    await rows
      .nth(3)
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await expectSelected([1, 2, 3]);
    await expect(selected(3)).toBeVisible();
    await expectCurrent(3);
    await page.keyboard.press("j");
    await expectCurrent(4);
    await page.keyboard.press("x");
    await expectSelected([1, 2, 3, 4]);
    await page.getByRole("button", { name: t("console.table.select_none") }).click();
    await expectSelected([]);
  });

  await test.step("? lists the keys, which do nothing while the list is covered", async () => {
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog");
    for (const key of ["j", "k", "o", "enter", "x", "slash", "go", "help"] as const)
      await expect(dialog.getByText(t(`console.table.key.${key}`))).toBeVisible();
    await page.keyboard.press("k");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expectCurrent(4);
  });

  await test.step("/ focuses the filters, where the keys type text", async () => {
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: t("console.filter.field") });
    await expect(field).toBeFocused();
    await field.fill("");
    await page.keyboard.type("jx");
    await expect(field).toHaveValue("jx");
    await expectCurrent(4);
    await expectSelected([]);
    await field.fill("");
    await field.blur();
  });

  await test.step("o opens the row's panel, which follows j and k, and Escape closes it", async () => {
    const panel = page.locator("main aside");
    await page.keyboard.press("o");
    const name = await rows.nth(4).locator("a").first().textContent();
    await expect(panel.getByRole("heading")).toHaveText(name!);
    await page.keyboard.press("k");
    await expect(panel.getByRole("heading")).not.toHaveText(name!);
    await page.keyboard.press("j");
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
  });

  await test.step("Enter opens the current row", async () => {
    await page.keyboard.press("k");
    await expectCurrent(3);
    const link = rows.nth(3).locator("a[href*='/console/orders/']").first();
    const number = (await link.getAttribute("href"))!.split("/").at(-1)!;
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith(`/console/orders/${number}`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(number.toUpperCase());
  });
});

test("the filters of the orders are typed, chosen from suggestions and taken away", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const planId = (await createProduct({ plans: [{ keys: 0 }] })).plans[0]!.id;
  const buyer = await createUser();
  await createOrder(buyer, planId, { status: "completed" });
  await createOrder(buyer, planId, { status: "cancelled" });
  await page.goto(consolePath("/console/orders", locale));
  await waitUntilInteractive(page);
  const rows = page.locator("main tbody tr");
  const field = page.getByRole("combobox", { name: t("console.filter.field") });
  const word = (text: string) => text.toLowerCase().replaceAll(" ", "-");
  const typed = `${word(t("console.filter.name.status"))}:${word(t("console.order_status.cancelled"))}`;

  await field.fill(`${typed} ${t("console.filter.days.this_month").toLowerCase()} ${buyer.email}`);
  await field.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("status") === "cancelled");
  const query = new URL(page.url()).searchParams;
  expect([query.get("email"), query.get("days")]).toEqual([buyer.email, "this_month"]);
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(query.get("time_zone")).toBe(zone);
  await expect(rows).toHaveCount(1);
  await expectAccessible(page, "a filtered list");

  await field.fill("nothing:here");
  await field.press("Enter");
  await expect(page.locator("main").getByRole("alert")).toHaveText(
    t("console.filter.unknown", { word: "nothing:here" }),
  );
  await field.fill("");
  const status = `${t("console.filter.name.status")}: ${t("console.order_status.cancelled")}`;
  await page.getByRole("button", { name: t("console.filter.remove", { name: status }) }).click();
  await expect(rows).toHaveCount(2);

  await field.fill(word(t("console.filter.name.status")).slice(0, 3));
  await field.press("ArrowDown");
  const suggestions = page.getByRole("listbox", { name: t("console.filter.suggestions"), exact: true });
  await expect(suggestions.getByRole("option", { selected: true })).toHaveCount(1);
  await expectAccessible(page, "the suggestions of the filter");
  await field.fill(`${word(t("console.filter.name.status"))}:`);
  await page.getByRole("option", { name: t("console.order_status.completed"), exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("status") === "completed");
  await expect(rows).toHaveCount(1);
  for (const name of ["days", "email"]) {
    await field.press("Backspace");
    await page.waitForURL((url) => !url.searchParams.has(name));
  }
});
