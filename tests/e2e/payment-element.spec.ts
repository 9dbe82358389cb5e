import { type Browser, type BrowserContext, devices } from "@playwright/test";
import { type TestServer as Server, startTestServer } from "../setup/shop";
import { routeStripe } from "../setup/stripe-script";
import { StripeServer } from "../setup/stripe-server";
import { countCharges, findOrders, findPlan } from "./database";
import { createShopPage, expect, type ShopPage, test } from "./fixtures";
import { countMails } from "./mails";
import { button, emailChoice, expectSameCodes, payButton } from "./screens";
import { placeOrder, signUp } from "./users";
import { watchContext } from "./watch";

// With a header of the test, requests to the provider would need a preflight, which it does not answer.
test.use({ extraHTTPHeaders: {} });
// These journeys start a server in test payment mode: its SDK talks to the sandbox over HTTP, its pages load a fake of
// the provider's script. With E2E_STRIPE_SHOP they visit a running server whose provider is at port 4439.
test.describe.configure({ mode: "default" });
const provider = new StripeServer();
let server: Pick<Server, "address" | "stop">;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const running = process.env.E2E_STRIPE_SHOP;
  const base = await provider.start(running ? 4439 : 0);
  server = running
    ? { address: running, stop: async () => {} }
    : await startTestServer({
        databaseUrl: process.env.DATABASE_URL ?? "",
        dataDir: process.env.DATA_DIR ?? "",
        log: "test-results/server-stripe.log",
        variables: {
          PAYMENT_MODE: "test",
          STRIPE_SECRET_KEY: "sk_test_stand_in",
          STRIPE_PUBLISHABLE_KEY: "pk_test_stand_in",
          STRIPE_API_BASE: base,
        },
      });
  provider.sendEventsTo(server.address);
});
test.afterAll(async () => {
  await server?.stop();
  await provider.stop();
});

type Visit = { shop: ShopPage; context: BrowserContext; email: string; orderId: string; cents: number };

/** Opens the checkout of a new order on that server; its pages may contact the provider's addresses. */
async function checkout(
  browser: Browser,
  work: (visit: Visit) => Promise<void>,
  { before, allow = [] }: { before?: (context: BrowserContext) => Promise<unknown>; allow?: number[] } = {},
) {
  const context = await browser.newContext({
    ...devices["Desktop Chrome"],
    locale: "en-US",
    baseURL: server.address,
  });
  const watch = await watchContext(context, server.address);
  watch.allow(402, ...allow);
  await routeStripe(context, provider);
  await before?.(context);
  const { email } = await signUp(context.request, { locale: "en" });
  const shop = createShopPage(await context.newPage(), { locale: "en", device: "desktop" });
  const visit = { shop, context, email, ...(await newOrder(context)) };
  await shop.go(`/checkout?order_id=${visit.orderId}`);
  await emailChoice(shop).check();
  await work(visit);
  await context.close();
  const unexpected = watch.problems.filter(
    (problem) => problem.includes("CSP") || !/https:\/\/(js|api|hooks)\.stripe\.com\//.test(problem),
  );
  expect(unexpected, "the pages complain").toEqual([]);
}

async function newOrder(context: BrowserContext) {
  const plan = await findPlan("tolkstra-docs", 7);
  return { orderId: await placeOrder(context.request, plan), cents: plan.price_cents };
}

const fill = ({ page }: ShopPage, last4: string) =>
  page.getByLabel("Card number").fill(`400000000000${last4}`);
const clickPay = ({ shop, cents }: Visit) => payButton(shop, cents).click();
const expectPaid = async ({ shop, orderId, email }: Visit) => {
  await shop.arrive(`/payment/success?order_id=${orderId}`);
  await expectSameCodes(shop, { orderId, to: email });
  expect(await countCharges(orderId)).toBe(1);
};

test("a card pays in the provider's own fields", { tag: "@all" }, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { shop, email } = visit;
    await clickPay(visit); // empty fields show an error, and nothing is sent
    await expect(shop.page.getByText("Your card number is incomplete.")).toBeVisible();
    expect((await findOrders(email))[0]).toMatchObject({ status: "pending" });
    await fill(shop, "4242");
    await payButton(shop, visit.cents).dblclick();
    await expectPaid(visit);
  });
});

test("an order stays held between a declined card and the next one", { tag: "@all" }, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { page, t } = visit.shop;
    await fill(visit.shop, "0002");
    await clickPay(visit);
    await expect(page.getByText(t("payments.decline.reason.card_declined"))).toBeVisible();
    await expect(page.getByText(t("payments.decline.kept"))).toBeVisible();
    await fill(visit.shop, "4242");
    await clickPay(visit);
    await expectPaid(visit);
  });
});

test("3-D Secure in a window is refused, then approved", { tag: "@all" }, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { page, t } = visit.shop;
    await fill(visit.shop, "3155");
    await clickPay(visit);
    await page.getByRole("button", { name: "Fail" }).click();
    await expect(page.getByText(t("payments.decline.reason.authentication"))).toBeVisible();
    await clickPay(visit);
    await page.getByRole("button", { name: "Complete" }).click();
    await expectPaid(visit);
  });
});

test("3-D Secure on the bank's page leads back to the error page when refused, and to the pass when approved", {
  tag: "@all",
}, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { page, t, arrive } = visit.shop;
    await fill(visit.shop, "3063");
    await clickPay(visit);
    await page.getByRole("link", { name: "no" }).click();
    await arrive(`/payment/error?order_id=${visit.orderId}`);
    await expect(page.getByText(t("payments.decline.reason.authentication"))).toBeVisible();
    await page.getByRole("link", { name: t("payments.unpaid.continue") }).click();
    await arrive(`/checkout?order_id=${visit.orderId}`);
    await fill(visit.shop, "3063");
    await clickPay(visit);
    await page.getByRole("link", { name: "yes" }).click();
    await expectPaid(visit);
  });
});

