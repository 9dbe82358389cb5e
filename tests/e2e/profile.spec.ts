import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { client } from "@/db/client";
import { findPlan } from "./database";
import { expect, type ShopPage, test } from "./fixtures";
import { countMails, verificationCode, waitForMail } from "./mails";
import { button, logIn } from "./screens";
import { newUser, placeOrder, signUp, type TestUser } from "./users";

/** A field of the page or, with `within`, of a dialog. */
const field = (within: Locator, name: string) => within.getByLabel(name, { exact: true });
const clickButton = (within: Locator, name: string) =>
  within.getByRole("button", { name, exact: true }).click();
const section = ({ page }: ShopPage, name: string) => page.getByRole("region", { name, exact: true });
const dialog = ({ page }: ShopPage, name: string) => page.getByRole("dialog", { name, exact: true });

/** Makes the session need a reauthentication. */
const expireReauthentication = (user: TestUser) => client()`
  update sessions set reauthenticated_at = shop_now() - interval '1 hour'
  where user_id = (select id from users where email = ${user.email})`;

/** Confirms the password in the dialog. */
async function reauthenticate(shop: ShopPage, password: string): Promise<void> {
  const { t } = shop;
  const reauthentication = dialog(shop, t("accounts.reauthentication.title"));
  await expect(field(reauthentication, t("accounts.field.password"))).toBeFocused();
  await field(reauthentication, t("accounts.field.password")).fill(password);
  await clickButton(reauthentication, t("accounts.reauthentication.submit"));
}

async function openProfile(shop: ShopPage, user: TestUser): Promise<void> {
  await shop.go("/profile");
  await expect(section(shop, shop.t("accounts.signin.title")).getByText(user.email)).toBeVisible();
}

test("name and phone number are edited in place", { tag: "@all" }, async ({ shop, context, watch }) => {
  watch.allow(400);
  const { page, t, locale } = shop;
  const user = await signUp(context.request, { locale, verified: true });
  await openProfile(shop, user);
  const details = section(shop, t("accounts.profile.details"));
  const name = t("accounts.field.username");
  await clickButton(details, t("accounts.profile.edit_named", { name }));
  await expect(field(details, name)).toBeFocused();
  await field(details, name).fill("<b>");
  await clickButton(details, t("accounts.profile.save"));
  await expect(details.getByText(t("errors.username_invalid"))).toBeVisible();
  await field(details, name).fill("Ren 山田");
  await clickButton(details, t("accounts.profile.save"));
  await expect(details.getByText("Ren 山田")).toBeVisible();
  await expect(page.getByText(t("accounts.profile.lead", { name: "Ren 山田" }))).toBeVisible();

  const phone = t("accounts.profile.phone");
  const edit = t("accounts.profile.edit_named", { name: phone });
  await clickButton(details, edit);
  await field(details, t("accounts.profile.phone_country")).selectOption("JP");
  await field(details, phone).fill("12");
  await clickButton(details, t("accounts.profile.save"));
  await expect(details.getByText(t("errors.phone_invalid"))).toBeVisible();
  await expect(field(details, phone)).toBeFocused();
  await field(details, phone).fill("090-1234-5678");
  await clickButton(details, t("accounts.profile.save"));
  await expect(details.getByText("+81 90 1234 5678")).toBeVisible();
  await page.reload();
  await expect(details.getByText("+81 90 1234 5678")).toBeVisible();
  await clickButton(details, edit);
  await field(details, phone).fill("");
  await clickButton(details, t("accounts.profile.save"));
  await expect(details.getByText(t("accounts.profile.phone_none"))).toBeVisible();
});

