import { findRoute, ROUTES } from "@/lib/platform/routing/routes";
import { expectAccessible } from "./axe";
import { findPlan } from "./database";
import { expect, type ShopPage, test, waitUntilInteractive } from "./fixtures";
import { GUEST_PAGES, MEMBER_PAGES, PAID_ORDER_PAGES, UNPAID_ORDER_PAGES } from "./page-types";
import { findTextProblems } from "./texts";
import { buyPass, placeOrder, signUp } from "./users";

/** In each language and on each surface, in `npm run test:all`. */
const COMPLETE_ONLY = ["@matrix", "@all"];

async function expectSoundPages(shop: ShopPage, paths: readonly string[]): Promise<void> {
  const { page, locale, at } = shop;
  for (const path of paths) {
    await page.goto(at(path), { waitUntil: "domcontentloaded" });
    await waitUntilInteractive(page);
    expect.soft(await findTextProblems(page, locale), path).toEqual([]);
    await expectAccessible(page, path);
  }
}

test("every route is visited here", { tag: "@once" }, () => {
  const paths = [
    ...Object.values(GUEST_PAGES).flat(),
    ...MEMBER_PAGES,
    ...UNPAID_ORDER_PAGES,
    ...PAID_ORDER_PAGES,
  ];
  const visited = paths.map((path) => findRoute(path.split("?", 1)[0]!)?.path);
  expect(ROUTES.filter(({ path }) => !visited.includes(path)).map(({ path }) => path)).toEqual([]);
});

test.describe("public pages are translated, fit the window and are accessible", () => {
  for (const [name, paths] of Object.entries(GUEST_PAGES))
    test(name, { tag: COMPLETE_ONLY }, async ({ shop }) => {
      test.slow(); // many pages, each checked by axe
      await expectSoundPages(shop, paths);
    });
});

test("empty pages of a user are translated, fit the window and are accessible", {
  tag: COMPLETE_ONLY,
}, async ({ shop, context, watch }) => {
  watch.allow(404); // a checkout without an order, a page that does not exist
  await signUp(context.request, { locale: shop.locale });
  await expectSoundPages(shop, MEMBER_PAGES);
});

test("pages about an order are translated, fit the window and are accessible", {
  tag: COMPLETE_ONLY,
}, async ({ shop, context }) => {
  await signUp(context.request, { locale: shop.locale });
  const plan = await findPlan("swarrel-cut", 1);
  const unpaid = await placeOrder(context.request, plan);
  await expectSoundPages(
    shop,
    UNPAID_ORDER_PAGES.map((path) => `${path}?order_id=${unpaid}`),
  );
  const paid = await buyPass(context.request, plan);
  await expectSoundPages(
    shop,
    PAID_ORDER_PAGES.map((path) => `${path}?order_id=${paid}`),
  );
});
