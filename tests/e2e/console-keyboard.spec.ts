import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
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
    for (const key of ["j", "k", "enter", "x", "slash", "help"] as const)
      await expect(dialog.getByText(t(`console.table.key.${key}`))).toBeVisible();
    await page.keyboard.press("k");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expectCurrent(4);
  });

  await test.step("/ focuses the filters, where the keys type text", async () => {
    await page.keyboard.press("/");
    const field = page.locator("main form input").first();
    await expect(field).toBeFocused();
    await field.fill("");
    await page.keyboard.type("jx");
    await expect(field).toHaveValue("jx");
    await expectCurrent(4);
    await expectSelected([]);
    await field.fill("");
    await field.blur();
  });

  await test.step("Enter opens the current row", async () => {
    await page.keyboard.press("k");
    await expectCurrent(3);
    const link = rows.nth(3).locator("a[href*='/console/orders/']").first();
    const number = (await link.getAttribute("href"))!.split("/").at(-1)!;
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith(`/console/orders/${number}`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(number);
  });
});
