import { devices } from "@playwright/test";
import { formatDate, formatDay } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { localizedPath } from "@/lib/platform/routing/paths";
import { findPlan, findProductName } from "./database";
import { createShopPage, expect, type ShopPage, test } from "./fixtures";
import { button, choosePlan, link, logInPlace, planChoice, register } from "./screens";
import { newUser, signUp } from "./users";

/** What only the year of `quillon-draft` includes (db/seed/catalog.jsonl). */
const YEAR_INCLUDES = {
  en: "Projects shared with one co-author",
  zh: "可与一位合著者共用项目",
  ja: "共同執筆者1名とプロジェクトを共有",
};

const facts = ({ page, t }: ShopPage) => page.getByRole("region", { name: t("catalog.product.facts") });

test("the plan in the address is selected in the first HTML, and an unknown one is ignored", {
  tag: "@all",
}, async ({ shop, request }) => {
  const { page, at, go, locale } = shop;
  const week = await findPlan("quillon-draft", 7);
  const fetchCheckedPlans = async (query: string) => {
    const html = await (await request.get(at(`/product/quillon-draft${query}`))).text();
    return [...html.matchAll(/<input[^>]*type="radio"[^>]*>/g)]
      .map(([input]) => input)
      .filter((input) => input.includes("checked"))
      .map((input) => /value="(\d+)"/.exec(input)?.[1]);
  };
  expect(await fetchCheckedPlans(`?plan=${week.vip_id}`)).toEqual([String(week.vip_id)]);
  for (const query of ["", "?plan=999999", "?plan=x", "?plan="])
    expect(await fetchCheckedPlans(query)).toHaveLength(1);

  await go(`/product/quillon-draft?plan=${week.vip_id}`);
  await expect(planChoice(shop, 7)).toBeChecked();
  await choosePlan(shop, 365);
  const year = await findPlan("quillon-draft", 365);
  expect(new URL(page.url()).searchParams.get("plan")).toBe(String(year.vip_id));
  await expect(page.getByRole("main").getByText(formatPrice(year.price_cents, locale)).first()).toBeVisible();
  await page.reload();
  await expect(planChoice(shop, 365)).toBeChecked();
});

