import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createStaff } from "@/db/factories/staff";
import { newId } from "@/lib/platform/crypto/ids";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

const expectNoOverflow = async (page: Page, label: string) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    label,
  ).toBeLessThanOrEqual(0);

test("insight leads from all sources to one, from there to searches without results, and to their exports", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  const source = `journey-${newId("s")}`;
  const word = `missing ${newId("w")}`;
  await db.execute(sql`
    insert into source_figures_daily (day, kind, source, visits, product_views, carts, orders, paid)
    select (shop_now() at time zone 'UTC')::date - 1, kind, source, 2000000, 40, 20, 10, 8
    from (values ('all', ''), ('named', ${source})) v(kind, source) on conflict (day, kind, source) do nothing`);
  await db.execute(sql`
    insert into source_figures (days, kind, source, visits, product_views, carts, orders, paid)
    select d, kind, source, 2000000, 40, 20, 10, 8 from unnest(array[7, 30, 90]) d, (values ('all', ''), ('named', ${source})) v(kind, source)
    on conflict (days, kind, source) do nothing`);
  await db.execute(sql`
    insert into empty_searches (content, locale, searches, last_at) values (${word}, 'ja', 999999, shop_now() - interval '2 days')`);
  await signInAs(context, baseURL!, await createStaff({ roles: ["catalogue"] }));

  await page.goto(consolePath("/console/insight", locale));
  await waitUntilInteractive(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.insight.title"));
  await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText(
    t("console.insight.all"),
  );
  await expectNoOverflow(page, "insight");
  await expectAccessible(page, "insight");
  await page.getByRole("link", { name: t("console.insight.days", { count: 7 }), exact: true }).click();
  await page.waitForURL(/days=7$/);
  await page.getByRole("link", { name: source }).click();
  await page.waitForURL(/came_from=/);
  await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText(source);
  const paid = page.getByRole("figure").filter({ hasText: t("console.insight.paid") });
  await paid.getByText(t("console.insight.as_table")).click();
  const table = page.getByRole("region", { name: t("console.insight.paid") });
  await expect(table.getByRole("row")).toHaveCount(8);
  await expect(table).toContainText("8");
  await expectNoOverflow(page, "insight of a source");
  await expectAccessible(page, "insight of a source");
  const sources = page.waitForEvent("download");
  await page.getByRole("button", { name: t("console.views.export") }).click();
  const file = await sources;
  expect(file.suggestedFilename()).toBe("sources.csv");
  expect(await readFile(await file.path(), "utf8")).toContain(`named,${source},2000000,40,20,10,8`);

  await page.getByRole("link", { name: t("console.insight.empty_searches") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("console.insight.searches_title"));
  await waitUntilInteractive(page);
  await page.getByRole("link", { name: "日本語", exact: true }).click();
  await page.waitForURL(/locale=ja$/);
  await expect(page.getByRole("row").filter({ hasText: word })).toContainText("日本語");
  await expectNoOverflow(page, "searches without results");
  await expectAccessible(page, "searches without results");
  const searches = page.waitForEvent("download");
  await page.getByRole("button", { name: t("console.views.export") }).click();
  expect(await readFile(await (await searches).path(), "utf8")).toContain(`${word},999999,`);
});

test("the states of disputes and replacements are saved as views and exported", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["finance"] }));
  for (const [list, state] of [
    ["disputes", "closed"],
    ["replacements", "refused"],
  ] as const) {
    await page.goto(consolePath(`/console/${list}?state=${state}`, locale));
    await waitUntilInteractive(page);
    await page.getByRole("button", { name: t("console.views.save"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("console.views.name")).fill(`Kept ${list}`);
    await dialog.getByRole("button", { name: t("console.views.save_now"), exact: true }).click();
    await expect(dialog).toBeHidden();
    const view = page.getByRole("link", { name: `Kept ${list}` });
    await expect(view).toHaveAttribute("aria-current", "page");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: t("console.views.export") }).click();
    expect((await download).suggestedFilename()).toBe(`${list}.csv`);
    await expectNoOverflow(page, list);
    await expectAccessible(page, list);
    await page.goto(consolePath(`/console/${list}`, locale));
    await view.click();
    await page.waitForURL(new RegExp(`state=${state}`));
  }
});
