import { readFileSync } from "node:fs";
import type { Download, Page } from "@playwright/test";
import { pool } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { formatPrice } from "@/lib/platform/money";
import { clientAddress } from "../setup/client-address";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { findTextProblems } from "./texts";
import { buyPass, callApi, signUp } from "./users";
import { watchContext } from "./watch";

const IBAN = "DE89 3704 0044 0532 0130 00";
/** What is left of a sale of $20.00 after the tax of the demo's country, of a buyer who names none, and the commission. */
const SHARE_CENTS = 1_382;

const contentOf = async (download: Download) => readFileSync(await download.path(), "utf8");

test(
  "a merchant is paid by a bank file, and a refund after it takes the next statement below zero",
  { tag: ["@all", "@matrix"] },
  async ({ shop, browser, baseURL, watch: ownWatch }, { project }) => {
    test.setTimeout(480_000);
    const { locale } = shop;
    const c = consoleTexts(locale);
    const usd = (cents: number) => formatPrice(cents, locale);
    ownWatch.allow(409);
    const open = async (user: { cookie: string } | null) => {
      const context = await browser.newContext({
        ...project.use,
        baseURL: baseURL!,
        acceptDownloads: true,
        extraHTTPHeaders: { "x-forwarded-for": clientAddress() },
      });
      const watch = await watchContext(context, new URL(baseURL!).origin);
      watch.allow(409);
      watch.allow(400); // of a number that is no IBAN
      if (user) await signInAs(context, baseURL!, user);
      return { page: await context.newPage(), request: context.request, watch };
    };
    const go = async (page: Page, path: string) => {
      await page.goto(consolePath(path, locale));
      await waitUntilInteractive(page);
      expect.soft(await findTextProblems(page, locale), path).toEqual([]);
    };
    const press = (page: Page, name: string) =>
      page.getByRole("main").getByRole("button", { name, exact: true }).click();
    const inDialog = (page: Page, name: string) =>
      page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

    const merchant = await createMerchant({ trust: "trusted", name: `Alder ${Date.now()}` });
    const owner = await createSeller(merchant);
    const product = await createProduct({
      merchantId: merchant.id,
      plans: [{ type: "month", keys: 4, priceCents: 2_000 }],
    });
    const plan = { vip_id: product.plans[0]!.id, product_id: product.id };
    const buyer = await open(null);
    await signUp(buyer.request, { locale });
    const [kept, returned] = [
      await buyPass(buyer.request, plan, { immediate_delivery: false }),
      await buyPass(buyer.request, plan, { immediate_delivery: false }),
    ];

    // The sales are held, and the owner says where the money goes.
    const seller = await open(owner);
    const money = `/merchant/${merchant.handle}/money`;
    const balance = seller.page.getByRole("region", {
      name: c("console.merchant_money.balance"),
      exact: true,
    });
    const figure = (name: "available" | "held" | "in_transit" | "balance") =>
      balance
        .locator("dl div")
        .filter({ hasText: c(`console.merchant_money.${name}`) })
        .locator("dd");
    await expect
      .poll(async () => {
        await go(seller.page, money);
        return figure("balance").textContent();
      })
      .toBe(usd(2 * SHARE_CENTS));
    await expect(figure("held")).toHaveText(usd(2 * SHARE_CENTS));
    await expect(balance).toContainText(c("console.merchant_money.reason.window"));
    await press(seller.page, c("console.merchant_payouts.add_account"));
    const form = seller.page.getByRole("dialog");
    await form.getByLabel(c("console.merchant_payouts.holder"), { exact: true }).fill("Alder Works GmbH");
    const iban = form.getByLabel(c("console.merchant_payouts.iban"), { exact: true });
    await iban.fill("DE89 3704 0044 0532 0130 01");
    await inDialog(seller.page, c("console.merchant_payouts.save"));
    await expect(form.getByRole("alert")).toBeVisible(); // the checksum is wrong
    await iban.fill(IBAN);
    await expectAccessible(seller.page, "the account");
    await inDialog(seller.page, c("console.merchant_payouts.save"));
    await expect(seller.page.getByText(c("console.merchant_payouts.account_set"))).toBeVisible();
    await expect(
      seller.page.getByRole("button", { name: c("console.merchant_payouts.cancel_change"), exact: true }),
    ).toBeVisible();
    await waitForMail(buyer.request, owner.email, "payout-account");
    await expectAccessible(seller.page, "the merchant's money");

    // In the sandbox finance ends both waits: no clock moves. One journey at a time, because a run pays every merchant.
    const [asking, deciding] = [
      await createStaff({ roles: ["finance"] }),
      await createStaff({ roles: ["finance"] }),
    ];
    const finance = await open(asking);
    const lock = await pool().reserve();
    try {
      // The journeys of the other projects take their time.
      await lock`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`;
      await lock`select pg_advisory_lock(hashtext('payout road'))`;
      await go(finance.page, "/console/payouts");
      await press(finance.page, `${c("console.payouts.account_wait")}: ${merchant.name}`);
      await inDialog(finance.page, c("console.payouts.account_wait"));
      await expect(finance.page.getByRole("row").filter({ hasText: merchant.name })).not.toContainText(
        c("console.payouts.obstacles.account_waits"),
      );
      for (const _ of [kept, returned]) {
        await press(finance.page, c("console.payouts.window"));
        const sale = finance.page.getByRole("dialog").getByLabel(c("console.payouts.sale"), { exact: true });
        const mine = sale.locator("option").filter({ hasText: merchant.name });
        const left = await mine.count();
        await sale.selectOption(await mine.first().getAttribute("value"));
        await inDialog(finance.page, c("console.payouts.window_do"));
        await expect(finance.page.getByRole("dialog")).toBeHidden();
        await press(finance.page, c("console.payouts.window"));
        await expect(mine).toHaveCount(left - 1);
        await finance.page.keyboard.press("Escape");
        await expect(finance.page.getByRole("dialog")).toBeHidden();
      }
      await expectAccessible(finance.page, "the payouts");

      // A run is prepared, and a second person approves it.
      await press(finance.page, c("console.payouts.prepare"));
      await finance.page.waitForURL(/\/payouts\/run_\w+$/);
      await waitUntilInteractive(finance.page);
      const runPath = new URL(finance.page.url()).pathname.replace(/^\/(zh|ja)/, "");
      const state = (name: "run_state.draft" | "run_state.sent" | "asked") =>
        finance.page.getByText(c(`console.payouts.${name}`), { exact: true }).first();
      await expect(state("run_state.draft")).toBeVisible();
      await expect(finance.page.getByRole("link", { name: merchant.name })).toBeVisible();
      await press(finance.page, c("console.payouts.ask"));
      await inDialog(finance.page, c("console.payouts.ask"));
      await expect(state("asked")).toBeVisible();
      await expectAccessible(finance.page, "the run");
      const second = await open(deciding);
      await go(second.page, "/console/approvals");
      const request = second.page.getByRole("listitem").filter({ hasText: runPath.split("/").at(-1)! });
      await request.getByRole("button", { name: c("console.approvals.approve"), exact: true }).click();
      const approval = second.page.getByRole("dialog");
      const proceed = approval.getByRole("button", { name: c("console.effects.continue"), exact: true });
      const approve = approval.getByRole("button", { name: c("console.approvals.approve"), exact: true });
      await expect(proceed.or(approve).first()).toBeVisible();
      if (await proceed.isVisible()) await proceed.click();
      await approve.click();
      await expect(
        second.page.getByText(c("console.approvals.approved"), { exact: true }).first(),
      ).toBeVisible();
      await go(finance.page, runPath);
      await expect(state("run_state.sent")).toBeVisible();
    } finally {
      await lock`select pg_advisory_unlock(hashtext('payout road'))`;
      await lock`reset lock_timeout`;
      await lock`reset statement_timeout`;
      lock.release();
    }
    await waitForMail(buyer.request, owner.email, "payout-notice");

    // The bank file is made and downloaded, and the bank's answer is imported.
    const row = finance.page.getByRole("row").filter({ hasText: merchant.name });
    const reference = /po_\w+-\d+/.exec((await row.textContent()) ?? "")![0];
    await press(finance.page, c("console.payouts.make_file"));
    await expect(finance.page.getByText(c("console.payouts.file_made"))).toBeVisible();
    const [file] = await Promise.all([
      finance.page.waitForEvent("download"),
      finance.page.getByRole("button", { name: c("console.payouts.download") }).click(),
    ]);
    const content = await contentOf(file);
    for (const part of [
      reference,
      "Alder Works GmbH",
      IBAN.replaceAll(" ", ""),
      ((2 * SHARE_CENTS) / 100).toFixed(2),
    ])
      expect(content).toContain(part);
    await go(finance.page, "/console/payouts");
    await press(finance.page, c("console.payouts.answer"));
    await finance.page
      .getByRole("dialog")
      .getByLabel(c("console.payouts.answer_file"))
      .setInputFiles({
        name: "answer.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`reference,result,amount\n${reference},paid,34.00\npo_unknown-1,paid,1.00\n`),
      });
    const answer = finance.page.getByRole("dialog");
    await expect(answer.getByText(c("console.payouts.answer_effects.applied"))).toBeVisible();
    await expect(answer.getByText(c("console.payouts.answer_effects.unknown"))).toBeVisible();
    await expectAccessible(finance.page, "the bank's answer");
    await inDialog(finance.page, c("console.payouts.answer_apply", { count: 1 }));
    await expect(finance.page.getByText(c("console.payouts.answer_applied", { count: 1 }))).toBeVisible();
    await waitForMail(buyer.request, owner.email, "payout-notice", 2);

    // The merchant reads that it is paid, and its statement is level.
    const main = seller.page.getByRole("main");
    await go(seller.page, money);
    await expect(figure("balance")).toHaveText(usd(0));
    // The entry; the heading of the settings may have the same word.
    await expect(
      main.getByText(c("console.merchant_money.kind.payout"), { exact: true }).last(),
    ).toBeVisible();
    const makeStatement = async (number: number) => {
      await press(seller.page, c("console.merchant_statements.make"));
      await expect(seller.page.getByText(c("console.merchant_statements.made"))).toBeVisible();
      const files = [];
      for (const format of ["CSV", "PDF"]) {
        const link = main.getByRole("button", {
          name: `${format}: ${c("console.merchant_statements.statement", { number })}`,
        });
        const [download] = await Promise.all([seller.page.waitForEvent("download"), link.click()]);
        files.push(await contentOf(download));
      }
      const { items } = await callApi<{ items: { closing: number }[] }>(
        {
          get: (url: string) =>
            seller.request.get(url, { headers: { "passlane-merchant": merchant.handle } }),
        } as never,
        "/merchant/money/statements",
      );
      return { csv: files[0]!, pdf: files[1]!, closing: items[0]!.closing };
    };
    const first = await makeStatement(1);
    expect(first.closing).toBe(0);
    expect(first.csv.match(/,17,/g)).toHaveLength(2);
    expect(first.csv).toContain(",-34,");
    expect(first.pdf.startsWith("%PDF")).toBe(true);
    await expectAccessible(seller.page, "the statements");

    // A buyer returns a pass afterwards: it is taken from the next statement.
    const { order_products } = await callApi<{ order_products: { order_product_id: string }[] }>(
      buyer.request,
      `/order/detail?order_id=${returned}`,
    );
    await callApi(buyer.request, "/order/refund/request", {
      order_id: returned,
      order_product_id: order_products[0]!.order_product_id,
    });
    await expect
      .poll(async () => {
        await go(seller.page, money);
        return figure("balance").textContent();
      })
      .toBe(usd(-SHARE_CENTS));
    const next = await makeStatement(2);
    expect(next.closing).toBe(-SHARE_CENTS / 100);
    expect(next.csv).toContain(",-17,");
    await go(finance.page, "/console/ledger");
    await expect(finance.page.getByText(usd(0), { exact: true }).first()).toBeVisible();
    await expectAccessible(finance.page, "the ledger");
    for (const { watch } of [seller, finance, buyer]) expect(watch.problems).toEqual([]);
  },
);
