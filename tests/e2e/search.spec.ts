import { devices } from "@playwright/test";
import { formatPrice } from "@/lib/platform/money";
import { findViolations } from "./axe";
import { findPlan, findProductName } from "./database";
import { expect, type ShopPage, test, waitUntilInteractive } from "./fixtures";

const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];

/** The field in the page itself: the header has one too. */
const field = ({ page, t }: ShopPage) =>
  page.getByRole("main").getByRole("combobox", { name: t("ui.header.search_label") });

/** The suggestions below the field; the list of languages has options too. */
const options = ({ page, t }: ShopPage) =>
  page.getByRole("listbox", { name: t("ui.header.search_label") }).getByRole("option");

const TYPOS = { en: ["quilon", "quillon"], zh: ["字慕", "字幕"], ja: ["下書さ", "下書き"] } as const;

test("the arrow keys move through suggestions, and Enter takes the marked one", {
  tag: ["@all", "@matrix"],
}, async ({ shop }) => {
  const { page, go, arrive, locale } = shop;
  const name = await findProductName("murrelet-voice", locale);
  await go("/search");
  const box = field(shop);
  await expect(box).toHaveAttribute("aria-expanded", "false");
  await box.click();
  await box.pressSequentially("murrel");
  const option = page.getByRole("option", { name: new RegExp(`^${name}`) });
  await expect(option).toBeVisible();
  await expect(box).toHaveAttribute("aria-expanded", "true");
  await box.press("ArrowDown");
  const marked = page.locator('[role="option"][aria-selected="true"]');
  await expect(marked).toHaveCount(1);
  await expect(box).toHaveAttribute("aria-activedescendant", (await marked.getAttribute("id"))!);
  expect(await findViolations(page, "main")).toEqual([]);
  await box.press("Escape");
  await expect(page.getByRole("option", { name: new RegExp(`^${name}`) })).toHaveCount(0);
  await expect(box).toHaveValue("murrel");
  await box.press("ArrowDown");
  await box.press("ArrowDown");
  await expect(marked).toContainText(name);
  await box.press("Enter");
  await arrive("/product/murrelet-voice");
});

test("a typo is corrected, and the page says so", { tag: ["@all", "@matrix"] }, async ({ shop }) => {
  const { page, t, go, arrive, locale } = shop;
  const [typed, meant] = TYPOS[locale];
  await go(`/search?q=${encodeURIComponent(typed)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    t("catalog.search.results", { query: typed }),
  );
  const main = page.getByRole("main");
  await main.getByRole("link", { name: meant, exact: true }).click();
  await arrive(`/search?q=${encodeURIComponent(meant)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    t("catalog.search.results", { query: meant }),
  );
  await expect(main.getByRole("link", { name: meant, exact: true })).toHaveCount(0);
});

test("approximate results are marked as the closest", { tag: ["@all", "@matrix"] }, async ({ shop }) => {
  const { page, t, go } = shop;
  await go("/search?q=captions%20zzzzqqqq");
  await expect(
    page.getByText(t("catalog.search.closest_words", { asked: "captions zzzzqqqq" })),
  ).toBeVisible();
  await expect(page.getByRole("main").locator('a[href*="/product/whinlow-captions"]').first()).toBeVisible();
});

test("suggestions show what an app does, picture and price, and categories by their search terms", {
  tag: ["@all", "@matrix"],
}, async ({ shop }) => {
  const { page, t, go, arrive, locale } = shop;
  await go("/search");
  await field(shop).fill("transcribe");
  const option = options(shop).filter({ hasText: await findProductName("ackwith-minutes", locale) });
  const { price_cents } = await findPlan("ackwith-minutes", 1); // the cheapest
  const price = formatPrice(price_cents, locale);
  await expect(option).toContainText(t("catalog.suggest.price_from", { price }));
  const { data } = await (
    await page.request.get(`/api/v1/product/suggest?keyword=transcribe&target_lang=${locale}`)
  ).json();
  const found = data.products.find(({ slug }: { slug: string }) => slug === "ackwith-minutes");
  await expect(option).toContainText(found.product_tagline);
  const picture = option.locator("img");
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
  await field(shop).fill("movie");
  const category = options(shop)
    .filter({ hasNot: page.locator("img") })
    .first();
  await expect(category).toBeVisible();
  await category.click();
  await arrive("/category/video");
});

test("the list below the header search shows names", { tag: "@all" }, async ({ shop, device }) => {
  const { page, go, locale } = shop;
  await go(device === "desktop" ? "/" : "/search");
  const box = device === "desktop" ? page.getByRole("banner").getByRole("combobox") : field(shop);
  await box.first().fill("transcribe");
  const name = page.getByText(await findProductName("ackwith-minutes", locale), { exact: true });
  await expect.poll(async () => (await name.first().boundingBox())?.width ?? 0).toBeGreaterThan(60);
});

test("recent searches stay in this browser, and can be cleared", { tag: ["@all", "@matrix"] }, async ({
  shop,
}) => {
  const { page, t, go } = shop;
  for (const q of ["voice", "draft", "zzzzqqqq"]) {
    await go(`/search?q=${q}`);
    await expect(page.locator(`[data-searched="${q}"]`)).toBeAttached();
  }
  await go("/search");
  const recent = page.getByRole("region", { name: t("catalog.suggest.recent") });
  await expect(recent.getByRole("link")).toHaveText(["draft", "voice"]);
  await field(shop).click();
  await expect(options(shop)).toHaveText(["draft", "voice"]);
  await field(shop).press("Escape");
  await recent.getByRole("button", { name: t("catalog.suggest.clear") }).click();
  await expect(recent).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("recent_searches"))).toBeNull();
});