test("the address by id shows the product with the slug address as canonical", { tag: "@all" }, async ({
  shop,
}) => {
  const { page, go, at } = shop;
  const { product_id } = await findPlan("quillon-draft", 7);
  await go(`/product/detail/${product_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    await findProductName("quillon-draft", shop.locale),
  );
  const canonical = await page.locator("link[rel=canonical]").getAttribute("href");
  const desktop = localizedPath("/product/quillon-draft", { locale: shop.locale, surface: "desktop" });
  expect(new URL(canonical!).pathname).toBe(desktop);
  for (const path of ["/product/detail/0", "/product/detail/x", "/product/no-such-product"])
    expect((await page.request.get(at(path))).status(), path).toBe(404);
});

test("selecting a plan shows its refund, stock, region, date and cheaper alternative", {
  tag: "@all",
}, async ({ shop }) => {
  const { page, t, go, locale } = shop;
  const planFacts = facts(shop);
  await go("/product/quillon-draft");
  await choosePlan(shop, 1);
  await expect(planFacts).toContainText(
    t("catalog.product.break_even", {
      count: 3,
      pass: "day",
      days: 1,
      longer: "days",
      longerDays: 3,
      saving: formatPrice(180, locale),
    }),
  );
  await expect(planFacts).toContainText(t("catalog.product.worldwide"));
  const short = await planFacts.textContent();
  await choosePlan(shop, 30);
  await expect(planFacts).not.toContainText(short!);
  await expect(planFacts).not.toContainText(t("catalog.product.plan_includes"));
  await choosePlan(shop, 365);
  await expect(planFacts.getByRole("heading", { name: t("catalog.product.plan_includes") })).toBeVisible();
  await expect(planFacts.getByRole("listitem").filter({ hasText: YEAR_INCLUDES[locale] })).toBeVisible();

  await go("/product/brindmoor-clauses");
  await choosePlan(shop, 30);
  const { free, redeem_by } = await findPlan("brindmoor-clauses", 30);
  if (free <= 5) await expect(planFacts).toContainText(t("catalog.product.low", { count: free }));
  const country = new Intl.DisplayNames(shop.locale, { type: "region" }).of("US")!;
  await expect(planFacts).toContainText(country);
  await expect(planFacts).toContainText(formatDate(redeem_by!, shop.locale));
  const card = page.getByRole("region", { name: t("catalog.product.activate") });
  await expect(card.getByRole("link", { name: /\.example$/ })).toHaveAttribute("rel", /nofollow/);
  await expect(card).toContainText(t("catalog.product.redeem_until"));

  await go("/product/ozmere-motion");
  await expect(button(shop, t("catalog.product.pre_order"))).toBeVisible();
  const { releases_at } = await findPlan("ozmere-motion", 7);
  await expect(planFacts).toContainText(formatDate(releases_at!, shop.locale));
});

test.describe("with a clock an hour ahead", () => {
  test("a deal names its last day, and in its last 24 hours its countdown follows the server clock", {
    tag: "@all",
  }, async ({ shop, context }) => {
    const { page, go, t, locale } = shop;
    await context.addInitScript(() => {
      const real = Date.now;
      Date.now = () => real() + 3_600_000;
    });
    const plan = await findPlan("murrelet-voice", 7);
    const detail = await page.request.get(`/api/v1/product/detail/${plan.product_id}`);
    const { vip_options } = (await detail.json()).data;
    const { deal } = vip_options.find(({ vip_id }: { vip_id: number }) => vip_id === plan.vip_id);
    const address = `/product/murrelet-voice?plan=${plan.vip_id}`;
    await go(address);
    const lastDay = t("catalog.deal.ends", { moment: formatDay(deal.ends_at, locale) });
    await expect(facts(shop).getByText(lastDay, { exact: true })).toBeVisible();

    // The server's clock comes with the session summary.
    const hours = 20;
    const date = new Date(Date.parse(deal.ends_at) - hours * 3_600_000).toUTCString();
    await page.route(/\/auth\/session-summary/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await go(address);
    const clock = facts(shop)
      .locator("span[aria-hidden]")
      .filter({ hasText: /^\d+:\d\d:\d\d$/ });
    await expect(clock).toBeVisible();
    const [h = 0, m = 0, s = 0] = (await clock.textContent())!.split(":").map(Number);
    expect(Math.abs(hours * 3600 - ((h * 60 + m) * 60 + s))).toBeLessThan(60);
    await expect(facts(shop)).toContainText(shop.t("catalog.deal.left", { count: deal.items_left }));
  });
});

test("copying a product link gives the desktop address with the plan", {
  tag: ["@all", "@matrix"],
}, async ({ shop, context, baseURL, locale }) => {
  const { page, t, go } = shop;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "share"));
  const { vip_id } = await findPlan("quillon-draft", 30);
  await go("/product/quillon-draft?source=mail");
  await choosePlan(shop, 30);
  await button(shop, t("catalog.product.copy_link")).click();
  const prefix = locale === "en" ? "" : `/${locale}`;
  const address = `${new URL(baseURL!).origin}${prefix}/product/quillon-draft?plan=${vip_id}`;
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await expect(page.getByRole("status").getByText(address)).toBeVisible();
});

test("a phone that can share opens its share sheet", { tag: ["@all", "@once"] }, async ({
  browser,
  baseURL,
}) => {
  const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
  const context = await browser.newContext({ ...pixel, baseURL });
  await context.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    navigator.share = async (what) => {
      shared.push(what);
      throw new DOMException("closed", "AbortError");
    };
  });
  const shop = createShopPage(await context.newPage(), { locale: "ja", device: "phone" });
  await shop.go("/product/quillon-draft");
  await button(shop, shop.t("catalog.product.share")).click();
  const shared = await shop.page.evaluate(() => Reflect.get(window, "shared"));
  expect(shared).toEqual([
    {
      title: await findProductName("quillon-draft", "ja"),
      url: `${new URL(baseURL!).origin}/ja/product/quillon-draft`,
    },
  ]);
  await context.close();
});

test("a double click puts one pass into the cart", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, go, arrive, locale } = shop;
  await signUp(context.request, { locale });
  await go("/product/murrelet-voice");
  await choosePlan(shop, 365);
  await button(shop, t("catalog.product.add")).dblclick();
  await expect(page.getByText(t("catalog.product.added")).filter({ visible: true }).first()).toBeVisible();
  await page
    .getByRole("status")
    .getByRole("button", { name: t("catalog.product.view_cart") })
    .click();
  await arrive("/cart");
  await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
});

test("a guest who joins the wait list of a sold-out pass is on it after the login", { tag: "@all" }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(401);
  const { page, t, locale, go } = shop;
  const user = await signUp(context.request, { locale });
  await context.clearCookies();
  await go("/product/cadrell-score");
  await choosePlan(shop, 7);
  const plan = new URL(page.url()).searchParams.get("plan")!;
  await expect(button(shop, t("catalog.product.add"))).toHaveCount(0);
  await button(shop, t("catalog.product.notify")).click();
  await logInPlace(shop, user);
  await expect(page.getByRole("main").getByText(t("catalog.product.notify_done"))).toBeVisible();
  // A second visit does not repeat the action.
  await go(`/product/cadrell-score?plan=${plan}`);
  await expect(button(shop, t("catalog.product.notify"))).toBeVisible();
});

test("an address with an action parameter changes nothing by itself", { tag: "@all" }, async ({
  shop,
  context,
}) => {
  const { page, t, go, locale } = shop;
  await signUp(context.request, { locale });
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /wait-list|cart/.test(request.url())) calls.push(request.url());
  });
  const { vip_id } = await findPlan("cadrell-score", 7);
  await go(`/product/cadrell-score?plan=${vip_id}&notify=1&add=1-1`);
  await expect(button(shop, t("catalog.product.notify"))).toBeVisible();
  expect(calls).toEqual([]);
});

test.describe("without JavaScript", { tag: "@all" }, () => {
  test("the page is complete, plans are links, and the button leads through the login to the cart", async ({
    browser,
    baseURL,
    locale,
    device,
  }) => {
    const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
    const shop = createShopPage(await context.newPage(), { locale, device });
    const { page, t, at } = shop;
    const { vip_id, product_id } = await findPlan("murrelet-voice", 365);
    await page.goto(at("/product/murrelet-voice"));
    await page.locator(`a[href="?plan=${vip_id}"]`).click();
    await expect(planChoice(shop, 365)).toBeChecked();
    await button(shop, t("catalog.product.add")).click();
    const address = new URL(page.url());
    expect(address.pathname).toBe(at("/login"));
    expect(Object.fromEntries(address.searchParams)).toEqual({
      redirect: at(`/cart?add=${product_id}-${vip_id}`),
    });
    await expect(page.getByText(t("accounts.login.lead_add"))).toBeVisible();

    // The same address with scripts, as after a click before hydration.
    const scriptContext = await browser.newContext({ baseURL });
    const later = createShopPage(await scriptContext.newPage(), { locale, device });
    await later.page.goto(address.href.replace("/login", "/register"));
    await register(later, newUser());
    await later.arrive("/cart");
    await expect(link(later, await findProductName("murrelet-voice", locale))).toBeVisible();
    await context.close();
    await scriptContext.close();
  });
});
