import { expect, type Locator, type Page } from "@playwright/test";
import type { SandboxOutcome } from "@/lib/payments/rules";
import { durationSpan } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { findOrderKeys, findProductName } from "./database";
import type { ShopPage } from "./fixtures";
import { readKeys, verificationCode, waitForMail } from "./mails";
import type { TestUser } from "./users";

export const button = ({ page }: ShopPage, name: string): Locator =>
  page.getByRole("main").getByRole("button", { name, exact: true });

export const link = ({ page }: ShopPage, name: string): Locator =>
  page.getByRole("main").getByRole("link", { name, exact: true });

/** Opens an account on the registration page, with the code from the mail. The page navigates afterwards. */
export async function register(shop: ShopPage, user: TestUser): Promise<void> {
  const { page, t } = shop;
  await page.getByLabel(t("accounts.field.email"), { exact: true }).fill(user.email);
  await page.getByLabel(t("accounts.field.password"), { exact: true }).fill(user.password);
  await page.getByRole("radio", { name: t("accounts.age.adult"), exact: true }).check();
  await page.getByRole("checkbox", { name: t("accounts.privacy.label") }).check();
  await button(shop, t("accounts.register.send")).click();
  const code = page.getByLabel(t("accounts.code.label"), { exact: true });
  await expect(code).toBeFocused();
  await code.fill(await verificationCode(page.request, user.email));
  await button(shop, t("accounts.register.submit")).click();
}

/** Logs in on the login page. The page navigates afterwards. */
export async function logIn(shop: ShopPage, { email, password }: TestUser): Promise<void> {
  const { page, t } = shop;
  await page.getByLabel(t("accounts.field.email"), { exact: true }).fill(email);
  await page.getByLabel(t("accounts.field.password"), { exact: true }).fill(password);
  await button(shop, t("accounts.login.submit")).click();
}

/** Logs in with the form over the page, which then continues the requested action. */
export async function logInPlace({ page, t }: ShopPage, { email, password }: TestUser): Promise<void> {
  const form = page.getByRole("dialog");
  const tab = form.getByRole("tab", { name: t("accounts.in_place.sign_in"), exact: true });
  const field = form.getByLabel(t("accounts.field.email"), { exact: true });
  await expect(field).toBeVisible();
  if (await tab.isVisible()) await tab.click();
  await field.fill(email);
  await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(password);
  await form.getByRole("button", { name: t("accounts.in_place.continue") }).click();
}

/** The ticket of a plan on the product page, by its length. */
export function planChoice({ page, locale }: ShopPage, days: number | null): Locator {
  const { value, unit } = durationSpan(days, locale);
  return page.getByRole("radio", { name: new RegExp(`^${value}\\s*${unit}`) });
}

/** Selects a plan on the product page by clicking its ticket. */
export async function choosePlan(shop: ShopPage, days: number | null): Promise<void> {
  const choice = planChoice(shop, days);
  await shop.page.locator("label").filter({ has: choice }).click();
  await expect(choice).toBeChecked();
}

/** Opens the cart from the header or the phone's navigation bar once it shows the number of lines. */
export async function openCart({ page, t, arrive }: ShopPage, lines: number): Promise<void> {
  const name = new RegExp(`^${t("ui.links.cart")}\\s*${lines}$`);
  await page.getByRole("navigation").getByRole("link", { name }).click();
  await arrive("/cart");
}

/** Opens the checkout from the cart; returns the id of the new order. */
export async function checkOut(shop: ShopPage): Promise<string> {
  await button(shop, shop.t("cart.summary.checkout")).click();
  const address = await shop.arrive("/checkout");
  return address.searchParams.get("order_id")!;
}

export const payButton = (shop: ShopPage, cents: number): Locator =>
  button(shop, shop.t("payments.pay", { amount: formatPrice(cents, shop.locale) }));

/** The checkout's choice of immediate delivery by email. */
export const emailChoice = ({ page, t }: ShopPage): Locator =>
  page.getByRole("radio", { name: t("orders.checkout.delivery.email") });

