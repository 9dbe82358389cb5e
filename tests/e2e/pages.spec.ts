import { ROUTES, routeOf } from "@/lib/platform/routing/routes";
import { isComplete } from "../setup/rounds";
import { expectAccessible } from "./axe";
import { findPlan } from "./database";
import { expect, type ShopPage, test, waitUntilInteractive } from "./fixtures";
import { GUEST_PAGES, MEMBER_PAGES, PAID_ORDER_PAGES, UNPAID_ORDER_PAGES } from "./page-types";
import { findTextProblems } from "./texts";
import { buyPass, placeOrder, signUp } from "./users";

/** In each language and on each surface; `npm test` takes one project of each language. */
const tag = ["@matrix", "@desktop-zh", "@phone-ja"];
/** Pages whose dark theme `npm test` looks at: one of each layout. */
const DARK = ["/", "/product/quillon-draft", "/blog/detail/how-long-a-pass", "/login", "/cart", "/profile"];

/** Opens pages and expects that their texts are whole and, on one project or in the complete run, that they are accessible. */
async function expectSoundPages(
  { page, locale, device, at }: ShopPage,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    await page.goto(at(path), { waitUntil: "domcontentloaded" });
    await waitUntilInteractive(page);
    expect.soft(await findTextProblems(page, locale), path).toEqual([]);
    if (isComplete || (locale === "en" && device === "desktop"))
      await expectAccessible(page, path, { dark: isComplete || DARK.includes(path) });
  }
}

test("every route is visited here", { tag: "@once" }, () => {
  const paths = [
    ...Object.values(GUEST_PAGES).flat(),
    ...MEMBER_PAGES,
    ...UNPAID_ORDER_PAGES,
    ...PAID_ORDER_PAGES,
  ];
  const visited = paths.map((path) => routeOf(path.split("?", 1)[0]!)?.path);
  expect(ROUTES.filter(({ path }) => !visited.includes(path)).map(({ path }) => path)).toEqual([]);
});

for (const [name, paths] of Object.entries(GUEST_PAGES))
  test(`public pages are translated, fit the window and are accessible: ${name}`, { tag }, async ({
    shop,
    watch,
  }) => {
    watch.allow(404);
    await expectSoundPages(shop, paths);
  });

test("empty pages of a user are translated, fit the window and are accessible", { tag }, async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(404); // a checkout without an order
  await signUp(context.request, { locale: shop.locale });
  await expectSoundPages(shop, MEMBER_PAGES);
});

test("pages about an order are translated, fit the window and are accessible", { tag }, async ({
  shop,
  context,
}) => {
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