test("the email address is changed by code and reauthentication, and a used address is rejected", {
  tag: "@all",
}, async ({ shop, context, playwright, baseURL, watch }) => {
  watch.allow(400, 401, 403, 409);
  const { page, t, locale, arrive } = shop;
  const otherSession = await playwright.request.newContext({ baseURL });
  const other = await signUp(otherSession, { locale, verified: true });
  const user = await signUp(context.request, { locale, verified: true });
  await expireReauthentication(user);
  await openProfile(shop, user);
  const signIn = section(shop, t("accounts.signin.title"));
  const open = () =>
    clickButton(signIn, t("accounts.profile.change_named", { name: t("accounts.field.email") }));
  const change = dialog(shop, t("accounts.email_change.title"));
  const requestCode = async (email: string) => {
    await field(change, t("accounts.email_change.field")).fill(email);
    await clickButton(change, t("accounts.email_change.send"));
  };
  const submitCode = async (email: string, nth = 1) => {
    await expect(field(change, t("accounts.code.label"))).toBeFocused();
    await field(change, t("accounts.code.label")).fill(await verificationCode(page.request, email, nth));
    await clickButton(change, t("accounts.email_change.submit"));
  };

  await open();
  await requestCode(user.email);
  await expect(change.getByText(t("accounts.email_change.same"))).toBeVisible();
  await requestCode(other.email);
  await submitCode(other.email, 2); // the first code verified the address
  await reauthenticate(shop, "not the password");
  await expect(page.getByText(t("errors.password_wrong"))).toBeVisible();
  await reauthenticate(shop, user.password);
  await expect(change.getByText(t("errors.email_in_use"))).toBeVisible();

  const { email } = newUser();
  await requestCode(email);
  await submitCode(email);
  await expect(change).toBeHidden();
  await expect(signIn.getByText(email)).toBeVisible();
  await waitForMail(page.request, user.email, "account-notice");
  await waitForMail(page.request, email, "account-notice");

  await page.reload();
  await expect(signIn.getByText(email), "the session continues").toBeVisible();
  await button(shop, t("accounts.profile.sign_out")).click();
  await arrive("/");
  await shop.go("/login");
  await logIn(shop, { ...user, email });
  await arrive("/profile");
  await otherSession.dispose();
});

test("the password is changed by code, which ends other sessions", { tag: "@all" }, async ({
  shop,
  context,
  playwright,
  baseURL,
}) => {
  const { page, t, locale } = shop;
  const user = await signUp(context.request, { locale, verified: true });
  const otherSession = await playwright.request.newContext({ baseURL });
  await otherSession.post("/api/v1/auth/login/email", {
    data: { user_email: user.email, user_password: user.password },
  });
  await openProfile(shop, user);
  await clickButton(section(shop, t("accounts.signin.title")), t("accounts.signin.change_password"));
  const change = dialog(shop, t("accounts.signin.change_password"));
  await clickButton(change, t("accounts.reset.send"));
  await expect(field(change, t("accounts.code.label"))).toBeFocused();
  await expect.poll(() => countMails(page.request, user.email, "verification-code")).toBe(2);
  await field(change, t("accounts.code.label")).fill(await verificationCode(page.request, user.email));
  await clickButton(change, t("accounts.reset.check"));
  await field(change, t("accounts.reset.password")).fill("a-new-password");
  await field(change, t("accounts.reset.repeat")).fill("a-new-password");
  await clickButton(change, t("accounts.reset.submit"));
  await expect(page.getByText(t("accounts.reset.done"))).toBeVisible();
  await expect(change).toBeHidden();
  await shop.arrive("/profile");
  expect((await otherSession.get("/api/v1/auth/sessions")).status()).toBe(401);
  expect((await page.request.get("/api/v1/auth/sessions")).status()).toBe(200);
  await otherSession.dispose();
});

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64";
const FIREFOX = `${WINDOWS}; rv:130.0) Gecko/20100101 Firefox/130.0`;
const EDGE = `${WINDOWS}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`;

test("devices are listed with the current one marked; one, the others or all are signed out", {
  tag: "@all",
}, async ({ shop, context, playwright, baseURL }) => {
  const { page, t, locale, arrive } = shop;
  const user = await signUp(context.request, { locale });
  const others = await Promise.all(
    [FIREFOX, EDGE, "curl/8.5"].map((userAgent) => playwright.request.newContext({ baseURL, userAgent })),
  );
  for (const other of others)
    await other.post("/api/v1/auth/login/email", {
      data: { user_email: user.email, user_password: user.password },
    });
  await openProfile(shop, user);
  const devices = section(shop, t("accounts.devices.title"));
  await expect(devices.getByRole("listitem")).toHaveCount(4);
  await expect(devices.getByRole("listitem").first()).toContainText(t("accounts.devices.current"));
  const firefox = devices.getByRole("listitem").filter({ hasText: "Firefox, Windows" });
  await firefox.getByRole("button").click();
  await expect(firefox).toBeHidden();
  expect((await others[0]!.get("/api/v1/auth/sessions")).status()).toBe(401);
  expect((await others[1]!.get("/api/v1/auth/sessions")).status()).toBe(200);
  await clickButton(devices, t("accounts.devices.end_others"));
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(page.getByText(t("accounts.devices.ended_others", { count: 2 }))).toBeVisible();
  expect((await others[1]!.get("/api/v1/auth/sessions")).status()).toBe(401);
  await clickButton(devices, t("accounts.devices.end_all"));
  await arrive("/");
  await expect(page.getByText(t("accounts.devices.ended_all"))).toBeVisible();
  expect((await page.request.get("/api/v1/auth/sessions")).status()).toBe(401);
  for (const other of others) await other.dispose();
});

