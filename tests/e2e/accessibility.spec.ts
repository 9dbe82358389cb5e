import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type Access, ROUTES, routeOf } from "@/lib/routes";
import { expect, test } from "./fixtures";
import { fillCart, placeOrder, signUp } from "./people";
import { button, pay } from "./screens";
import { nameOf, planOf } from "./table";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

type Found = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];
const said = (found: Found) =>
  found.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`));

/** What axe finds on the page as it stands; the colours in the dark as well. */
async function faults(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await new AxeBuilder({ page }).withTags(RULES).analyze();
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = await new AxeBuilder({ page }).withRules(["color-contrast", "link-in-text-block"]).analyze();
  return [...said(light.violations), ...said(dark.violations).map((fault) => `dark ${fault}`)];
}

/** Expects that every route of these kinds was looked at, and that nothing was found. */
function expectClean(found: Record<string, string[]>, ...kinds: Access[]): void {
  const seen = Object.keys(found).map((path) => routeOf(path.split(/[? ]/, 1)[0]!)?.path);
  const missed = ROUTES.filter(({ path, access }) => kinds.includes(access) && !seen.includes(path));
  expect(missed.map(({ path }) => path)).toEqual([]);
  expect(Object.entries(found).filter(([, faulty]) => faulty.length > 0)).toEqual([]);
}

const PUBLIC = [
  "/",
  "/top-trending",
  "/limited-offer",
  "/search",
  "/search?q=draft",
  "/search?q=zzzzzz",
  "/product/quillon-draft",
  "/product/cadrell-score",
  "/product/ozmere-motion",
  "/product/tessock-sql",
  "/product/detail/1001",
  "/login",
  "/register",
];

test("axe finds nothing on the pages of guests", { tag: "@phone-ja" }, async ({ shop, watch }) => {
  test.slow();
  const found: Record<string, string[]> = {};
  for (const path of PUBLIC) {
    await shop.go(path);
    found[path] = await faults(shop.page);
  }
  await button(shop, shop.t("accounts.register.send")).click();
  found["/register with errors"] = await faults(shop.page);
  watch.allow(404);
  await shop.go("/no-such-page");
  found["/no-such-page"] = await faults(shop.page);
  expectClean(found, "public", "guest-only");
});

test("axe finds nothing on the pages of members", { tag: "@phone-ja" }, async ({ shop, context }) => {
  test.slow();
  const { page, t, go, arrive, locale } = shop;
  await signUp(context.request, { locale });
  const found: Record<string, string[]> = {};
  const look = async (path: string) => {
    await go(path);
    found[path] = await faults(page);
  };
  for (const path of ["/cart", "/order-history", "/library", "/profile", "/checkout?order_id=ord_none"])
    await look(path);

  const plan = await planOf("swarrel-cut", 3);
  const orderId = await placeOrder(context.request, plan);
  await fillCart(context.request, await planOf("murrelet-voice", 30));
  await fillCart(context.request, await planOf("ozmere-motion", 7));
  await look("/cart");
  const name = await nameOf("murrelet-voice", locale);
  await button(shop, t("cart.line.change_plan_named", { name })).click();
  await expect(page.getByRole("dialog").getByRole("radio").first()).toBeAttached();
  found["/cart with plans"] = await faults(page);

  await look("/order-history");
  await look(`/order-history?order_id=${orderId}`);
  await look(`/payment/cancel?order_id=${orderId}`);
  await look(`/checkout?order_id=${orderId}`);
  await button(shop, t("orders.checkout.email_change_named")).click();
  found["/checkout with another address"] = await faults(page);
  await pay(shop, plan.price_cents, "requires_action");
  await expect(page.getByRole("dialog")).toBeVisible();
  found["/checkout with the bank's question"] = await faults(page);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("payments.sandbox.refuse") })
    .click();
  await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
  found["/checkout declined"] = await faults(page);
  await look(`/payment/error?order_id=${orderId}`);

  await go(`/checkout?order_id=${orderId}`);
  await pay(shop, plan.price_cents, "succeeded");
  await arrive(`/payment/success?order_id=${orderId}`);
  await button(shop, t("delivery.code.reveal")).click();
  await expect(button(shop, t("delivery.code.copy"))).toBeVisible();
  found["/payment/success"] = await faults(page);
  await look("/library");
  await look(`/order-history?order_id=${orderId}`);
  expectClean(found, "login");
});
