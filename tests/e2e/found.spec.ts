import type { Locator } from "@playwright/test";
import { TASKS } from "@/lib/catalog/rules-tasks";
import { formatPrice } from "@/lib/platform/money";
import { findViolations } from "./axe";
import { findPlan, findProductName } from "./database";
import { createShopPage, expect, test, waitUntilInteractive } from "./fixtures";
import { callApi, signUp } from "./users";

/** Category, vendor and seller pages show the emblems of their products. */
async function expectArtwork(main: Locator): Promise<void> {
  const picture = main.locator(".collection-art img").first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
}

test("passes chosen in a list and on a product page are compared, and the address holds the choice", {
  tag: ["@all", "@matrix"],
}, async ({ shop }) => {
  const { page, t, go, arrive, locale } = shop;
  await go("/category/writing");
  await expectArtwork(page.getByRole("main"));
  const ticket = page
    .getByRole("listitem")
    .filter({ hasText: await findProductName("quillon-draft", locale) });
  const { price_cents } = await findPlan("quillon-draft", 1); // the cheapest
  await expect(ticket.first()).toContainText(t("catalog.from", { price: formatPrice(price_cents, locale) }));
  const boxes = page.getByRole("checkbox", { name: t("catalog.compare.toggle") });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await go("/product/murrelet-voice");
  await boxes.first().check();
  await page.getByRole("link", { name: t("catalog.compare.open", { count: 3 }) }).click();
  const { search } = await arrive("/compare");
  expect(search).toMatch(/^\?plans=\d+(?:,|%2C)\d+(?:,|%2C)\d+/);
  const heads = page.getByRole("columnheader");
  await expect(heads).toHaveCount(3);
  const cells = (name: "per_day" | "refund" | "region" | "activate") =>
    page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: t(`catalog.product.${name}`), exact: true }) })
      .getByRole("cell");
  await expect(cells("per_day")).toHaveText([/\d/, /\d/, /\d/]);
  await expect(cells("refund")).toHaveText([/\S/, /\S/, /\S/]);
  await expect(cells("region").last()).toHaveText(t("catalog.product.region_worldwide"));
  const [, , steps] = await cells("activate").all();
  await expect(steps!.getByRole("listitem").first()).toHaveText(/\S/);
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex, follow");
  expect(await findViolations(page, "main")).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await heads
    .first()
    .getByRole("link", { name: t("catalog.compare.remove") })
    .click();
  await expect(heads).toHaveCount(2);
  await page.reload();
  await expect(heads).toHaveCount(2);
});

test("a fifth pass is not added to the comparison, and the bar clears the choice", {
  tag: ["@all", "@once"],
}, async ({ shop }) => {
  const { page, t, go } = shop;
  await go("/top-trending");
  const boxes = page.getByRole("checkbox", { name: t("catalog.compare.toggle") });
  for (const i of [0, 1, 2, 3]) await boxes.nth(i).check();
  await boxes.nth(4).click();
  await expect(page.getByText(t("catalog.compare.full", { max: 4 }))).toBeVisible();
  await expect(boxes.nth(4)).not.toBeChecked();
  const bar = page.getByRole("region", { name: t("catalog.compare.bar") });
  await bar.getByRole("button", { name: t("catalog.compare.clear") }).click();
  await expect(bar).toHaveCount(0);
  await expect(boxes.nth(0)).not.toBeChecked();
});

