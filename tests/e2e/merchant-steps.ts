import type { Page } from "@playwright/test";
import { currentCode } from "@/db/factories/staff";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts } from "./console-steps";
import { expect, type ShopPage, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { button } from "./screens";
import { createTranslate } from "./translations";
import type { TestUser } from "./users";

export const PRODUCT: Record<Locale, { name: string; tagline: string; description: string; steps: string }> =
  {
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

type Road = {
  /** of a signed-in staff member, in the language of both */
  staff: Page;
  seller: ShopPage;
  applicant: TestUser;
  /** part of handle, product and codes, so that journeys do not meet */
  tag: string;
};

/** The names on a road: the merchant's handle, and its product's address. */
export const namesOf = (tag: string) => ({ handle: `alder-${tag}`, slug: `alder-notes-${tag}` });

/** From the application to the merchant's console, through the approval, the invitation and the second factor. */
export async function becomeMerchant({ staff: page, seller: theirs, applicant, tag }: Road): Promise<void> {
  const { page: seller, t, locale } = theirs;
  const c = consoleTexts(locale);
  const { handle } = namesOf(tag);

  // Somebody applies.
  await theirs.go("/business/register");
  const field = (name: string) => seller.getByRole("main").getByLabel(name, { exact: true });
  await field(t("merchants.form.email")).fill(applicant.email);
  await field(t("merchants.form.url")).fill(`https://www.${handle}.example/app`);
  await field(t("merchants.form.phone")).fill("+14155550123");
  await button(theirs, t("merchants.form.submit")).click();
  await expect(seller.getByText(t("merchants.form.done"), { exact: true })).toBeVisible();

  // Staff approve, and see first what that does.
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
  await theirs.go(path);
  await expectAccessible(seller, "the invitation");
  await button(theirs, t("merchants.invite.action")).click();
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
  await expect(seller.getByText(c("console.merchant_home.steps_done", { done: 1, count: 7 }))).toBeVisible();
  await expectAccessible(seller, "the merchant's home");
}

/** Who sells, before the law: without it nothing is listed. */
export async function giveTradeFile({ seller: { page: seller, locale } }: Road): Promise<void> {
  const c = consoleTexts(locale);
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
}

/** The first product is proposed, approved by staff and gets codes. Returns the codes. */
export async function listFirstProduct({ staff: page, seller: theirs, tag }: Road): Promise<string[]> {
  const { page: seller, locale } = theirs;
  const c = consoleTexts(locale);
  const { handle, slug } = namesOf(tag);
  await seller.goto(consolePath(`/merchant/${handle}`, locale));
  await waitUntilInteractive(seller);
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
  const productPath = theirs.at(`/product/${slug}`);
  expect((await page.request.get(productPath)).status()).toBe(404);
  await page.goto(consolePath(`/console/changes?merchant=${handle}`, locale));
  await waitUntilInteractive(page);
  await page.getByRole("link", { name: PRODUCT[locale].name }).first().click();
  const approveChange = page.getByRole("button", { name: c("console.changes.approve"), exact: true });
  await approveChange.first().click();
  const dialog = page.getByRole("dialog");
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
  return codes;
}
