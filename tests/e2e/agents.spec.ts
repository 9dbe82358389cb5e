import type { APIResponse } from "@playwright/test";
import { clientAddress } from "../setup/client-address";
import { findViolations } from "./axe";
import { findAttribution, findPlan } from "./database";
import { expect, test } from "./fixtures";
import { button, logInPlace } from "./screens";
import { fillCart, signUp } from "./users";

test("an assistant's cart link opens the checkout of exactly these passes, and leaves the cart as it is", async ({
  shop,
  context,
  watch,
}) => {
  watch.allow(401);
  const { page, t, locale, arrive } = shop;
  const week = await findPlan("murrelet-voice", 7);
  const other = await findPlan("quillon-draft", 3);
  const user = await signUp(context.request, { locale });
  await fillCart(context.request, other);
  await context.clearCookies();
  const made = await context.request.post("/ucp/v1/carts", {
    headers: { "ucp-agent": 'profile="https://assistant.example.com/p"' },
    data: {
      line_items: [{ item: { id: String(week.vip_id) }, quantity: 2 }],
      context: { language: locale },
    },
  });
  expect(made.status()).toBe(201);
  const { continue_url, totals } = await made.json();
  const link = new URL(continue_url);
  await page.goto(link.pathname + link.search);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("agents.cart_link.title"));
  await expect(
    page.getByText(t("agents.cart_link.lead_by", { agent: "assistant.example.com" })),
  ).toBeVisible();
  expect(await findViolations(page, "main")).toEqual([]);
  await button(shop, t("agents.cart_link.order")).click();
  await logInPlace(shop, user);
  const address = await arrive("/checkout");
  const detail = await context.request.get(
    `/api/v1/order/detail?order_id=${address.searchParams.get("order_id")}`,
  );
  const { data } = await detail.json();
  expect(data.order_products).toMatchObject([{ vip_id: week.vip_id, quantity: 2 }]);
  expect(data.final_amount).toBe(totals[0].amount / 100);
  expect(await findAttribution(data.order_id)).toMatchObject({
    source: "agent",
    campaign: "assistant.example.com",
  });
  const cart = await (await context.request.get("/api/v1/cart/list")).json();
  expect(cart.data.cart_items).toMatchObject([{ vip_id: other.vip_id, quantity: 1 }]);
});

test("the planner puts the cheapest passes for nine days into the cart, from home and without script too", {
  tag: "@all",
}, async ({ shop, context, browser, watch }) => {
  watch.allow(401);
  const { page, t, locale, go, arrive } = shop;
  await signUp(context.request, { locale });
  await go("/");
  await page.getByRole("link", { name: t("agents.plan.home_link") }).click();
  await arrive("/plan");
  await page.getByLabel(t("agents.plan.need")).fill(t("catalog.tasks.draft.query"));
  await page.getByLabel(t("agents.plan.days")).fill("9");
  await button(shop, t("agents.plan.submit")).click();
  await expect(
    page
      .getByRole("list", { name: t("agents.plan.line") })
      .getByRole("listitem")
      .first(),
  ).toBeVisible();
  expect(await findViolations(page, "main")).toEqual([]);
  const { search, pathname } = new URL(page.url());
  await button(shop, t("agents.plan.add")).click();
  await arrive("/cart");
  await expect(page.getByRole("main").getByRole("checkbox").first()).toBeVisible();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(new URL(pathname + search, page.url()).href);
  await expect(still.getByRole("list", { name: t("agents.plan.line") })).toBeVisible();
  await plain.close();

  await go("/plan?need=x&days=0");
  await expect(page.getByText(t("agents.plan.days_invalid", { max: 366 }))).toBeVisible();
});

test("each endpoint of the built shop responds to an address that reads too much with 429 and the seconds to wait", {
  tag: ["@all", "@once"],
}, async ({ request }) => {
  const flood = async (send: (headers: Record<string, string>) => Promise<APIResponse>) => {
    const headers = { "x-forwarded-for": clientAddress() };
    const answers = await Promise.all(Array.from({ length: 250 }, () => send(headers)));
    const statuses = answers.map((answer) => answer.status());
    expect(statuses).toContain(429);
    expect(statuses).not.toContain(500);
    const refused = answers.find((answer) => answer.status() === 429)!;
    expect(Number(refused.headers()["retry-after"])).toBeGreaterThan(0);
  };
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  await flood((headers) => request.get("/api/v1/product/suggest?keyword=podcast", { headers }));
  await flood((headers) => request.post("/mcp", { headers, data: ping }));
  await flood((headers) => request.post("/ucp/v1/catalog/product", { headers, data: { id: "nothing" } }));
});
