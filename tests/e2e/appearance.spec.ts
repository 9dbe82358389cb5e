import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { fillCart, placeOrder, signUp } from "./users";

test("a theme is chosen in the footer and shown on cached and personal pages without a flash", {
  tag: ["@all", "@once"],
}, async ({ page, t, go }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await go("/");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ["rgb(251, 249, 244)", "rgb(18, 17, 22)"];
  await expect.poll(paper).toBe(light);
  const select = page.getByRole("contentinfo").getByLabel(t("ui.appearance.theme"));
  await select.selectOption("dark");
  await expect.poll(paper).toBe(dark);
  // The page is dark while its scripts still load.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await released;
    await route.continue().catch(() => {}); // the page was left
  });
  for (const path of ["/top-trending", "/login"]) {
    await page.goto(path, { waitUntil: "domcontentloaded" });
    expect(await paper(), path).toBe(dark);
  }
  release();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await go("/top-trending");
  await expect(select).toHaveValue("dark");
  await select.selectOption("system");
  await expect.poll(paper).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(paper).toBe(dark);
  await select.selectOption("light");
  await expect.poll(paper).toBe(light);
});

test("approximate prices appear in the reader's currency, in cart and checkout too, and are the same page for all", {
  tag: ["@all", "@once"],
}, async ({ page, t, go, context, locale }) => {
  const path = "/product/quillon-draft";
  const html = await (await page.request.get(path)).text();
  expect(html).not.toContain("≈");
  await go(path); // en-US: US dollars
  const price = page.getByText(/^≈/).first();
  const select = page.getByRole("contentinfo").getByLabel(t("ui.appearance.currency"));
  await expect(select).toHaveValue("USD");
  await expect(price).toHaveCount(0);
  await select.selectOption("JPY");
  await expect(price).toHaveText(/^≈ ¥[\d,]+$/);
  await signUp(context.request, { locale });
  const plan = await findPlan("quillon-draft", 7);
  const orderId = await placeOrder(context.request, plan);
  await fillCart(context.request, plan);
  for (const path of ["/cart", `/checkout?order_id=${orderId}`]) {
    await go(path);
    await expect(price, path).toHaveText(/^≈ ¥[\d,]+$/);
    await expect(page.getByText(t("payments.approximate.charged"))).toBeVisible();
  }
  await go("/ja/product/quillon-draft");
  await expect(price).toHaveText(/^≈ ￥[\d,]+$/);
  await page.evaluate(() => localStorage.removeItem("currency"));
  await go("/ja/product/quillon-draft"); // A presumed currency is shown at the first use of the page.
  await page.waitForLoadState("networkidle");
  await expect(price).toHaveCount(0);
  await page.keyboard.press("Shift");
  await expect(price).toHaveText(/^≈ ￥[\d,]+$/);
});
