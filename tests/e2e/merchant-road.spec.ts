import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff, currentCode } from "@/db/factories/staff";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { clientAddress } from "../setup/client-address";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { button, checkOut, choosePlan, openCart, pay, revealCodes } from "./screens";
import { createTranslate } from "./translations";
import { newUser, signUp } from "./users";
import { watchContext } from "./watch";

const PRODUCT: Record<Locale, { name: string; tagline: string; description: string; steps: string }> = {
  en: {
    name: "Alder Notes",
    tagline: "Notes that stay where you put them.",
    description: "A notebook for teams, on every device.",
    steps: "Open the page and enter the code.",
  },
  zh: {
    name: "桤木笔记",
    tagline: "笔记放在哪里，就在哪里。",
    description: "适合团队的笔记本，支持所有设备。",
    steps: "打开页面并输入激活码。",
  },
  ja: {
    name: "ハンノキノート",
    tagline: "置いた場所にずっとあるメモ。",
    description: "チームのためのノート。すべての端末で使えます。",
    steps: "ページを開いてコードを入力します。",
  },
};
const PRICE_CENTS = 2_000;

/** What the owner says about the business. */
const TRADER = {
  legal_name: "Alder Works GmbH",
  register_name: "Handelsregister München",
  register_number: "HRB 271828",
  vat_id: "DE123456788",
  representative: "Mara Lind",
  line1: "Musterstraße 1",
  postal_code: "80331",
  city: "München",
  phone: "+49 89 999980",
  contact_name: "Mara Lind",
  contact_email: "contact@alder.example",
};

