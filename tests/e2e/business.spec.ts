import { randomBytes } from "node:crypto";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mails";
import { button } from "./screens";

test("a merchant application is validated by field, accepted once per address, and confirmed by email", {
  tag: ["@all", "@matrix"],
}, async ({ shop, request, watch }) => {
  const { page, t, go } = shop;
  watch.allow(400, 409);
  const email = `maker-${randomBytes(6).toString("hex")}@example.com`;
  await go("/business/register");
  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true });
  const submit = button(shop, t("merchants.form.submit"));
  await submit.click();
  for (const error of ["email_invalid", "product_url_invalid", "phone_invalid"] as const)
    await expect(page.getByText(t(`errors.${error}`))).toBeVisible();
  await expect(field(t("merchants.form.email"))).toBeFocused();

  await field(t("merchants.form.email")).fill(email);
  await field(t("merchants.form.url")).fill("localhost");
  await field(t("merchants.form.phone")).fill("+81 90-1234-5678");
  await submit.click();
  await expect(page.getByText(t("errors.product_url_invalid"))).toBeVisible();
  await expect(field(t("merchants.form.phone"))).toHaveValue("+81 90-1234-5678");
  await field(t("merchants.form.url")).fill("https://maker.example/app");
  await submit.dblclick();
  await expect(page.getByText(t("merchants.form.done"), { exact: true })).toBeVisible();
  const mail = await waitForMail(request, email, "application-received");
  expect(mail.locale).toBe(shop.locale);

  await go("/business/register");
  await field(t("merchants.form.email")).fill(email);
  await field(t("merchants.form.url")).fill("https://maker.example/app");
  await field(t("merchants.form.phone")).fill("+81 90-1234-5678");
  await submit.click();
  await expect(page.getByText(t("errors.application_exists"))).toBeVisible();
});
