import type { BrowserContext } from "@playwright/test";
import { createTranslator } from "next-intl";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import en from "@/messages/console/en.json" with { type: "json" };
import ja from "@/messages/console/ja.json" with { type: "json" };
import zh from "@/messages/console/zh.json" with { type: "json" };
import { expectAccessible } from "./axe";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { signUp } from "./users";

const MESSAGES = { en, zh, ja };
const consoleTexts = (locale: Locale) =>
  createTranslator({ locale, messages: MESSAGES[locale] as typeof en });
/** The console has one address for all devices. */
const consolePath = (path: string, locale: Locale) => localizedPath(path, { locale, surface: "desktop" });

/** Signs the browser in as a staff member. */
async function signInAs(context: BrowserContext, baseURL: string, staff: StaffUser): Promise<void> {
  const [name = "", value = ""] = staff.cookie.split(/=(.*)/s, 2);
  await context.addCookies([{ name, value, url: baseURL }]);
}

test("the console exists for staff only, and asks them for the second factor", {
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

test("screens of the console are accessible and fit the window", {
  tag: "@all",
}, async ({ page, context, baseURL, locale }) => {
  const admin = await createStaff();
  await signInAs(context, baseURL!, admin);
  for (const name of ["orders", "approvals", "people", "audit", "security"] as const) {
    await page.goto(consolePath(`/console/${name}`, locale));
    await waitUntilInteractive(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(width, name).toBeLessThanOrEqual(0);
    await expectAccessible(page, name);
  }
});
