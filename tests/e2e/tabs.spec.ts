import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { callApi, fillCart, signUp } from "./users";

/** Dispatches the focus event of a window to which the user returns. */
const focusWindow = () => window.dispatchEvent(new Event("focus"));

test("a page changes to the user who has logged in in another tab", { tag: "@once" }, async ({
  page,
  context,
  locale,
  go,
}) => {
  const first = await signUp(context.request, { locale });
  await go("/profile");
  await expect(page.getByRole("main")).toContainText(first.email);
  const second = await signUp(context.request, { locale });
  await page.evaluate(focusWindow);
  await expect(page.getByRole("main")).toContainText(second.email);
  await expect(page.getByRole("main")).not.toContainText(first.email);
});

test("a page of a user who logged out in another tab leads to the login and back", {
  tag: ["@all", "@once"],
}, async ({ page, context, locale, go, arrive, t, watch }) => {
  await signUp(context.request, { locale });
  await go("/profile");
  await callApi(context.request, "/auth/logout", {});
  watch.allow(401);
  await page.getByRole("button", { name: t("accounts.data.export_button") }).click();
  const address = await arrive("/login");
  expect(address.searchParams.get("redirect")).toBe("/profile");
});

test("a page whose account was deleted elsewhere clears its cookie and leads to the login", {
  tag: ["@all", "@once"],
}, async ({ page, context, locale, at, arrive, watch, playwright, baseURL }) => {
  const { email, password } = await signUp(context.request, { locale });
  const elsewhere = await playwright.request.newContext({ baseURL });
  await callApi(elsewhere, "/auth/login/email", { user_email: email, user_password: password });
  // The account is deleted between the page's first look at the session and its next call.
  await page.route("**/api/v1/auth/get-info*", async (route) => {
    await callApi(elsewhere, "/auth/delete", { confirm: email });
    await route.continue();
  });
  watch.allow(404);
  const loggedOut = page.waitForResponse("**/api/v1/auth/logout");
  await page.goto(at("/help")); // a public page: only the answer 404 leads to the login
  expect(await (await loggedOut).headerValue("set-cookie")).toMatch(/session-token=;/);
  const address = await arrive("/login");
  expect(address.searchParams.get("redirect")).toBe(at("/help"));
  const cookies = await context.cookies();
  expect(cookies.filter(({ name }) => name.includes("session-token"))).toEqual([]);
  await elsewhere.dispose();
});

test("a cart shows changes made in another window", { tag: ["@all", "@once"] }, async ({
  page,
  context,
  locale,
  go,
  t,
  watch,
}) => {
  await signUp(context.request, { locale });
  const week = await findPlan("corvane-pair", 7);
  const cartId = await fillCart(context.request, week);
  await go("/cart");
  const lines = page.getByRole("list", { name: t("cart.list") }).getByRole("listitem");
  await expect(lines).toHaveCount(1);
  await fillCart(context.request, await findPlan("quillon-draft", 1));
  await page.evaluate(focusWindow);
  await expect(lines).toHaveCount(2);
  await callApi(context.request, "/cart/delete", { cart_id: cartId });
  watch.allow(404);
  await lines
    .filter({ has: page.locator('a[href*="corvane-pair"]') })
    .getByRole("button", { name: t("cart.line.more") })
    .click();
  await expect(page.getByText(t("errors.cart_line_unknown"))).toBeVisible();
  await expect(lines).toHaveCount(1);
});
