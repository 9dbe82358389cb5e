import { expect, type ShopPage, test } from "./fixtures";
import { button } from "./screens";
import { callApi, signUp } from "./users";

type Cards = { cards: { last4: string }[] };
type Addresses = { addresses: { full_name: string; city: string; country: string; is_default: boolean }[] };

const field = ({ page }: ShopPage, name: string) =>
  page.getByRole("dialog").getByLabel(name, { exact: true });

test("a card is stored after a decline and an authentication, listed, and removed", {
  tag: ["@all", "@matrix"],
}, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  await go("/payment-billing");
  await expect(page.getByText(t("payments.cards.empty_title"))).toBeVisible();
  await button(shop, t("payments.cards.add")).click();
  const save = button(shop, t("payments.cards.save"));
  const pick = (card: "declined" | "authentication" | "mastercard") =>
    page.getByLabel(t(`payments.cards.sandbox.${card}`), { exact: true }).check();
  await expect(page.getByRole("main").locator("input:not([type=radio])")).toHaveCount(0);

  await pick("declined");
  await save.click();
  await expect(page.getByText(t("payments.cards.declined"))).toBeVisible();
  await pick("authentication");
  await save.click();
  await button(shop, t("payments.sandbox.refuse")).click();
  await expect(page.getByText(t("payments.cards.refused"))).toBeVisible();
  expect((await callApi<Cards>(context.request, "/payment/cards")).cards).toEqual([]);
  await save.dblclick();
  await button(shop, t("payments.sandbox.approve")).click();
  const visa = t("payments.cards.ending", { brand: "Visa", last4: "3155" });
  await expect(page.getByText(visa, { exact: true })).toBeVisible();
  await button(shop, t("payments.cards.add")).click();
  await pick("mastercard");
  await save.click();
  await expect(
    page.getByText(t("payments.cards.ending", { brand: "Mastercard", last4: "4444" })),
  ).toBeVisible();

  await go("/payment-billing");
  await button(shop, t("payments.cards.remove_named", { name: visa })).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("payments.cards.remove"), exact: true })
    .click();
  await expect(page.getByText(visa, { exact: true })).toHaveCount(0);
  const { cards } = await callApi<Cards>(context.request, "/payment/cards");
  expect(cards.map(({ last4 }) => last4)).toEqual(["4444"]);
});

test("billing addresses are validated by field, added, edited, made default and deleted", {
  tag: ["@all", "@matrix"],
}, async ({ shop, context }) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale });
  await go("/payment-billing");
  const save = button(shop, t("accounts.billing.save"));
  const stored = async () =>
    (await callApi<Addresses>(context.request, "/auth/billing/list")).addresses.map(
      ({ full_name, city, country, is_default }) =>
        `${full_name}, ${city} ${country}${is_default ? " *" : ""}`,
    );
  const write = async (values: { full_name: string; line1: string; city: string; country: string }) => {
    await field(shop, t("accounts.billing.full_name")).fill(values.full_name);
    await field(shop, t("accounts.billing.country")).selectOption(values.country);
    await field(shop, t("accounts.billing.line1")).fill(values.line1);
    await field(shop, t("accounts.billing.city")).fill(values.city);
  };

  await button(shop, t("accounts.billing.add")).click();
  await save.click();
  await expect(page.getByText(t("errors.field_required"))).toHaveCount(4);
  await expect(field(shop, t("accounts.billing.full_name"))).toBeFocused();
  await write({ full_name: "Ada", line1: "1 Road", city: "London", country: "GB" });
  await expect(page.getByText(t("errors.field_required"))).toHaveCount(0);
  await save.dblclick();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await button(shop, t("accounts.billing.add")).click();
  await write({ full_name: "花子", line1: "神宮前1-2-3", city: "渋谷区", country: "JP" });
  await save.click();
  await expect(page.getByText("神宮前1-2-3", { exact: true })).toBeVisible();
  expect(await stored()).toEqual(["Ada, London GB *", "花子, 渋谷区 JP"]);

  await button(shop, t("accounts.billing.make_default_named", { name: "花子, 神宮前1-2-3" })).click();
  await button(shop, t("accounts.billing.make_default_named", { name: "Ada, 1 Road" })).waitFor();
  await button(shop, t("accounts.billing.edit_named", { name: "Ada, 1 Road" })).click();
  await expect(field(shop, t("accounts.billing.country"))).toHaveValue("GB");
  await field(shop, t("accounts.billing.city")).fill("Leeds");
  await save.click();
  await expect(page.getByText("Leeds", { exact: true })).toBeVisible();
  expect(await stored()).toEqual(["花子, 渋谷区 JP *", "Ada, Leeds GB"]);

  await button(shop, t("accounts.billing.remove_named", { name: "花子, 神宮前1-2-3" })).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("accounts.billing.remove"), exact: true })
    .click();
  await expect(page.getByText("神宮前1-2-3", { exact: true })).toHaveCount(0);
  await go("/payment-billing");
  expect(await stored()).toEqual(["Ada, Leeds GB *"]);
});