test(
  "a merchant goes from an application to a sale and its refund",
  { tag: "@all" },
  async ({ shop, context, browser, openShop, baseURL, watch: staffPages }, { project }) => {
    test.setTimeout(240_000);
    staffPages.allow(401, 403);
    const { page, t, locale } = shop;
    const c = consoleTexts(locale);
    const applicant = newUser();
    const tag = `${Date.now()}-${locale}-${shop.device}`;
    const handle = `alder-${tag}`;
    const slug = `alder-notes-${tag}`;
    const openContext = async () => {
      const opened = await browser.newContext({
        ...project.use,
        baseURL: baseURL!,
        extraHTTPHeaders: { "x-forwarded-for": clientAddress() },
      });
      const watch = await watchContext(opened, new URL(baseURL!).origin);
      watch.allow(400, 401, 403);
      return { context: opened, shop: await openShop(opened), watch };
    };

    // Somebody applies.
    const theirs = await openContext();
    const seller = theirs.shop.page;
    await theirs.shop.go("/business/register");
    const field = (name: string) => seller.getByRole("main").getByLabel(name, { exact: true });
    await field(t("merchants.form.email")).fill(applicant.email);
    await field(t("merchants.form.url")).fill(`https://www.${handle}.example/app`);
    await field(t("merchants.form.phone")).fill("+14155550123");
    await button(theirs.shop, t("merchants.form.submit")).click();
    await expect(seller.getByText(t("merchants.form.done"), { exact: true })).toBeVisible();

    // Staff approve, and see first what that does.
    await signInAs(context, baseURL!, await createStaff());
    await page.goto(consolePath("/console/applications", locale));
    await waitUntilInteractive(page);
    await page.getByRole("link", { name: applicant.email }).first().click();
    const approve = page.getByRole("button", { name: c("console.applications.approve"), exact: true });
    await approve.click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel(c("console.applications.handle"), { exact: true })).toHaveValue(handle);
    await dialog.getByRole("button", { name: c("console.effects.continue") }).click();
    await expect(dialog.getByText(c("console.mail_events.merchant-invite"))).toBeVisible();
    await dialog.getByRole("button", { name: c("console.applications.approve"), exact: true }).click();
    await expect(page.getByText(c("console.applications.approved"))).toBeVisible();

    // The owner accepts the mailed invitation with an account and a second factor.
    const mail = await waitForMail(page.request, applicant.email, "merchant-invite");
    const [path] = /\/business\/invite\/[\w-]+/.exec(mail.text)!;
    await theirs.shop.go(path);
    await expectAccessible(seller, "the invitation");
    await button(theirs.shop, t("merchants.invite.action")).click();
    const form = seller.getByRole("dialog");
    // The form is filled with the invited address, and the link verifies it.
    await expect(form.getByLabel(t("accounts.field.email"), { exact: true })).toHaveValue(applicant.email);
    await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(applicant.password);
    await form.getByRole("radio", { name: t("accounts.age.adult") }).check();
    await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
    await seller.waitForURL(/\/security\?redirect=/);
    await waitUntilInteractive(seller);
    await seller.getByRole("button", { name: c("console.enter.setup_start") }).click();
    const secret = ((await seller.locator("code").textContent()) ?? "").replace(/\s/g, "");
    await seller.getByLabel(c("console.enter.code"), { exact: true }).fill(await currentCode(secret));
    await seller.getByRole("button", { name: c("console.enter.confirm"), exact: true }).click();
    await seller.getByRole("checkbox", { name: c("console.enter.stored") }).check();
    await seller.getByRole("button", { name: c("console.enter.continue"), exact: true }).click();
    const home = consolePath(`/merchant/${handle}`, locale);
    await seller.waitForURL((url) => url.pathname === home);
    await expect(
      seller.getByText(c("console.merchant_home.steps_done", { done: 1, count: 7 })),
    ).toBeVisible();
    await expectAccessible(seller, "the merchant's home");

    // Who sells, before the law: without it nothing is listed.
    await seller.getByRole("link", { name: c("console.merchant_home.step.business") }).click();
    await seller.waitForURL(/\/business$/);
    await waitUntilInteractive(seller);
    const detail = (name: keyof typeof TRADER | "form" | "country" | "file") =>
      seller.getByLabel(c(`console.trade_file.${name}`), { exact: true });
    for (const name of Object.keys(TRADER) as (keyof typeof TRADER)[]) await detail(name).fill(TRADER[name]);
    await detail("form").selectOption("company");
    await detail("country").selectOption("DE");
    await seller.getByRole("button", { name: c("console.trade_file.save"), exact: true }).click();
    await expect(seller.getByText(c("console.trade_file.saved"), { exact: true })).toBeVisible();
    const extract = {
      name: "extract.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.4\n%%EOF\n"),
    };
    await detail("file").setInputFiles(extract);
    await seller.getByRole("button", { name: c("console.trade_file.add"), exact: true }).click();
    await expect(seller.getByRole("cell", { name: "extract.pdf", exact: true })).toBeVisible();
    for (const button of ["certify", "accept"] as const) {
      const declare = seller.getByRole("button", { name: c(`console.trade_file.${button}`), exact: true });
      await declare.click();
      await expect(declare).toBeHidden();
    }
    await expect(seller.getByText(c("console.trade_file.state_unchecked"))).toBeVisible();
    await expectAccessible(seller, "the business details");
    await seller.goto(home);
    await waitUntilInteractive(seller);

    // The first product is proposed.
    await seller.getByRole("link", { name: c("console.merchant_home.step.product") }).click();
    await seller.waitForURL(/\/products$/);
    await seller
      .getByRole("link", { name: c("console.merchant_changes.new") })
      .first()
      .click();
    await seller.waitForURL(/\/products\/new$/);
    await waitUntilInteractive(seller);
    const review = seller.getByRole("button", { name: c("console.merchant_changes.review"), exact: true });
    await review.click(); // nothing is filled in
    await expect(seller.locator("[aria-invalid=true]").first()).toBeVisible();
    for (const language of LOCALES) {
      const group = seller.getByRole("group", {
        name: c(`console.editor.language.${language}`),
        exact: true,
      });
      const { name, tagline, description, steps } = PRODUCT[language];
      await group.getByLabel(c("console.editor.field.name"), { exact: true }).fill(name);
      await group.getByLabel(c("console.editor.field.tagline"), { exact: true }).fill(tagline);
      await group.getByLabel(c("console.editor.field.description"), { exact: true }).fill(description);
      await group.getByLabel(c("console.editor.field.includes"), { exact: true }).fill(tagline);
      await seller
        .getByLabel(`${c("console.editor.field.steps")} · ${c(`console.editor.language.${language}`)}`)
        .fill(steps);
    }
    await seller.getByLabel(createTranslate(locale)("catalog.field.slug"), { exact: true }).fill(slug);
    await seller
      .getByLabel(c("console.editor.field.url"), { exact: true })
      .fill(`https://${handle}.example/redeem`);
    await seller.getByLabel(c("console.editor.field.type"), { exact: true }).selectOption("month");
    await seller.getByLabel(c("console.editor.field.price"), { exact: true }).fill("20");
    await review.click();
    const proposal = seller.getByRole("dialog");
    await expect(proposal.getByText(c("console.merchant_changes.next_waits"))).toBeVisible();
    await proposal.getByRole("button", { name: c("console.merchant_changes.propose_now") }).click();
    await seller.waitForURL(/\/changes\/chg_\w+$/);
    await expect(seller.getByText(c("console.merchant_changes.states.proposed")).first()).toBeVisible();

    // Staff approve it: only then it is in the shop.
    const productPath = shop.at(`/product/${slug}`);
    expect((await page.request.get(productPath)).status()).toBe(404);
    await page.goto(consolePath(`/console/changes?merchant=${handle}`, locale));
    await waitUntilInteractive(page);
    await page.getByRole("link", { name: PRODUCT[locale].name }).first().click();
    const approveChange = page.getByRole("button", { name: c("console.changes.approve"), exact: true });
    await approveChange.first().click();
    await page.getByRole("button", { name: c("console.effects.continue") }).click();
    await dialog.getByRole("button", { name: c("console.changes.approve"), exact: true }).click();
    await expect(page.getByText(c("console.changes.done_approve"))).toBeVisible();
    const isShown = async () => (await page.request.get(productPath)).text();
    await expect.poll(isShown).toContain(PRODUCT[locale].tagline);

    // Codes are uploaded.
    await seller.goto(consolePath(`/merchant/${handle}/keys/import`, locale));
    await waitUntilInteractive(seller);
    const codes = ["ONE", "TWO", "THREE"].map((end) => `ALDER-${tag}-${end}`.toUpperCase());
    const csv = `product,plan,key\n${codes.map((code) => `${slug},month,${code}`).join("\n")}\n`;
    const file = { name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    await seller.getByLabel(c("console.imports.file"), { exact: true }).setInputFiles(file);
    await seller.getByRole("button", { name: c("console.imports.preview_now") }).click();
    await seller
      .getByLabel(c("console.merchant_keys.statement"), { exact: true })
      .fill("From our licence server.");
    await seller.getByRole("button", { name: c("console.merchant_keys.import_now", { count: 3 }) }).click();
    await expect(seller.getByText(c("console.imports.state.done"), { exact: true }).first()).toBeVisible();

    // A shopper buys a pass.
    const shopper = await openContext();
    const buyer = await signUp(shopper.context.request, { locale });
    await shopper.shop.go(`/product/${slug}`);
    await expect(shopper.shop.page.locator(`a[href*="/seller/${handle}"]`).first()).toBeVisible();
    await choosePlan(shopper.shop, 30);
    await button(shopper.shop, t("catalog.product.add")).click();
    await openCart(shopper.shop, 1);
    const orderId = await checkOut(shopper.shop);
    await pay(shopper.shop, PRICE_CENTS, "succeeded");
    await shopper.shop.arrive(`/payment/success?order_id=${orderId}`);
    expect(codes).toContain((await revealCodes(shopper.shop, 1))[0]);

    // The sale is in the merchant's list, without the buyer.
    const usd = (cents: number) => formatPrice(cents, locale);
    const openSales = async (state: "sold" | "refunded") => {
      await seller.goto(consolePath(`/merchant/${handle}/sales?state=${state}`, locale));
      await waitUntilInteractive(seller);
      const main = seller.getByRole("main");
      await expect(main.getByRole("link", { name: PRODUCT[locale].name })).toHaveCount(1);
      return main;
    };
    const listed = await openSales("sold");
    for (const amount of [PRICE_CENTS, PRICE_CENTS * 0.15, PRICE_CENTS * 0.85])
      await expect(listed.getByText(usd(amount), { exact: true }).first()).toBeVisible();
    await expect(listed).not.toContainText(buyer.email);
    await expectAccessible(seller, "the sales");

    // The shopper asks for the money back; the merchant says that the code is unused.
    await shopper.shop.go(`/order-history?order_id=${orderId}`);
    await button(shopper.shop, t("orders.refund.ask")).click();
    await shopper.shop.page
      .getByRole("dialog")
      .getByRole("button", { name: t("orders.refund.confirm") })
      .click();
    await expect(
      shopper.shop.page.getByText(t("orders.refund.sent", { hours: VENDOR_CONFIRMATION_HOURS })),
    ).toBeVisible();
    await seller.goto(home);
    await waitUntilInteractive(seller);
    const questions = seller.getByRole("region", { name: c("console.merchant_home.answer"), exact: true });
    await expect(seller.getByRole("main")).not.toContainText(buyer.email);
    for (const code of codes) await expect(seller.getByRole("main")).not.toContainText(code);
    await expectAccessible(seller, "the home with a question");
    await questions.getByRole("button", { name: c("console.merchant_requests.answers.unused") }).click();
    const answer = seller.getByRole("dialog");
    await expect(answer).toContainText(usd(PRICE_CENTS));
    await expectAccessible(seller, "the answer");
    await answer.getByRole("button", { name: c("console.merchant_requests.confirm") }).dblclick();
    await expect(seller.getByText(c("console.merchant_requests.answered"))).toBeVisible();
    await expect(questions.getByText(c("console.merchant_home.no_requests"))).toBeVisible();
    await waitForMail(page.request, buyer.email, "refund");
    await openSales("refunded");
    await shopper.shop.go(`/order-history?order_id=${orderId}`);
    await expect(button(shopper.shop, t("orders.refund.ask"))).toHaveCount(0);
    expect([theirs.watch.problems, shopper.watch.problems]).toEqual([[], []]);
    await shopper.context.close();
    await theirs.context.close();
  },
);