/** The choice beside it: the codes lie unopened in the Library. */
export const libraryChoice = ({ page, t }: ShopPage): Locator =>
  page.getByRole("radio", { name: t("orders.checkout.delivery.library") });

/** Pays on the checkout page with an outcome of the sandbox. */
export async function pay(shop: ShopPage, cents: number, outcome: SandboxOutcome): Promise<void> {
  await emailChoice(shop).check();
  await shop.page
    .getByRole("radio", { name: shop.t(`payments.sandbox.outcome.${outcome}`), exact: true })
    .check();
  await payButton(shop, cents).click();
}

/** Opens the "More" menu of a pass in the library. */
export async function openMore({ page, t }: ShopPage): Promise<void> {
  await page
    .locator("summary")
    .filter({ hasText: t("delivery.library.more") })
    .first()
    .click();
}

/** The stub that covers a code. */
export const stubOf = ({ page, t }: ShopPage): Locator =>
  page
    .locator("form")
    .filter({ hasText: t("delivery.code.here") })
    .first();

/** Reveals every key of the page and returns them in page order. */
export async function revealCodes(shop: ShopPage, count: number): Promise<string[]> {
  const { page, t } = shop;
  const label = `${t("delivery.code.label")} `;
  const boxes = page.getByRole("main").locator("p").filter({ hasText: label });
  const revealButtons = button(shop, t("delivery.code.reveal"));
  await expect(boxes).toHaveCount(count);
  for (let remaining = await revealButtons.count(); remaining > 0; remaining--) {
    await revealButtons.first().click();
    await expect(revealButtons).toHaveCount(remaining - 1);
  }
  return (await boxes.allTextContents()).map((text) => text.slice(label.length));
}

/**
 * Expects the same keys, to the character, in the email to `to`, on the order page, in the library and in the database.
 */
export async function expectSameCodes(
  shop: ShopPage,
  { orderId, to, count = 1 }: { orderId: string; to: string; count?: number },
): Promise<void> {
  const mailed = readKeys(await waitForMail(shop.page.request, to, "keys"));
  const table = await findOrderKeys(orderId);
  expect(table).toHaveLength(count);
  expect(mailed).toEqual(table);
  await shop.go(`/order-history?order_id=${orderId}`);
  expect(await revealCodes(shop, count)).toEqual(table);
  await shop.go("/library");
  expect((await revealCodes(shop, count)).sort()).toEqual([...table].sort());
}

/** Opens a product from its ticket on the home page. */
export async function openFromHome(shop: ShopPage, slug: string): Promise<void> {
  await shop.go("/");
  await link(shop, await findProductName(slug, shop.locale))
    .first()
    .click();
  await shop.arrive(`/product/${slug}`);
}

/** Counts what a reader presses and types. */
export function createCounter() {
  const counted = { presses: 0, fields: 0 };
  return {
    counted,
    async press(target: Locator) {
      counted.presses += 1;
      await target.click();
    },
    async type(target: Locator, text: string) {
      counted.fields += 1;
      await target.pressSequentially(text);
    },
  };
}

const MAX_TABS = 60;

/** Presses Tab until `target` has the focus, expects that nothing covers it, and returns the number of presses. */
export async function tabTo(page: Page, target: Locator): Promise<number> {
  const isFocused = () => target.evaluate((node) => node === document.activeElement);
  let pressed = 0;
  for (; !(await isFocused()); pressed += 1) {
    expect(pressed, `${target} is within reach of the Tab key`).toBeLessThan(MAX_TABS);
    await page.keyboard.press("Tab");
  }
  const isVisible = await target.evaluate((node) => {
    const control = node.closest("label") ?? node;
    const { left, top, width, height } = control.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return above !== null && (control.contains(above) || above.contains(control));
  });
  expect(isVisible, `${target} is visible while it has the focus`).toBe(true);
  return pressed;
}
