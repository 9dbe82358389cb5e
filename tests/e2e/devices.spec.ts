import { devices } from "@playwright/test";
import { createShopPage, expect, test, waitUntilInteractive } from "./fixtures";

const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
const { userAgent } = pixel;

test.describe("on a phone", () => {
  test.use({ ...pixel, device: "phone" });

  for (const [requested, expected] of [
    ["/", "/mobile"],
    ["/limited-offer?source=mail&campaign=x", "/mobile/limited?source=mail&campaign=x"],
    ["/ja/product/quillon-draft?plan=1", "/ja/mobile/product/quillon-draft?plan=1"],
    ["/zh", "/zh/mobile"],
  ] as const) {
    test(`${requested} leads to ${expected}`, { tag: ["@all", "@once"] }, async ({ page, request }) => {
      const response = await request.get(requested, { maxRedirects: 0 });
      expect(response.status()).toBe(307);
      expect(response.headers()).toMatchObject({ location: expected });
      expect(response.headers()["cache-control"]).toMatch(/^(private, )?no-store$/);
      expect(response.headers().vary).toContain("User-Agent");
      await page.goto(requested);
      await page.waitForURL(expected);
      await waitUntilInteractive(page);
    });
  }

  test("the navigation bar leads to its five pages and marks the current one", {
    tag: ["@all", "@once"],
  }, async ({ page, t, go, arrive }) => {
    await go("/");
    const bar = page.getByRole("navigation", { name: t("ui.header.nav") });
    await expect(page.getByRole("navigation", { name: t("ui.header.account_nav") })).toHaveCount(0);
    for (const [name, path] of [
      [t("ui.links.search"), "/search"],
      [t("ui.links.offers_short"), "/limited-offer"],
      [t("ui.links.home"), "/"],
    ] as const) {
      await bar.getByRole("link", { name, exact: true }).click();
      await arrive(path);
      await expect(bar.getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "page");
    }
    await bar.getByRole("link", { name: t("ui.links.cart"), exact: true }).click();
    await arrive("/login");
    await page.goBack();
    await arrive("/");
    await bar.getByRole("link", { name: t("ui.links.me"), exact: true }).click();
    await arrive("/login");
  });
});

test("an unknown user agent is never redirected from a mobile page", { tag: ["@all", "@once"] }, async ({
  request,
}) => {
  for (const path of ["/mobile", "/ja/mobile/limited", "/mobile/product/quillon-draft"]) {
    const response = await request.get(path, { maxRedirects: 0, headers: { "user-agent": "curl/8" } });
    expect(response.status(), path).toBe(200);
  }
  const phone = await request.get("/mobile", { maxRedirects: 0, headers: { "user-agent": userAgent } });
  expect(phone.status()).toBe(200);
});

test("a window resized across 768 px changes the surface and keeps the page", {
  tag: ["@all", "@once"],
}, async ({ page }) => {
  const desktop = createShopPage(page, { locale: "zh", device: "desktop" });
  const phone = createShopPage(page, { locale: "zh", device: "phone" });
  const path = "/search?q=draft&source=mail";
  await desktop.go(path);
  await page.setViewportSize({ width: 768, height: 900 });
  await phone.arrive(path);
  await page.setViewportSize({ width: 769, height: 900 });
  await desktop.arrive(path);
});

test("a narrow window on a desktop page moves to the mobile page", { tag: ["@all", "@once"] }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 500, height: 900 });
  await page.goto("/limited-offer?source=mail");
  await createShopPage(page, { locale: "en", device: "phone" }).arrive("/limited-offer?source=mail");
});
