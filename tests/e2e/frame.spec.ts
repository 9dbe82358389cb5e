import { client } from "@/db/client";
import { HTML_LANG } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { expect, test } from "./fixtures";
import { signUp } from "./users";

for (const path of [
  "/no-such-page",
  "/product/no-such-product",
  "/product/detail/999999999",
  "/cart/nothing",
]) {
  test(`${path} responds 404 with the not-found page`, {
    tag: "@all",
  }, async ({ page, at, t, go, watch, locale }) => {
    watch.allow(404);
    const response = await page.request.get(at(path));
    expect(response.status()).toBe(404);
    const html = await response.text();
    if (path !== "/cart/nothing")
      expect(html).toMatch(new RegExp(`^<!DOCTYPE html><html lang="${HTML_LANG[locale]}"`));
    await go(path);
    await expect(page.getByRole("heading", { level: 1, name: t("ui.not_found.title") })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(t("ui.not_found.title")));
    await page
      .getByRole("main")
      .getByRole("link", { name: t("ui.not_found.home") })
      .click();
    await page.waitForURL(at("/"));
  });
}

test("changing the language keeps the page and is stored", { tag: ["@all", "@once"] }, async ({
  page,
  t,
  go,
  openShop,
  context,
}) => {
  await go("/product/quillon-draft?source=mail");
  await page.getByLabel(t("ui.header.language")).first().selectOption("ja");
  await page.waitForURL("/ja/product/quillon-draft?source=mail");
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  expect(await page.evaluate(() => localStorage.getItem("locale"))).toBe("ja");
  const later = await openShop(context);
  await later.page.goto("/limited-offer?campaign=x");
  await later.page.waitForURL("/ja/limited-offer?campaign=x");
  await later.page.getByLabel("言語").first().selectOption("en");
  await later.page.waitForURL("/limited-offer?campaign=x");
  await expect(later.page.locator("html")).toHaveAttribute("lang", "en");
});

test("a signed-in shopper keeps page and order when the language changes", {
  tag: ["@all", "@once"],
}, async ({ page, context, t, go, locale }) => {
  const { email } = await signUp(context.request, { locale });
  await go("/order-history?page=1");
  const list = page.getByLabel(t("ui.header.language")).first();
  await page.waitForLoadState("networkidle"); // the session has been read by then
  await list.focus();
  await list.selectOption("zh");
  await page.waitForURL("/zh/order-history?page=1");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-Hans");
  // Emails follow, because the account's language changes too.
  await expect
    .poll(async () => (await client()`select locale from users where email = ${email}`)[0]?.locale)
    .toBe("zh");
});

test.describe("in a window of 1,280 px", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("the placeholder of the header search is not cut off", { tag: ["@all", "@once"] }, async ({
    page,
    go,
  }) => {
    for (const path of ["/", "/zh", "/ja"]) {
      await go(path);
      const box = page.getByRole("banner").getByRole("search").getByRole("combobox");
      await box.fill((await box.getAttribute("placeholder")) ?? "");
      expect(await box.evaluate((field) => field.scrollWidth - field.clientWidth), path).toBe(0);
    }
  });
});

test("the header names neither account nor login until the session is known, and then keeps its place", {
  tag: ["@all", "@once"],
}, async ({ page, t, go }) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/auth\/session-summary/, async (route) => {
    await asked;
    await route.continue();
  });
  await go("/");
  const banner = page.getByRole("banner");
  const library = banner.getByRole("link", { name: t("ui.links.library") });
  const place = await library.boundingBox();
  for (const name of [t("ui.links.profile"), t("ui.links.login")])
    await expect(banner.getByText(name, { exact: true })).toBeHidden();
  answer();
  await expect(banner.getByText(t("ui.links.login"), { exact: true })).toBeVisible();
  await expect(banner.getByText(t("ui.links.profile"), { exact: true })).toBeHidden();
  expect(await library.boundingBox()).toEqual(place);
});

test("the header search runs, clears its field and ignores blanks", { tag: ["@all", "@once"] }, async ({
  page,
  t,
  go,
  arrive,
}) => {
  await go("/");
  const box = page.getByRole("banner").getByRole("combobox", { name: t("ui.header.search_label") });
  await box.fill("   ");
  await box.press("Enter");
  await expect(page).toHaveURL(/\/$/);
  await box.fill("draft");
  await box.press("Enter");
  await arrive("/search?q=draft");
  await expect(box).toHaveValue("");
  await box.fill("subtitles");
  await page
    .getByRole("banner")
    .getByRole("button", { name: t("ui.header.search_submit") })
    .click();
  await arrive("/search?q=subtitles");
});

test("a phone of 320 px shows its complete navigation bar and scrolls vertically only", {
  tag: ["@all", "@matrix"],
}, async ({ page, locale, t }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(localizedPath("/", { locale, surface: "mobile" }));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const bar = page.getByRole("navigation", { name: t("ui.header.nav") });
  const cut = await bar.getByRole("link").evaluateAll((links) =>
    links.flatMap((link) => {
      const range = document.createRange();
      range.selectNodeContents(link);
      return range.getBoundingClientRect().width > link.clientWidth ? [link.textContent] : [];
    }),
  );
  expect(cut).toEqual([]);
});