test("recently viewed products are on home and product until they are cleared", {
  tag: ["@all", "@matrix"],
}, async ({ shop }) => {
  const { page, t, go, locale } = shop;
  await go("/product/murrelet-voice");
  const recent = page.getByRole("region", { name: t("catalog.recent.title") });
  // In steps, as readers scroll: the list loads when it comes near.
  const scrollDown = () =>
    page.evaluate(async () => {
      for (let top = 0; top < document.body.scrollHeight; top += innerHeight / 2) {
        scrollTo(0, top);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
  await scrollDown();
  await expect(recent).toHaveCount(0);
  await go("/product/quillon-draft");
  await scrollDown();
  await expect(recent.getByRole("link")).toHaveCount(1);
  await go("/");
  await scrollDown();
  await expect(recent.getByRole("link")).toHaveCount(2);
  await expect(recent).toContainText(await findProductName("murrelet-voice", locale));
  await recent.getByRole("button", { name: t("catalog.recent.clear") }).click();
  await expect(recent).toHaveCount(0);
  await page.reload();
  await waitUntilInteractive(page);
  await expect(recent).toHaveCount(0);
});

test("a product viewed in English has its name in the language of the next page", {
  tag: ["@all", "@once"],
}, async ({ shop, device }) => {
  await shop.go("/product/murrelet-voice");
  const japanese = createShopPage(shop.page, { locale: "ja", device });
  await japanese.go("/");
  await shop.page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await expect(shop.page.getByRole("region", { name: japanese.t("catalog.recent.title") })).toContainText(
    await findProductName("murrelet-voice", "ja"),
  );
});

test("the browser's language is offered once, and nothing redirects", {
  tag: ["@all", "@once"],
}, async ({ browser, baseURL }) => {
  for (const device of ["desktop", "phone"] as const) {
    const context = await browser.newContext({
      baseURL,
      locale: "ja-JP",
      viewport: { width: device === "phone" ? 390 : 1200, height: 800 },
    });
    const shop = createShopPage(await context.newPage(), { locale: "en", device });
    const { page, go } = shop;
    await go("/categories");
    const offer = page.getByRole("button", { name: "日本語で見る" });
    await expect(offer).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(shop.at("/categories"));
    await page.getByRole("button", { name: "今はしない" }).click();
    await expect(offer).toHaveCount(0);
    await page.reload();
    await waitUntilInteractive(page);
    await expect(offer).toHaveCount(0);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await offer.click();
    await page.waitForURL(`**/ja${shop.at("/categories")}`);
    await expect(offer).toHaveCount(0);
    await context.close();
  }
  const context = await browser.newContext({ baseURL, locale: "zh-CN" });
  const shop = createShopPage(await context.newPage(), { locale: "en", device: "desktop" });
  await shop.go("/categories");
  await shop.page.getByRole("button", { name: "用中文浏览" }).click();
  await shop.page.waitForURL("**/zh/categories");
  await context.close();
  // On narrow phones it stands between the shop's name and the page, and covers neither.
  for (const width of [320, 390]) {
    const phone = await browser.newContext({ baseURL, locale: "en-US", viewport: { width, height: 640 } });
    const narrow = createShopPage(await phone.newPage(), { locale: "ja", device: "phone" });
    await narrow.go("/categories");
    const offer = narrow.page.getByRole("button", { name: "View in English" });
    await expect(offer).toBeVisible();
    const [offered, brand, main] = await Promise.all(
      [offer, narrow.page.locator("header a > span"), narrow.page.getByRole("main")].map((part) =>
        part.boundingBox(),
      ),
    );
    expect(offered!.y).toBeGreaterThanOrEqual(brand!.y + brand!.height);
    expect(offered!.y + offered!.height).toBeLessThanOrEqual(main!.y);
    expect(offered!.x + offered!.width).toBeLessThanOrEqual(width);
    await phone.close();
  }
});

test("the header lists the categories on desktop, home does on phones, and phones choose the language above", {
  tag: ["@all", "@matrix"],
}, async ({ shop, device }) => {
  const { page, t, go, arrive } = shop;
  await go("/");
  if (device === "desktop") {
    const button = page.getByRole("button", { name: t("ui.links.categories"), exact: true });
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await expect(page.locator(".category-menu li")).not.toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await button.click();
    await page.locator('.category-menu a[href$="/category/video"]').click();
  } else {
    await expect(page.getByRole("banner").getByLabel(t("ui.header.language"))).toBeVisible();
    await page
      .getByRole("navigation", { name: t("catalog.home.categories") })
      .locator('a[href$="/category/video"]')
      .click();
  }
  await arrive("/category/video");
  await expect(page.locator(".category-menu")).toHaveCount(0);
});

test("vendor and merchant on a product lead to their products", { tag: ["@all", "@matrix"] }, async ({
  shop,
}) => {
  const { page, go, arrive } = shop;
  await go("/product/quillon-draft");
  const main = page.getByRole("main");
  for (const path of ["/vendor/ostrel-works", "/seller/ostrel-works"]) {
    await main.locator(`a[href*="${path}"]`).first().click();
    await arrive(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ostrel Works");
    if (path.startsWith("/vendor/")) await expectArtwork(main);
    await main.locator('a[href$="/product/quillon-draft"]').first().click();
    await arrive("/product/quillon-draft");
  }
});

test("category, vendor and list pages have their structured data and alternates in the first HTML", {
  tag: ["@all", "@once"],
}, async ({ request }) => {
  const types = {
    "/category/writing": ["CollectionPage"],
    "/vendor/ostrel-works": ["CollectionPage"],
    "/seller/ostrel-works": ["Organization", "CollectionPage"],
    "/categories": ["CollectionPage"],
    "/blog": ["Blog"],
    "/terms-of-service": ["WebPage"],
    "/legal/seller": ["WebPage"],
  };
  for (const [path, expected] of Object.entries(types)) {
    const html = await (await request.get(`/ja${path}`)).text();
    const [, json = "[]"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json).map((part: { "@type": string }) => part["@type"])).toEqual([
      ...expected,
      "BreadcrumbList",
    ]);
    expect(html).toContain(`hrefLang="zh-Hans"`);
    expect(html).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/ja${path}"`));
  }
  for (const path of ["/vendor/nobody", "/category/nothing", "/ja/mobile/vendor/nobody", "/zh/seller/nobody"])
    expect((await request.get(path)).status()).toBe(404);
  expect(await (await request.get("/sitemaps/collections.xml")).text()).toContain("/vendor/ostrel-works<");
});

test("an untranslated product is marked in lists and on its page", { tag: ["@all", "@once"] }, async ({
  shop,
  device,
}) => {
  const { page, t, go } = createShopPage(shop.page, { locale: "ja", device });
  await go("/category/coding");
  const ticket = page.getByRole("main").getByRole("listitem").filter({ hasText: "Corvane & Tess" });
  await expect(ticket.filter({ hasText: t("catalog.english_only") })).toHaveCount(1);
  await expect(ticket.getByRole("heading", { name: "Tessock SQL クエリ" })).toBeVisible(); // from the dictionary
  await go("/product/tessock-sql");
  await expect(page.getByText(t("catalog.english_only"), { exact: true })).toBeVisible();
  await shop.go("/product/tessock-sql");
  await expect(shop.page.getByText(shop.t("catalog.english_only"), { exact: true })).toHaveCount(0);
});

test("home and the invitation page show in three pictures how it works", {
  tag: ["@all", "@once"],
}, async ({ shop, context }) => {
  const { page, t, go, locale } = shop;
  await signUp(context.request, { locale });
  const { invite_code } = await callApi<{ invite_code: string }>(context.request, "/auth/get-info");
  for (const path of ["/", `/i/${invite_code}`]) {
    await go(path);
    const steps = page.getByRole("region", { name: t("catalog.how.title") }).getByRole("listitem");
    await expect(steps).toHaveCount(3);
    for (const step of await steps.all()) {
      const box = await step.locator("svg").boundingBox();
      expect(box?.width).toBeGreaterThan(60);
    }
  }
});

test("the tiles on home lead to searches with results", { tag: ["@all", "@once"] }, async ({ shop }) => {
  const { page, t, go } = shop;
  await go("/");
  const tiles = page.getByRole("region", { name: t("catalog.tasks.title") }).getByRole("listitem");
  await expect(tiles).toHaveCount(TASKS.length);
  await tiles.first().getByRole("link").click();
  await page.waitForURL(/\/search\?q=/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(t("catalog.tasks.transcribe.query"));
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
});

test("an unknown address offers a search and the product that was probably meant", {
  tag: ["@all", "@matrix"],
}, async ({ shop, watch }) => {
  watch.allow(404);
  const { page, t, arrive } = shop;
  await page.goto(shop.at("/product/quillon-drft"));
  const main = page.getByRole("main");
  await expect(main.getByRole("combobox", { name: t("ui.header.search_label") })).toBeVisible();
  const found = main.getByRole("region", { name: t("ui.not_found.suggestions") });
  await found.getByRole("link").first().click();
  await arrive("/product/quillon-draft");
});
