import { devices } from "@playwright/test";
import { expect, test } from "./fixtures";

test("the footer has its sections, five social links, contact and hours, and the header has its button to sell", {
  tag: ["@all", "@once"],
}, async ({ page, t, go, arrive }) => {
  await go("/");
  const footer = page.getByRole("contentinfo");
  for (const heading of ["shop", "account", "legal", "contact"] as const)
    await expect(footer.getByRole("heading", { name: t(`ui.footer.${heading}`) })).toBeVisible();
  await expect(footer.getByRole("list", { name: t("ui.footer.social") }).getByRole("link")).toHaveCount(5);
  await expect(footer.getByText(t("ui.footer.hours"))).toBeVisible();
  await page
    .getByRole("banner")
    .getByRole("link", { name: t("ui.links.sell"), exact: true })
    .click();
  await arrive("/business/register");
});

test("a banner shows while the network is offline", { tag: ["@all", "@once"] }, async ({
  page,
  context,
  t,
  go,
}) => {
  const summary = page.waitForResponse(/\/auth\/session-summary\?/).then((response) => response.finished());
  await Promise.all([summary, go("/refund-policy")]); // the requests of the page itself have ended
  await context.setOffline(true);
  await expect(page.getByText(t("ui.banner.offline"))).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(t("ui.banner.offline"))).toHaveCount(0);
});

test("legal pages start at the top, even after going back", { tag: ["@all", "@once"] }, async ({
  page,
  t,
  go,
  arrive,
}) => {
  await go("/privacy-policy");
  await page.evaluate(() => window.scrollTo(0, 900));
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: t("ui.links.blog") })
    .click();
  await arrive("/blog");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await arrive("/privacy-policy");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test("a page starts at the top, and after going back at its last scroll position", {
  tag: ["@all", "@once"],
}, async ({ page, t, go, arrive }) => {
  await go("/top-trending");
  await page.evaluate(() => window.scrollTo(0, 700));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700);
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: t("ui.links.blog") })
    .click();
  await arrive("/blog");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await arrive("/top-trending");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(600);
});

test.describe("on a phone", () => {
  const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
  test.use({ ...pixel, device: "phone" });

  test("a phone user can switch to the desktop page and back", { tag: ["@all", "@once"] }, async ({
    page,
    t,
    go,
  }) => {
    await page.setViewportSize({ width: 412, height: 900 });
    await go("/limited-offer?source=mail");
    await page.getByRole("link", { name: t("ui.footer.desktop") }).click();
    await page.waitForURL("/limited-offer?source=mail");
    await page.getByRole("button", { name: t("ui.footer.mobile") }).click();
    await page.waitForURL("/mobile/limited?source=mail");
  });
});
