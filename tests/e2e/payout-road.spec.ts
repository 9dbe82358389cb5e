import { pool } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { formatPrice } from "@/lib/platform/money";
import { expectAccessible } from "./axe";
import { consoleTexts, signInAs } from "./console-steps";
import { createShopPage, expect, test, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { becomeMerchant, giveTradeFile, listFirstProduct, namesOf } from "./merchant-steps";
import {
  alone,
  contentOf,
  endWaits,
  inDialog,
  makeStatement,
  moneyFigure,
  openConsole,
  openPerson,
  press,
  returnPass,
  sendRun,
} from "./payout-steps";
import { button, checkOut, choosePlan, libraryChoice, openCart, payButton } from "./screens";
import { buyPass, newUser, signUp } from "./users";

const IBAN = "DE89 3704 0044 0532 0130 00";
const PRICE_CENTS = 2_000;
/** What is left of a sale of $20.00 after the tax of the demo's country, of a buyer who names none, and the commission. */
const SHARE_CENTS = 1_382;

test(
  "a merchant is paid by a bank file, and a refund after it takes the next statement below zero",
  { tag: ["@all", "@matrix"] },
  async ({ shop, browser, baseURL, watch: ownWatch }, { project }) => {
    test.setTimeout(480_000);
    const { locale } = shop;
    const c = consoleTexts(locale);
    const usd = (cents: number) => formatPrice(cents, locale);
    ownWatch.allow(409);
    const open = (user: { cookie: string } | null) =>
      openPerson(browser, { baseURL: baseURL!, use: project.use }, user);

    const merchant = await createMerchant({ trust: "trusted", name: `Alder ${Date.now()}` });
    const owner = await createSeller(merchant);
    const product = await createProduct({
      merchantId: merchant.id,
      plans: [{ type: "month", keys: 4, priceCents: PRICE_CENTS }],
    });
    const plan = { vip_id: product.plans[0]!.id, product_id: product.id };
    const buyer = await open(null);
    await signUp(buyer.request, { locale });
    await buyPass(buyer.request, plan, { immediate_delivery: false });
    const returned = await buyPass(buyer.request, plan, { immediate_delivery: false });

    // The sales are held, and the owner says where the money goes.
    const seller = await open(owner);
    const money = `/merchant/${merchant.handle}/money`;
    const figure = (name: Parameters<typeof moneyFigure>[2]) => moneyFigure(seller.page, locale, name);
    const balance = async () => {
      await openConsole(seller.page, money, locale);
      return figure("balance").textContent();
    };
    await expect.poll(balance).toBe(usd(2 * SHARE_CENTS));
    await expect(figure("held")).toHaveText(usd(2 * SHARE_CENTS));
    await expect(seller.page.getByRole("main")).toContainText(c("console.merchant_money.reason.window"));
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

    const [asking, deciding] = [
      await createStaff({ roles: ["finance"] }),
      await createStaff({ roles: ["finance"] }),
    ];
    const finance = await open(asking);
    const second = await open(deciding);
    const paying = { finance: finance.page, locale, merchant };
    const runPath = await alone(async () => {
      await endWaits(paying, 2);
      return sendRun(paying, second.page);
    });
    await expect(
      finance.page.getByText(c("console.payouts.run_state.sent"), { exact: true }).first(),
    ).toBeVisible();
    expect(runPath).toContain("/console/payouts/run_");
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
    await openConsole(finance.page, "/console/payouts", locale);
    await press(finance.page, c("console.payouts.answer"));
    await finance.page
      .getByRole("dialog")
      .getByLabel(c("console.payouts.answer_file"))
      .setInputFiles({
        name: "answer.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(
          `reference,result,amount\n${reference},paid,${(2 * SHARE_CENTS) / 100}\npo_unknown-1,paid,1.00\n`,
        ),
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
    await expect.poll(balance).toBe(usd(0));
    // The entry; the heading of the settings may have the same word.
    await expect(
      main.getByText(c("console.merchant_money.kind.payout"), { exact: true }).last(),
    ).toBeVisible();
    const { handle } = merchant;
    const first = await makeStatement(seller, { locale, handle, number: 1 });
    expect(first.closing).toBe(0);
    expect(first.csv.match(/,13\.82,/g)).toHaveLength(2);
    expect(first.csv).toContain(",-27.64,");
    expect(first.pdf.startsWith("%PDF")).toBe(true);
    await expectAccessible(seller.page, "the statements");

    // A buyer returns a pass afterwards: it is taken from the next statement.
    await returnPass(buyer.request, returned);
    await expect.poll(balance).toBe(usd(-SHARE_CENTS));
    const next = await makeStatement(seller, { locale, handle, number: 2 });
    expect(next.closing).toBe(-SHARE_CENTS / 100);
    expect(next.csv).toContain(",-13.82,");
    await openConsole(finance.page, "/console/ledger", locale);
    await expect(finance.page.getByText(usd(0), { exact: true }).first()).toBeVisible();
    await expectAccessible(finance.page, "the ledger");
    for (const { watch } of [seller, finance, second, buyer]) expect(watch.problems).toEqual([]);
  },
);

test(
  "somebody who applies sells a first pass, is paid by the payment provider, and owes the shop after a refund",
  { tag: "@all" },
  async ({ shop, context, browser, baseURL, watch: ownWatch }, { project }) => {
    test.setTimeout(600_000);
    ownWatch.allow(401, 403, 409);
    const { page: staff, locale, device, t } = shop;
    const c = consoleTexts(locale);
    const usd = (cents: number) => formatPrice(cents, locale);
    const open = async (user: { cookie: string } | null) => {
      const person = await openPerson(browser, { baseURL: baseURL!, use: project.use }, user);
      person.watch.allow(401, 403);
      return { ...person, shop: createShopPage(person.page, { locale, device }) };
    };
    const applicant = newUser();
    const tag = `${Date.now()}-${locale}-${device}`;
    const { handle, slug } = namesOf(tag);
    const [asking, deciding] = [await createStaff(), await createStaff()];
    await signInAs(context, baseURL!, asking);

    // Application, approval, second factor, trader file.
    const seller = await open(null);
    const road = { staff, seller: seller.shop, applicant, tag };
    await becomeMerchant(road);
    await giveTradeFile(road);

    // The file waits in the inbox of staff, who check it there.
    const [merchant] = await pool()<{ id: string; name: string }[]>`
      select id, name from merchants where handle = ${handle}`;
    const key = `trade_files:${merchant!.id}`;
    await openConsole(staff, `/console?item=${encodeURIComponent(key)}`, locale);
    const kind = c("console.inbox.kind.trade_files");
    const record = staff.getByRole("region", { name: `${kind} · ${merchant!.name}` });
    await expect(record).toContainText("Alder Works GmbH");
    await expectAccessible(staff, "the inbox with a trader file");
    await record
      .getByRole("button", { name: c("console.trade_files.select_waiting", { count: 9 }), exact: true })
      .click();
    await record.getByRole("button", { name: c("console.trade_files.check"), exact: true }).click();
    const dialog = staff.getByRole("dialog");
    await dialog
      .getByLabel(c("console.trade_files.note"), { exact: true })
      .fill("Handelsregister HRB 271828, read today.");
    await dialog.getByRole("button", { name: c("console.effects.continue") }).click();
    await dialog.getByRole("button", { name: c("console.trade_files.check"), exact: true }).click();
    await expect(staff.getByText(c("console.trade_files.checked_done"))).toBeVisible();
    await expect(record).toHaveCount(0);

    // The owner gives its bank details to the provider, whose page first finds a document missing.
    const money = `/merchant/${handle}/money`;
    await openConsole(seller.page, money, locale);
    for (const [choice, state] of [
      ["document_missing", "restricted"],
      ["complete", "active"],
    ] as const) {
      await press(seller.page, c("console.merchant_payouts.connect"));
      await seller.page.waitForURL(/\/dev\/connect\//);
      await expect(seller.page.getByRole("main")).toContainText(
        c("console.sandbox_connect.lead", { name: merchant!.name }),
      );
      await expectAccessible(seller.page, "the provider's page");
      await press(seller.page, c(`console.sandbox_connect.choice.${choice}`));
      await seller.page.waitForURL((url) => url.pathname.endsWith(money));
      await waitUntilInteractive(seller.page);
      // What is missing may follow.
      const words = new RegExp(`^${c(`console.merchant_payouts.provider.${state}`)}`);
      await expect(seller.page.getByText(words)).toBeVisible();
    }
    await waitForMail(staff.request, applicant.email, "payout-account");

    // The first product, its review and its codes; staff trust the merchant, so that nothing is kept in reserve.
    await listFirstProduct(road);
    await openConsole(staff, `/console/merchants/${merchant!.id}`, locale);
    await press(staff, c("console.merchants.trust_trusted"));
    await expect(staff.getByText(c("console.merchants.trust_trusted_done"))).toBeVisible();

    // A shopper buys a pass in the browser, and a second one; both codes lie unseen.
    const shopper = await open(null);
    await signUp(shopper.request, { locale });
    await shopper.shop.go(`/product/${slug}`);
    await choosePlan(shopper.shop, 30);
    await button(shopper.shop, t("catalog.product.add")).click();
    await openCart(shopper.shop, 1);
    const orderId = await checkOut(shopper.shop);
    await libraryChoice(shopper.shop).check();
    await payButton(shopper.shop, PRICE_CENTS).click();
    await shopper.shop.arrive(`/payment/success?order_id=${orderId}`);
    const [plan] = await pool()<{ vip_id: number; product_id: number }[]>`
      select v.id as vip_id, p.id as product_id from products p join plans v on v.product_id = p.id where p.slug = ${slug}`;
    const returned = await buyPass(shopper.request, plan!, { immediate_delivery: false });
    const balance = async () => {
      await openConsole(seller.page, money, locale);
      return moneyFigure(seller.page, locale, "balance").textContent();
    };
    await expect.poll(balance).toBe(usd(2 * SHARE_CENTS));

    // The windows end, a run is sent with a second person, and the provider pays.
    const second = await open(deciding);
    const paying = { finance: staff, locale, merchant: merchant! };
    const runPath = await alone(async () => {
      await endWaits(paying, 2);
      return sendRun(paying, second.page);
    });
    const paid = staff.getByRole("row").filter({ hasText: merchant!.name });
    await expect
      .poll(async () => {
        await openConsole(staff, runPath, locale);
        return paid.textContent();
      })
      .toContain(c("console.payouts.payout_state.confirmed"));
    await expect(paid).toContainText(usd(2 * SHARE_CENTS));
    await waitForMail(staff.request, applicant.email, "payout-notice", 2);
    await expect.poll(balance).toBe(usd(0));

    const first = await makeStatement(seller, { locale, handle, number: 1 });
    expect([first.closing, first.pdf.slice(0, 4)]).toEqual([0, "%PDF"]);
    expect(first.csv).toContain(",-27.64,");

    // A refund after the payout: the next statement is below zero.
    await returnPass(shopper.request, returned);
    await expect.poll(balance).toBe(usd(-SHARE_CENTS));
    const next = await makeStatement(seller, { locale, handle, number: 2 });
    expect(next.closing).toBe(-SHARE_CENTS / 100);
    expect(next.csv).toContain(",-13.82,");
    await expectAccessible(seller.page, "the money below zero");
    for (const { watch } of [seller, second, shopper]) expect(watch.problems).toEqual([]);
  },
);
