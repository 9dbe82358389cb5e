import type { Locator } from "@playwright/test";
import { client } from "@/db/client";
import { CODE_TRIES } from "@/lib/accounts/rules";
import { expect, type ShopPage, test } from "./fixtures";
import { countMails, verificationCode, waitForMail } from "./mails";
import { button, link, logIn } from "./screens";
import { newUser, signUp } from "./users";

const NEW_PASSWORD = "a-new-password";

const field = ({ page, t }: ShopPage, key: "email" | "password" | "repeat" | "code"): Locator => {
  const names = {
    email: t("accounts.field.email"),
    password: t("accounts.reset.password"),
    repeat: t("accounts.reset.repeat"),
    code: t("accounts.code.label"),
  };
  return page.getByRole("main").getByLabel(names[key], { exact: true });
};

async function requestCode(shop: ShopPage, email: string): Promise<void> {
  await field(shop, "email").fill(email);
  await button(shop, shop.t("accounts.reset.send")).click();
  await expect(field(shop, "code")).toBeFocused();
}

async function submitCode(shop: ShopPage, code: string): Promise<void> {
  await field(shop, "code").fill(code);
  await button(shop, shop.t("accounts.reset.check")).click();
}

async function submitPassword(shop: ShopPage, password: string, repeat = password): Promise<void> {
  await field(shop, "password").fill(password);
  await field(shop, "repeat").fill(repeat);
  await button(shop, shop.t("accounts.reset.submit")).click();
}

/** A code that differs from the mailed one. */
const toWrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("a forgotten password is reset by code, and the login returns to the requested page", {
  tag: "@all",
}, async ({ shop, context, playwright, baseURL, watch }) => {
  watch.allow(400, 401);
  const { page, t, at, go, arrive, locale } = shop;
  const otherSession = await playwright.request.newContext({ baseURL });
  const user = await signUp(otherSession, { locale });
  await go(`/login?redirect=${encodeURIComponent(at("/library"))}`);
  await link(shop, t("accounts.login.forgot")).click();
  await arrive("/set-new-password");
  await expect(page).toHaveTitle(new RegExp(t("accounts.reset.title")));
  await button(shop, t("accounts.reset.send")).click();
  await expect(page.getByText(t("errors.email_invalid"))).toBeVisible();
  await expect(field(shop, "email")).toBeFocused();

  await requestCode(shop, user.email);
  const code = await verificationCode(page.request, user.email);
  await submitCode(shop, toWrongCode(code));
  await expect(page.getByText(t("errors.code_wrong"))).toBeVisible();
  await submitCode(shop, code);

  await expect(field(shop, "password")).toBeFocused();
  await submitPassword(shop, "short");
  await expect(page.getByText(t("errors.password_short"))).toBeVisible();
  await expect(field(shop, "password")).toBeFocused();
  await submitPassword(shop, NEW_PASSWORD, `${NEW_PASSWORD}?`);
  await expect(page.getByText(t("errors.passwords_differ"))).toBeVisible();
  await submitPassword(shop, NEW_PASSWORD);
  await arrive("/library");
  await expect(page.getByText(t("accounts.reset.done"))).toBeVisible();

  expect((await otherSession.get("/api/v1/auth/sessions")).status(), "the old session has ended").toBe(401);
  expect((await waitForMail(page.request, user.email, "account-notice")).to).toBe(user.email);
  await context.clearCookies();
  await go("/login");
  await logIn(shop, user);
  await expect(page.getByText(t("errors.login_failed"))).toBeVisible();
  await logIn(shop, { ...user, password: NEW_PASSWORD });
  await arrive("/profile");
  await otherSession.dispose();
});

test("an unknown address gets the same response and no email", { tag: "@all" }, async ({ shop, watch }) => {
  watch.allow(400);
  const { page, t, go } = shop;
  const { email } = newUser();
  await go("/reset-password");
  await requestCode(shop, email);
  await expect(page.getByText(email)).toBeVisible();
  await submitCode(shop, "123456");
  await expect(page.getByText(t("errors.code_wrong"))).toBeVisible();
  expect(await countMails(page.request, email, "verification-code")).toBe(0);
  await button(shop, t("accounts.reset.other")).click();
  await expect(field(shop, "email")).toHaveValue(email);
});

test("a code allows five tries within ten minutes; a new one can be requested", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(400, 429);
  const { page, t, go, arrive, locale } = shop;
  const user = await signUp(context.request, { locale });
  await context.clearCookies();
  await go(`/reset-password?email=${encodeURIComponent(user.email)}`);
  await expect(field(shop, "email")).toHaveValue(user.email);
  await button(shop, t("accounts.reset.send")).click();
  const code = await verificationCode(page.request, user.email);
  for (let i = 0; i < CODE_TRIES; i += 1) {
    const response = page.waitForResponse(/verify-reset-code/);
    await submitCode(shop, toWrongCode(code));
    expect((await response).status()).toBe(400);
  }
  await submitCode(shop, code);
  await expect(page.getByText(t("errors.code_used_up"))).toBeVisible();

  // The first code gets older than the resend interval; then the second one expires.
  await client()`update verification_codes set created_at = created_at - interval '2 minutes'
    where email = ${user.email}`;
  await go(`/reset-password?email=${encodeURIComponent(user.email)}`);
  await button(shop, t("accounts.reset.send")).click();
  await expect(field(shop, "code")).toBeFocused();
  await expect.poll(() => countMails(page.request, user.email, "verification-code")).toBe(2);
  const second = await verificationCode(page.request, user.email);
  await submitCode(shop, second);
  await expect(field(shop, "password")).toBeFocused();
  await client()`update verification_codes set expires_at = created_at where email = ${user.email}`;
  await submitPassword(shop, NEW_PASSWORD);
  await expect(page.getByText(t("errors.code_expired"))).toBeVisible();
  await expect(field(shop, "code")).toBeFocused();
  await go("/login");
  await logIn(shop, user);
  await arrive("/profile");
});

test("an address at its hourly limit gets no new code but may still enter one", {
  tag: "@all",
}, async ({ shop, watch }) => {
  watch.allow(429);
  const { page, t, go } = shop;
  const { email } = newUser();
  await go("/set-new-password");
  await requestCode(shop, email);
  for (let i = 0; i < 4; i += 1) {
    await client()`update verification_codes set created_at = created_at - interval '2 minutes' where email = ${email}`;
    await button(shop, t("accounts.reset.other")).click();
    await requestCode(shop, email);
  }
  await client()`update verification_codes set created_at = created_at - interval '2 minutes' where email = ${email}`;
  await button(shop, t("accounts.reset.other")).click();
  await requestCode(shop, email);
  await expect(page.getByText(t("errors.too_many_codes"))).toBeVisible();
});

test("other addresses of the reset page redirect to it in each language and on each surface", {
  tag: ["@all", "@once"],
}, async ({ request }) => {
  for (const prefix of ["", "/zh", "/ja"])
    for (const [path, target] of [
      ["/forgot-password", "/set-new-password"],
      ["/mobile/forgot-password", "/mobile/set-new-password"],
      ["/mobile/reset-password", "/mobile/set-new-password"],
    ]) {
      const response = await request.get(`${prefix}${path}?email=a%40example.com`, { maxRedirects: 0 });
      expect(response.status()).toBe(308);
      expect(response.headers().location).toBe(`${prefix}${target}?email=a%40example.com`);
    }
});