test("a search changes the page once, and requests nothing before the field is used", {
  tag: ["@all", "@once"],
}, async ({ shop }) => {
  const { page, go } = shop;
  await page.addInitScript(() => {
    const searches: string[] = [];
    Object.assign(window, { searches });
    addEventListener("passlane:searched", (event) =>
      searches.push((event as CustomEvent<{ q: string }>).detail.q),
    );
  });
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/product/suggest")) requests.push(request.url());
  });
  await go("/search?q=voice");
  await page.waitForLoadState("networkidle");
  expect(requests).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { searches: string[] }).searches)).toEqual([
    "voice",
  ]);
  await field(shop).fill("draf"); // without a click: focus alone loads suggestions too
  await expect(options(shop).first()).toBeVisible();
  expect(requests).toHaveLength(1);
});

test("the header's search replaces the query, drops the filters and keeps the attribution", {
  tag: ["@all", "@once"],
}, async ({ shop }) => {
  const { page, go, arrive, t } = shop;
  await go("/search?q=voice&category=voice-audio&page=2&source=mail&campaign=may");
  const box = page.getByRole("banner").getByRole("combobox", { name: t("ui.header.search_label") });
  await box.fill("draft");
  await box.press("Enter");
  const { searchParams } = await arrive("/search?q=draft&source=mail&campaign=may");
  expect([searchParams.get("category"), searchParams.get("page")]).toEqual([null, null]);
  await expect(box).toHaveValue("");
  await expect(field(shop)).toHaveValue("draft");
});

test("a blank query is ignored", { tag: ["@all", "@once"] }, async ({ shop }) => {
  const { page, go, t } = shop;
  await go("/search?q=voice");
  await field(shop).fill("   ");
  await field(shop).press("Enter");
  await page
    .getByRole("main")
    .getByRole("button", { name: t("ui.header.search_submit"), exact: true })
    .click();
  await expect(page).toHaveURL(/\/search\?q=voice$/);
});

test("filters narrow the results, are part of the address and are cleared together", {
  tag: ["@all", "@once"],
}, async ({ shop }) => {
  const { page, t, go, arrive } = shop;
  await go("/search?q=gannetry");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex, follow");
  const perDay = page.getByLabel(t("catalog.search.price_per_day_to"));
  await perDay.fill("0.01");
  await perDay.press("Tab");
  await arrive("/search?q=gannetry&price_per_day_to=0.01");
  await expect(page.getByText(t("catalog.search.none_filtered_text"))).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: t("catalog.search.clear") })
    .first()
    .click();
  await expect(page).toHaveURL(/\/search\?q=gannetry$/);
  await page.getByLabel(t("catalog.search.type"), { exact: true }).selectOption("week");
  await arrive("/search?q=gannetry&vip_type=week");
  await page.getByLabel(t("catalog.search.in_stock")).check();
  await arrive("/search?q=gannetry&vip_type=week&in_stock=true");
  await page.goBack();
  await arrive("/search?q=gannetry&vip_type=week");
  await expect(page.getByLabel(t("catalog.search.in_stock"))).not.toBeChecked();
});

test("a search without results shows alternatives", { tag: ["@all", "@once"] }, async ({ shop }) => {
  const { page, t, go } = shop;
  await go("/search?q=zzzzqqqq");
  await expect(
    page.getByRole("heading", { name: t("catalog.search.none", { query: "zzzzqqqq" }) }),
  ).toBeVisible();
  await expect(page.getByRole("heading", { name: t("catalog.search.popular") })).toBeVisible();
  await page
    .getByRole("region", { name: t("catalog.search.by_category") })
    .getByRole("link")
    .first()
    .click();
  await expect(page).toHaveURL(/\/category\/[\w-]+$/);
});

test("the desktop page of the mobile result list is the search", { tag: ["@all", "@once"] }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 600, height: 900 });
  await page.goto("/mobile/search-results?q=voice&source=mail");
  await waitUntilInteractive(page);
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.waitForURL("/search?q=voice&source=mail");
});

test.describe("on a phone", () => {
  test.use({ ...pixel, device: "phone" });

  test("the list of results keeps its own address", { tag: ["@all", "@once"] }, async ({ shop, request }) => {
    const { page, t, go, arrive } = shop;
    for (const path of ["/mobile/search-results?q=voice", "/zh/mobile/search-results"])
      expect((await request.get(path, { maxRedirects: 0 })).status()).toBe(200);
    await go("/search-results");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("catalog.search.page_results"));
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex, follow");
    await field(shop).fill("voice");
    await field(shop).press("Enter");
    await arrive("/search-results?q=voice");
  });

  test("the search shows its results in place", { tag: ["@all", "@once"] }, async ({ shop }) => {
    const { page, go, arrive } = shop;
    await go("/search");
    await field(shop).fill("voice");
    await field(shop).press("Enter");
    await arrive("/search?q=voice");
    await expect(
      page.getByRole("main").getByRole("article").or(page.getByRole("main").getByRole("listitem")).first(),
    ).toBeVisible();
  });
});
