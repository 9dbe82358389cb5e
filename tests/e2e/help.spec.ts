import { randomBytes } from "node:crypto";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mails";
import { button } from "./screens";
import { signUp } from "./users";

test("the help centre answers questions, and its form reaches support", { tag: "@all" }, async ({
  shop,
  request,
  watch,
}) => {
  const { page, t, go, at } = shop;
  watch.allow(400);
  const html = await (await page.request.get(at("/help"))).text();
  const json = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, text]) =>
    JSON.parse(text!),
  );
  const faq = json.find((data) => data["@type"] === "FAQPage");
  const question = t("notifications.help.faq.renew.question");
  expect(faq.mainEntity.map(({ name }: { name: string }) => name)).toContain(question);

  await go("/");
  await page
    .getByRole("banner")
    .getByRole("link", { name: t("ui.links.help"), exact: true })
    .click();
  await page.waitForURL(at("/help"));
  const answer = page.getByText(t("notifications.help.faq.renew.answer"));
  await expect(answer).toBeHidden();
  await page.locator("summary", { hasText: question }).click();
  await expect(answer).toBeVisible();

  const field = (name: "email" | "order" | "message") =>
    page.getByRole("main").getByLabel(t(`notifications.help.form.${name}`), { exact: true });
  const submit = button(shop, t("notifications.help.form.submit"));
  await submit.click();
  await expect(page.getByText(t("errors.email_invalid"))).toBeVisible();
  await expect(page.getByText(t("notifications.help.form.message_missing"))).toBeVisible();
  await expect(field("email")).toBeFocused();

  const email = `asks-${randomBytes(6).toString("hex")}@example.com`;
  await field("email").fill(email);
  await field("message").fill("My code is not accepted.");
  await submit.click();
  await expect(page.getByText(t("notifications.help.form.sent"), { exact: true })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  expect((await waitForMail(request, email, "contact-received")).locale).toBe(shop.locale);
});

test("the contact form starts with the email of the signed-in customer", { tag: "@all" }, async ({
  shop: { page, t, go, locale },
  context,
}) => {
  const { email } = await signUp(context.request, { locale });
  await go("/help");
  const field = page.getByRole("main").getByLabel(t("notifications.help.form.email"), { exact: true });
  await expect(field).toHaveValue(email);
});