test("a wallet's button stands first, and pays the same intent without the card fields", {
  tag: "@all",
}, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { page, t } = visit.shop;
    const wallets = page.getByRole("region", { name: t("payments.method.express") });
    const wallet = wallets.getByRole("button", { name: "Google Pay" });
    const card = page.getByRole("radio", { name: t("payments.method.card"), exact: false });
    await expect(wallet).toBeVisible();
    expect((await wallet.boundingBox())!.y).toBeLessThan((await card.boundingBox())!.y);
    await wallet.dblclick();
    await expectPaid(visit);
  });
});

test("a card is stored during a payment and pays the next order", { tag: "@all" }, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { page, t, go } = visit.shop;
    await fill(visit.shop, "4242");
    await page.getByRole("checkbox", { name: t("payments.method.save") }).check();
    await clickPay(visit);
    await expectPaid(visit);
    const next = { ...visit, ...(await newOrder(visit.context)) };
    await go(`/checkout?order_id=${next.orderId}`);
    await emailChoice(visit.shop).check();
    await page.getByRole("radio", { name: /Visa ending in 4242/ }).check();
    await expect(page.getByLabel("Card number")).toHaveCount(0);
    await clickPay(next);
    await visit.shop.arrive(`/payment/success?order_id=${next.orderId}`);
    expect(await countCharges(next.orderId)).toBe(1);
  });
});

test("a blocked provider script shows an error and loads at the next try", { tag: "@all" }, async ({
  browser,
}) => {
  let blocked = true;
  const before = (context: BrowserContext) =>
    context.route("https://js.stripe.com/**", (route) =>
      blocked ? route.abort("blockedbyclient") : route.fallback(),
    );
  await checkout(
    browser,
    async (visit) => {
      const { page, t } = visit.shop;
      await expect(page.getByText(t("payments.stripe.blocked_title"))).toBeVisible();
      await expect(payButton(visit.shop, visit.cents)).toBeDisabled();
      blocked = false;
      await button(visit.shop, t("payments.method.retry")).click();
      await fill(visit.shop, "4242");
      await clickPay(visit);
      await expectPaid(visit);
    },
    { before },
  );
});

test("a provider script that times out shows an error and is used when it arrives late", {
  tag: "@all",
}, async ({ browser }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const before = (context: BrowserContext) =>
    context.route("https://js.stripe.com/**", async (route) => {
      await released;
      await route.fallback();
    });
  await checkout(
    browser,
    async (visit) => {
      const { page, t } = visit.shop;
      await expect(page.getByText(t("payments.stripe.blocked_title"))).toBeVisible({ timeout: 120_000 });
      release();
      await fill(visit.shop, "4242");
      await clickPay(visit);
      await expectPaid(visit);
    },
    { before },
  );
});

test("a missing publishable key shows an error and keeps the order", { tag: "@all" }, async ({ browser }) => {
  const before = (context: BrowserContext) =>
    context.route("**/payment/stripe/create-payment-intent", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({
        response,
        json: { ...body, data: { ...body.data, publishableKey: "" } },
      });
    });
  await checkout(
    browser,
    async ({ shop, email, cents }) => {
      await expect(shop.page.getByText(shop.t("payments.stripe.missing_key_title"))).toBeVisible();
      await expect(payButton(shop, cents)).toBeDisabled();
      expect((await findOrders(email))[0]).toMatchObject({ status: "pending" });
    },
    { before },
  );
});

test("a payment without a response shows a notice with a link to its status", {
  tag: "@all",
}, async ({ browser }) => {
  const before = (context: BrowserContext) =>
    context.route("https://api.stripe.com/**", async (route) => {
      // The provider completes the payment, and its response never reaches the browser.
      await provider.fromBrowser(route.request().url(), route.request().postData() ?? "");
    });
  await checkout(
    browser,
    async (visit) => {
      const { page, t } = visit.shop;
      await fill(visit.shop, "4242");
      await clickPay(visit);
      await expect(page.getByText(t("payments.slow.title"))).toBeVisible({ timeout: 120_000 });
      await button(visit.shop, t("payments.slow.look")).click();
      await expectPaid(visit);
    },
    { before },
  );
});

test("closing the tab during a payment loses nothing; going back after success offers no payment", {
  tag: "@all",
}, async ({ browser }) => {
  await checkout(browser, async (visit) => {
    const { shop, context, orderId, email, cents } = visit;
    await fill(shop, "4242");
    const sent = shop.page.waitForResponse(/payment_intents\/.*\/confirm/);
    await clickPay(visit);
    await sent;
    await shop.page.close();
    const secondTab = createShopPage(await context.newPage(), { locale: "en", device: "desktop" });
    await secondTab.go("/cart");
    await secondTab.go(`/checkout?order_id=${orderId}`).catch(() => {}); // redirects when the order is paid already
    await secondTab.arrive(`/payment/success?order_id=${orderId}`);
    await expectSameCodes(secondTab, { orderId, to: email });
    await secondTab.page.goBack();
    await expect(payButton(secondTab, cents)).toHaveCount(0);
    expect(await countCharges(orderId)).toBe(1);
    expect(await countMails(context.request, email, "keys")).toBe(1);
  });
});