test("the data export downloads a file after reauthentication by code", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(400, 403);
  const { page, t, locale } = shop;
  const user = await signUp(context.request, { locale, verified: true });
  // An account of a social sign-in has no password.
  await client()`update users set password_hash = null where email = ${user.email}`;
  await expireReauthentication(user);
  await openProfile(shop, user);
  await clickButton(page.getByRole("main"), t("accounts.data.export"));
  const reauthentication = dialog(shop, t("accounts.reauthentication.title"));
  await clickButton(reauthentication, t("accounts.reauthentication.send"));
  await expect(field(reauthentication, t("accounts.code.label"))).toBeFocused();
  await expect.poll(() => countMails(page.request, user.email, "verification-code")).toBe(2);
  const code = await verificationCode(page.request, user.email);
  await field(reauthentication, t("accounts.code.label")).fill("12");
  await clickButton(reauthentication, t("accounts.reauthentication.submit"));
  await expect(reauthentication.getByText(t("accounts.missing.code", { count: 6 }))).toBeVisible();
  await field(reauthentication, t("accounts.code.label")).fill(code);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    clickButton(reauthentication, t("accounts.reauthentication.submit")),
  ]);
  expect(download.suggestedFilename()).toMatch(/^passlane-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(await readFile(await download.path(), "utf8")) as {
    account: { user_email: string };
  };
  expect(file.account.user_email).toBe(user.email);
  await expect(reauthentication).toBeHidden();
});

test("a cancelled reauthentication changes nothing", { tag: "@all" }, async ({ shop, context, watch }) => {
  watch.allow(403);
  const { page, t, locale } = shop;
  const user = await signUp(context.request, { locale });
  await expireReauthentication(user);
  await openProfile(shop, user);
  await clickButton(page.getByRole("main"), t("accounts.data.export"));
  await expect(dialog(shop, t("accounts.reauthentication.title"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(shop, t("accounts.reauthentication.title"))).toBeHidden();
  await expect(button(shop, t("accounts.data.export"))).toBeFocused();
  await expect(button(shop, t("accounts.data.export"))).not.toHaveAttribute("aria-busy");
});

test("the account is deleted after the typed address and reauthentication", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(401, 403, 409);
  const { page, t, locale, go, arrive } = shop;
  const user = await signUp(context.request, { locale, verified: true });
  await placeOrder(context.request, await findPlan("quillon-draft", 7));
  await expireReauthentication(user);
  await openProfile(shop, user);
  await clickButton(page.getByRole("main"), t("accounts.data.delete"));
  const deletionDialog = dialog(shop, t("accounts.data.delete_title"));
  const confirm = field(deletionDialog, t("accounts.data.confirm"));
  await confirm.fill("somebody@example.com");
  await clickButton(deletionDialog, t("accounts.data.delete_submit"));
  await expect(deletionDialog.getByText(t("errors.confirm_differs"))).toBeVisible();
  await expect(confirm).toBeFocused();
  await confirm.fill(user.email.toUpperCase());
  await clickButton(deletionDialog, t("accounts.data.delete_submit"));
  await reauthenticate(shop, user.password);
  await expect(deletionDialog.getByText(t("errors.account_in_use"))).toBeVisible();

  await client()`update orders set status = 'cancelled', cancelled_at = shop_now()
    where user_id = (select id from users where email = ${user.email})`;
  await clickButton(deletionDialog, t("accounts.data.delete_submit"));
  await arrive("/");
  await expect(page.getByText(t("accounts.data.deleted"))).toBeVisible();
  await waitForMail(page.request, user.email, "account-notice");
  await go("/login");
  await logIn(shop, user);
  await expect(page.getByText(t("errors.login_failed"))).toBeVisible();
});