test("an owner fills in the profile, invites a colleague, and creates a working token", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, watch }) => {
  watch.allow(400);
  const c = consoleTexts(locale);
  const merchant = await createMerchant();
  const owner = await createSeller(merchant);
  await signInAs(context, baseURL!, owner);
  const open = async (screen: string) => {
    await page.goto(consolePath(`/merchant/${merchant.handle}/${screen}`, locale));
    await waitUntilInteractive(page);
  };

  await open("profile");
  await page.locator('[name="texts.en"]').fill("We make tools.");
  await page.locator('[name="texts.zh"]').fill("We make tools.");
  await page.locator('[name="support_email"]').fill(owner.email);
  const save = page.getByRole("button", { name: c("console.merchant_profile.save"), exact: true });
  await save.click();
  await expect(page.locator('[name="texts.zh"]')).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page, "a profile with a refused text");
  await page.locator('[name="texts.zh"]').fill("我们做工具。");
  await save.click();
  await expect(page.getByText(c("console.merchant_profile.saved"))).toBeVisible();

  await open("team");
  const colleague = newUser().email;
  await page.getByRole("button", { name: c("console.merchant_team.invite"), exact: true }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(colleague);
  await page.getByRole("button", { name: c("console.merchant_team.send") }).click();
  await expect(page.getByText(colleague).first()).toBeVisible();

  await open("tokens");
  const create = c("console.merchant_tokens.create");
  await page.getByRole("button", { name: create, exact: true }).click();
  await page.locator('[name="name"]').fill("Robot");
  await page.getByRole("checkbox").first().check();
  await page.getByRole("dialog").getByRole("button", { name: create, exact: true }).click();
  const token = await page.getByRole("main").locator("code").first().textContent();
  await expectAccessible(page, "a new token");
  const me = await context.request.get("/api/v1/merchant/me", {
    headers: { authorization: `Bearer ${token}`, cookie: "" },
  });
  expect((await me.json()).data).toMatchObject({ handle: merchant.handle, role: null });
});
