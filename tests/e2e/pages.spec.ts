import { findRoute, ROUTES } from "@/lib/platform/routing/routes";
import { isComplete } from "../setup/rounds";
import { expectAccessible } from "./axe";
import { findPlan } from "./database";
import { expect, type ShopPage, test, waitUntilInteractive } from "./fixtures";
import { GUEST_PAGES, MEMBER_PAGES, PAID_ORDER_PAGES, UNPAID_ORDER_PAGES } from "./page-types";
import { findTextProblems } from "./texts";
import { buyPass, placeOrder, signUp } from "./users";

/** In each language and on each surface; `npm test` takes some groups on the English desktop, and one on the Japanese phone. */
const EVERYWHERE = ["@matrix"];
const COMPLETE_ONLY = ["@matrix", "@all"];
const ORDER_TAGS = [...COMPLETE_ONLY, "@phone-ja"];
/** The groups of public pages in `npm test`. */
const SHORT_GROUPS = ["products"];
/** Pages that `npm test` checks in the dark theme: one of each layout. */
const DARK = ["/", "/product/quillon-draft", "/blog/detail/how-long-a-pass", "/login", "/cart", "/profile"];

/** Accessibility is checked on every project of the complete run, and on the English desktop in `npm test`. */
const checksAccessibility = ({ locale, device }: Pick<ShopPage, "locale" | "device">) =>
  isComplete || (locale === "en" && device === "desktop");

async function expectSoundPages(
  shop: ShopPage,
  paths: readonly string[],
  { scripts = true } = {},
): Promise<void> {
  const { page, locale, at } = shop;
  for (const path of paths) {
    await page.goto(at(path), { waitUntil: "domcontentloaded" });
    if (scripts) await waitUntilInteractive(page);
    expect.soft(await findTextProblems(page, locale), path).toEqual([]);
    if (checksAccessibility(shop))
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
  const visited = paths.map((path) => findRoute(path.split("?", 1)[0]!)?.path);
  expect(ROUTES.filter(({ path }) => !visited.includes(path)).map(({ path }) => path)).toEqual([]);
});

test.describe("public pages are translated, fit the window and are accessible", () => {
  // Their texts come with the HTML: where only these are checked, no script needs to run.
  test.use({ javaScriptEnabled: ({ locale, device }, use) => use(checksAccessibility({ locale, device })) });

  for (const [name, paths] of Object.entries(GUEST_PAGES))
    test(name, { tag: SHORT_GROUPS.includes(name) ? EVERYWHERE : COMPLETE_ONLY }, async ({
      shop,
      javaScriptEnabled,
    }) => {
      await expectSoundPages(shop, paths, { scripts: javaScriptEnabled });
    });
});

test("empty pages of a user are translated, fit the window and are accessible", {
  tag: COMPLETE_ONLY,
}, async ({ shop, context, watch }) => {
  watch.allow(404); // a checkout without an order, a page that does not exist
  await signUp(context.request, { locale: shop.locale });
  await expectSoundPages(shop, MEMBER_PAGES);
});

test("pages about an order are translated, fit the window and are accessible", { tag: ORDER_TAGS }, async ({
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
