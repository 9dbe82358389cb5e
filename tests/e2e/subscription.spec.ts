import { randomBytes } from "node:crypto";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mails";
import { button } from "./screens";
import { signUp } from "./users";

const newEmail = () => `reader-${randomBytes(6).toString("hex")}@example.com`;
const findLink = (text: string, path: string) => {
  const found = new RegExp(`https?://[^\\s"]*${path}\\?token=[^\\s"&)]+`).exec(text)?.[0] ?? "";
  return new URL(found);
};

test("discount alerts are requested, confirmed by email and ended by a link", {
  tag: ["@all", "@matrix"],
}, async ({ shop, request }) => {
  const { page, t, go, at } = shop;
  const email = newEmail();
  await go("/");
  const field = page.getByRole("main").getByPlaceholder(t("notifications.subscribe.email"));
  await field.fill("nobody");
  await button(shop, t("notifications.subscribe.submit")).click();
  await expect(page.getByText(t("errors.email_invalid"))).toBeVisible();
  await expect(field).toHaveValue("nobody");
  await expect(field).toBeFocused();
  await field.fill(email);
  await button(shop, t("notifications.subscribe.submit")).dblclick();
  await expect(page.getByText(t("notifications.subscribe.sent"))).toBeVisible();

  const mail = await waitForMail(request, email, "subscription-confirm");
  expect(mail.locale).toBe(shop.locale);
  const { search } = findLink(mail.text, "/subscription/confirm");
  await page.goto(at("/subscription/confirm") + search);
  await button(shop, t("notifications.confirm.submit")).click();
  await expect(page.getByText(t("notifications.confirm.done"))).toBeVisible();

  await go("/unsubscribe");
  await page.getByLabel(t("notifications.unsubscribe.email"), { exact: true }).fill(email);
  await button(shop, t("notifications.unsubscribe.send")).click();
  await expect(page.getByText(t("notifications.unsubscribe.sent"))).toBeVisible();
  const leaving = await waitForMail(request, email, "unsubscribe-link");
  await page.goto(at("/unsubscribe") + findLink(leaving.text, "/unsubscribe").search);
  await expect(page.getByText(t("notifications.unsubscribe.lead.all"))).toBeVisible();
  await expect(button(shop, t("notifications.unsubscribe.all"))).toHaveCount(0);
  await button(shop, t("notifications.unsubscribe.submit")).click();
  await expect(page.getByText(t("notifications.unsubscribe.done.all"))).toBeVisible();
});

test("an invalid unsubscribe link shows an error and changes nothing", { tag: ["@all", "@once"] }, async ({
  shop,
  watch,
}) => {
  const { page, t, go } = shop;
  watch.allow(404);
  await go("/subscription/confirm?token=x.y");
  await button(shop, t("notifications.confirm.submit")).click();
  await expect(page.getByText(t("errors.link_invalid"))).toBeVisible();
  await go("/subscription/confirm");
  await expect(page.getByText(t("errors.link_invalid"))).toBeVisible();
  await go("/unsubscribe?token=x.y");
  await expect(page.getByText(t("errors.link_invalid"))).toBeVisible();
  await expect(button(shop, t("notifications.unsubscribe.send"))).toBeVisible();
});

test("email preferences are switches and need a verified address", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, locale, go } = shop;
  await signUp(context.request, { locale, verified: true });
  await go("/profile");
  const discounts = page.getByRole("switch", { name: t("accounts.mail.discounts") });
  const waitList = page.getByRole("switch", { name: t("accounts.mail.wait_list") });
  await expect(discounts).not.toBeChecked();
  const responses: boolean[][] = [];
  page.on("response", async (response) => {
    if (response.request().method() !== "POST" || !response.url().endsWith("/auth/notifications")) return;
    const { data } = await response.json();
    responses.push([data.discounts, data.wait_list]);
  });
  // Clicks in quick succession: none is lost, and the last click on each switch counts.
  await discounts.click();
  await waitList.click();
  await discounts.click();
  await discounts.click();
  await expect(waitList).not.toBeChecked();
  await expect
    .poll(() => responses)
    .toEqual([
      [true, true],
      [true, false],
      [false, false],
      [true, false],
    ]);
  await expect(page.getByText(t("accounts.mail.saved")).first()).toBeVisible();
  await page.reload();
  await expect(discounts).toBeChecked();
  await expect(waitList).not.toBeChecked();

  await context.clearCookies();
  await signUp(context.request, { locale });
  await go("/profile");
  await expect(discounts).toBeDisabled();
  await expect(page.getByText(t("accounts.mail.unverified"))).toBeVisible();
});
