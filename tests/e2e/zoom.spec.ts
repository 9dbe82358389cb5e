import type { Page } from "@playwright/test";
import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { GUEST_PAGES, MEMBER_PAGES, UNPAID_ORDER_PAGES } from "./page-types";
import { fillCart, placeOrder, signUp } from "./users";

/** A phone of 1280 × 1024 pixels at 400 % zoom. */
const ZOOMED = { width: 320, height: 256 };

/** How far the page scrolls sideways, and how much of the window is covered by what stays while the rest scrolls. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const stays = (element: Element) => {
      const { position, visibility, top, bottom } = getComputedStyle(element);
      const { height, width, y } = element.getBoundingClientRect();
      const isSeen = visibility === "visible" && width > innerWidth / 2 && y < innerHeight && y + height > 0;
      const isStuck = position === "sticky" && (top !== "auto" || bottom !== "auto");
      return isSeen && (position === "fixed" || isStuck) ? height : 0;
    };
    const root = document.scrollingElement!;
    const heights = [...document.body.querySelectorAll("*")].map(stays);
    return {
      sideways: root.scrollWidth - root.clientWidth,
      covered: heights.reduce((sum, height) => sum + height, 0) / innerHeight,
    };
  });

test("no page scrolls sideways at 400 % zoom, and bars leave two thirds of the window", {
  tag: "@all",
}, async ({ shop, context, watch }) => {
  test.slow(); // every page type
  watch.allow(404);
  const { page, locale, go } = shop;
  await page.setViewportSize(ZOOMED);
  const visit = async (paths: readonly string[]) => {
    for (const path of paths) {
      await go(path);
      // Some pages go on to another one by themselves.
      await expect(async () => {
        const { sideways, covered } = await measure(page);
        expect(sideways, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
        expect(covered, `bars of ${path}`).toBeLessThanOrEqual(1 / 3);
      }).toPass({ timeout: 120_000 });
    }
  };
  await visit(Object.values(GUEST_PAGES).flat());
  await signUp(context.request, { locale });
  const plan = await findPlan("swarrel-cut", 1);
  const order = await placeOrder(context.request, plan);
  await fillCart(context.request, plan);
  await visit([...MEMBER_PAGES, ...UNPAID_ORDER_PAGES.map((path) => `${path}?order_id=${order}`)]);
});

test("no bar stays in a window lower than 500 px", { tag: ["@all", "@once"] }, async ({ page, go }) => {
  for (const [height, position] of [
    [520, "fixed"],
    [480, "static"],
  ] as const) {
    await page.setViewportSize({ width: 700, height });
    await go("/mobile");
    await expect(page.locator(".mobile-bar")).toHaveCSS("position", position);
  }
});

test("the footer of a phone is folded, and a legal page has contents", { tag: ["@all", "@once"] }, async ({
  page,
  t,
  go,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await go("/mobile/refund-policy");
  const footer = page.getByRole("contentinfo");
  const terms = footer.getByRole("link", { name: t("ui.links.terms") });
  await expect(terms).toBeHidden();
  await footer.getByText(t("ui.footer.legal"), { exact: true }).click();
  await expect(terms).toBeVisible();
  const contents = page.getByRole("navigation", { name: t("ui.legal.contents") }).getByRole("link");
  const last = (await contents.last().textContent())!;
  await contents.last().click();
  await expect(page.getByRole("heading", { level: 2, name: last })).toBeInViewport();
});
