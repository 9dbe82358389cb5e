import { readFileSync } from "node:fs";
import type { APIRequestContext, Browser, Download, Page } from "@playwright/test";
import { pool } from "@/db/client";
import type { Locale } from "@/lib/platform/i18n/locales";
import { clientAddress } from "../setup/client-address";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, waitUntilInteractive } from "./fixtures";
import { findTextProblems } from "./texts";
import { callApi } from "./users";
import { type Watch, watchContext } from "./watch";

export const contentOf = async (download: Download) => readFileSync(await download.path(), "utf8");

type Person = { page: Page; request: APIRequestContext; watch: Watch };

/** A person's browser, signed in or not. */
export async function openPerson(
  browser: Browser,
  { baseURL, use }: { baseURL: string; use: object },
  user: { cookie: string } | null,
): Promise<Person> {
  const context = await browser.newContext({
    ...use,
    baseURL,
    acceptDownloads: true,
    extraHTTPHeaders: { "x-forwarded-for": clientAddress() },
  });
  const watch = await watchContext(context, new URL(baseURL).origin);
  watch.allow(409);
  watch.allow(400); // of a number that is no IBAN
  if (user) await signInAs(context, baseURL, user);
  return { page: await context.newPage(), request: context.request, watch };
}

export const press = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true }).click();
export const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

/** Opens a page of a console, whose texts are looked at. */
export async function openConsole(page: Page, path: string, locale: Locale): Promise<void> {
  await page.goto(consolePath(path, locale));
  await waitUntilInteractive(page);
  expect.soft(await findTextProblems(page, locale), path).toEqual([]);
}

type Figure = "available" | "held" | "in_transit" | "balance";
/** A figure of the merchant's balance on its page. */
export function moneyFigure(page: Page, locale: Locale, name: Figure) {
  const c = consoleTexts(locale);
  return page
    .getByRole("region", { name: c("console.merchant_money.balance"), exact: true })
    .locator("dl div")
    .filter({ hasText: c(`console.merchant_money.${name}`) })
    .locator("dd");
}

/** One journey at a time, because a run pays every merchant. */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  const lock = await pool().reserve();
  try {
    // The journeys of the other projects take their time.
    await lock`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`;
    await lock`select pg_advisory_lock(hashtext('payout road'))`;
    return await work();
  } finally {
    await lock`select pg_advisory_unlock(hashtext('payout road'))`;
    await lock`reset lock_timeout`;
    await lock`reset statement_timeout`;
    lock.release();
  }
}

type Paying = { finance: Page; locale: Locale; merchant: { name: string } };

/** In the sandbox finance ends both waits, of the account and of so many sales: no clock moves. */
export async function endWaits({ finance, locale, merchant }: Paying, sales: number): Promise<void> {
  const c = consoleTexts(locale);
  await openConsole(finance, "/console/payouts", locale);
  await press(finance, `${c("console.payouts.account_wait")}: ${merchant.name}`);
  await inDialog(finance, c("console.payouts.account_wait"));
  await expect(finance.getByRole("row").filter({ hasText: merchant.name })).not.toContainText(
    c("console.payouts.obstacles.account_waits"),
  );
  for (let done = 0; done < sales; done++) {
    await press(finance, c("console.payouts.window"));
    const sale = finance.getByRole("dialog").getByLabel(c("console.payouts.sale"), { exact: true });
    const mine = sale.locator("option").filter({ hasText: merchant.name });
    const left = await mine.count();
    await sale.selectOption(await mine.first().getAttribute("value"));
    await inDialog(finance, c("console.payouts.window_do"));
    await expect(finance.getByRole("dialog")).toBeHidden();
    await press(finance, c("console.payouts.window"));
    await expect(mine).toHaveCount(left - 1);
    await finance.keyboard.press("Escape");
    await expect(finance.getByRole("dialog")).toBeHidden();
  }
  await expectAccessible(finance, "the payouts");
}

/** A run is prepared, and a second person approves it. Returns its path. */
export async function sendRun({ finance, locale, merchant }: Paying, second: Page): Promise<string> {
  const c = consoleTexts(locale);
  await press(finance, c("console.payouts.prepare"));
  await finance.waitForURL(/\/payouts\/run_\w+$/);
  await waitUntilInteractive(finance);
  const path = new URL(finance.url()).pathname.replace(/^\/(zh|ja)/, "");
  const state = (name: "run_state.draft" | "asked") =>
    finance.getByText(c(`console.payouts.${name}`), { exact: true }).first();
  await expect(state("run_state.draft")).toBeVisible();
  await expect(finance.getByRole("link", { name: merchant.name })).toBeVisible();
  await press(finance, c("console.payouts.ask"));
  await inDialog(finance, c("console.payouts.ask"));
  await expect(state("asked")).toBeVisible();
  await expectAccessible(finance, "the run");
  await openConsole(second, "/console/approvals", locale);
  const request = second.getByRole("listitem").filter({ hasText: path.split("/").at(-1)! });
  await request.getByRole("button", { name: c("console.approvals.approve"), exact: true }).click();
  const approval = second.getByRole("dialog");
  const proceed = approval.getByRole("button", { name: c("console.effects.continue"), exact: true });
  const approve = approval.getByRole("button", { name: c("console.approvals.approve"), exact: true });
  await expect(proceed.or(approve).first()).toBeVisible();
  if (await proceed.isVisible()) await proceed.click();
  await approve.click();
  await expect(second.getByText(c("console.approvals.approved"), { exact: true }).first()).toBeVisible();
  await openConsole(finance, path, locale);
  return path;
}

/** The owner makes a statement, of which both files are downloaded. */
export async function makeStatement(
  { page, request }: Person,
  { locale, handle, number }: { locale: Locale; handle: string; number: number },
) {
  const c = consoleTexts(locale);
  await press(page, c("console.merchant_statements.make"));
  await expect(page.getByText(c("console.merchant_statements.made"))).toBeVisible();
  const files = [];
  for (const format of ["CSV", "PDF"]) {
    const link = page.getByRole("main").getByRole("button", {
      name: `${format}: ${c("console.merchant_statements.statement", { number })}`,
    });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    files.push(await contentOf(download));
  }
  const { items } = await callApi<{ items: { closing: number }[] }>(
    { get: (url: string) => request.get(url, { headers: { "passlane-merchant": handle } }) } as never,
    "/merchant/money/statements",
  );
  return { csv: files[0]!, pdf: files[1]!, closing: items[0]!.closing };
}

/** A shopper returns a pass whose code lies unseen: the money goes back without a question. */
export async function returnPass(request: APIRequestContext, orderId: string): Promise<void> {
  const { order_products } = await callApi<{ order_products: { order_product_id: string }[] }>(
    request,
    `/order/detail?order_id=${orderId}`,
  );
  await callApi(request, "/order/refund/request", {
    order_id: orderId,
    order_product_id: order_products[0]!.order_product_id,
  });
}
