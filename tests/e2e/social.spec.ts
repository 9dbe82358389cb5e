import { randomInt } from "node:crypto";
import { type Browser, type BrowserContextOptions, devices, type Page } from "@playwright/test";
import type { Locale } from "@/lib/platform/i18n/locales";
import { GITHUB_CLIENT, GithubEmulator, type GithubPerson } from "../setup/github";
import { OpenidProvider } from "../setup/openid";
import { type TestServer as Server, startTestServer } from "../setup/shop";
import { expectAccessible } from "./axe";
import { findPlan } from "./database";
import { createShopPage, type Device, expect, type ShopPage, test, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { button } from "./screens";
import { newUser, signUp } from "./users";
import { watchContext } from "./watch";

// With a header of the test, requests to the providers would need a preflight, which they do not answer.
test.use({ extraHTTPHeaders: {} });
// These journeys start a server with both providers; the server of all other journeys has none.
test.describe.configure({ mode: "default" });
const github = new GithubEmulator();
const google = new OpenidProvider();
let server: Server;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const hub = await github.start();
  const issuer = await google.start();
  server = await startTestServer({
    databaseUrl: process.env.DATABASE_URL ?? "",
    dataDir: process.env.DATA_DIR ?? "",
    log: "test-results/server-social.log",
    variables: {
      GITHUB_CLIENT_ID: GITHUB_CLIENT.id,
      GITHUB_CLIENT_SECRET: GITHUB_CLIENT.secret,
      GITHUB_LOGIN_BASE: hub,
      GITHUB_API_BASE: hub,
      GOOGLE_CLIENT_ID: "shop",
      GOOGLE_ISSUER: issuer,
      GOOGLE_SCRIPT_URL: `${issuer}/gsi/client`,
    },
  });
});
test.afterAll(async () => {
  await server?.stop();
  await Promise.all([github.stop(), google.stop()]);
});

type Visit = { locale?: Locale; device?: Device; allow?: number[] };

/** A visitor of that server. Its pages may send requests to the two providers; any other problem fails the test. */
async function visit(
  browser: Browser,
  action: (shop: ShopPage) => Promise<void>,
  { locale = "en", device, allow = [] }: Visit = {},
) {
  const kind: BrowserContextOptions = device === "phone" ? devices["Pixel 7"] : devices["Desktop Chrome"];
  const context = await browser.newContext({ ...kind, locale, baseURL: server.address });
  const watch = await watchContext(context, server.address);
  watch.allow(...allow);
  await action(createShopPage(await context.newPage(), { locale, device: device ?? "desktop" }));
  await context.close();
  const allowed = [github.address, google.issuer].map((origin) => `request to ${origin}/`);
  expect(watch.problems.filter((problem) => !allowed.some((start) => problem.startsWith(start)))).toEqual([]);
}

function atGithub(email: string, verified = true): GithubPerson {
  const id = randomInt(2 ** 40);
  return { id, login: `hub-${id}`, name: "Grace", emails: [{ email, primary: true, verified }] };
}

const googleButton = (page: Page) => page.getByRole("button", { name: /^Google \(/ });
const profileOf = async ({ page, go }: ShopPage, email: string) => {
  await go("/profile");
  await expect(page.getByText(email).first()).toBeVisible();
};

test("a guest registers with GitHub and returns to the requested page", { tag: "@all" }, async ({
  browser,
}) => {
  const { email } = newUser();
  github.who = atGithub(email);
  await visit(browser, async (shop) => {
    const { page, t, arrive } = shop;
    await page.goto(shop.at("/order-history"));
    await arrive("/login");
    await button(shop, t("accounts.social.github")).click();
    await arrive("/order-history");
    await profileOf(shop, email);
    const { subject } = await waitForMail(page.request, email, "welcome");
    expect(subject).toBe(t("emails.welcome.subject", { brand: "Passlane" }));
  });
});

test("a login with GitHub adds the chosen pass to the cart", { tag: "@all" }, async ({ browser }) => {
  const plan = await findPlan("quillon-draft", 7);
  github.who = atGithub(newUser().email);
  await visit(
    browser,
    async (shop) => {
      const { page, t, go, arrive } = shop;
      await go(`/register?add=${plan.product_id}-${plan.vip_id}`);
      await button(shop, t("accounts.social.github")).click();
      await arrive("/cart");
      const { data } = await (await page.request.get("/api/v1/cart/list")).json();
      expect(data.cart_items.map((item: { vip_id: number }) => item.vip_id)).toEqual([plan.vip_id]);
    },
    { locale: "ja", device: "phone" },
  );
});

for (const provider of ["GitHub", "Google"] as const)
  test(`a sign-in with ${provider} over the product adds the chosen pass`, {
    tag: "@all",
  }, async ({ browser }) => {
    const plan = await findPlan("quillon-draft", 7);
    const { email } = newUser();
    github.who = atGithub(email);
    await visit(
      browser,
      async (shop) => {
        const { page, t, go, arrive } = shop;
        await go(`/product/quillon-draft?plan=${plan.vip_id}`);
        await page.evaluate((value) => localStorage.setItem("atGoogle", value), `email=${email}`);
        await button(shop, t("catalog.product.add")).click();
        const form = page.getByRole("dialog");
        if (provider === "GitHub")
          await form.getByRole("button", { name: t("accounts.social.github") }).click();
        else await googleButton(page).click();
        await arrive("/cart");
        await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
        const { data } = await (await page.request.get("/api/v1/cart/list")).json();
        expect(data.cart_items.map((item: { vip_id: number }) => item.vip_id)).toEqual([plan.vip_id]);
      },
      { allow: [401] },
    );
  });

test("a failed GitHub login shows the reason and keeps the email login", { tag: "@all" }, async ({
  browser,
}) => {
  await visit(browser, async (shop) => {
    const { page, t, go, arrive } = shop;
    const press = () => button(shop, t("accounts.social.github")).click();
    await go("/login?redirect=/cart");
    github.who = undefined;
    await press();
    await arrive("/login?redirect=%2Fcart&error=cancelled");
    await expect(page.getByText(t("accounts.social.problem.cancelled"))).toBeVisible();
    github.who = atGithub(newUser().email, false);
    await press();
    await arrive("/login?redirect=%2Fcart&error=unverified");
    await expect(page.getByText(t("accounts.social.problem.unverified"))).toBeVisible();
    github.who = atGithub(newUser().email);
    await press();
    await arrive("/cart");
  });
});

test("a Google login is linked to the account of the same address, and its owner is notified", {
  tag: "@all",
}, async ({ browser }) => {
  await visit(
    browser,
    async (shop) => {
      const { page, t, go, arrive } = shop;
      const user = await signUp(page.request, { locale: "zh", verified: true });
      await page.request.post("/api/v1/auth/logout", { data: {} });
      await page.context().clearCookies();
      await go("/login");
      await page.evaluate((email) => localStorage.setItem("atGoogle", `email=${email}`), user.email);
      await expect(googleButton(page)).toHaveText("Google (zh_CN)");
      await googleButton(page).click();
      await arrive("/profile");
      await expect(page.getByText(user.email).first()).toBeVisible();
      await expect(page.getByText(t("accounts.profile.lead", { name: user.username }))).toBeVisible();
      expect((await waitForMail(page.request, user.email, "account-notice")).text).toContain("Google");
    },
    { locale: "zh" },
  );
});

test("a refused Google token is reported, and the next one is accepted", { tag: "@all" }, async ({
  browser,
}) => {
  const { email } = newUser();
  await visit(browser, async (shop) => {
    const { page, go, arrive } = shop;
    const sit = (who: string) => page.evaluate((value) => localStorage.setItem("atGoogle", value), who);
    await go("/login");
    await page.route("**/api/v1/auth/login/google", async (route) => {
      const response = await route.fetch();
      // The browser logs the status of a rejection as an error of the page.
      await route.fulfill({ response, status: 200 });
    });
    await sit(`email=${email}&verified=no`);
    await googleButton(page).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText(
      "Login failed. Please try again later",
    );
    await sit(`email=${email}`);
    await googleButton(page).click();
    await arrive("/profile");
    await expect(page.getByText(email).first()).toBeVisible();
  });
});

test("a Google script that does not load is reported and retried on click", { tag: "@all" }, async ({
  browser,
}) => {
  const { email } = newUser();
  await visit(browser, async (shop) => {
    const { page, t, go, arrive } = shop;
    let broken = true;
    await page.route(`${google.issuer}/gsi/client`, (route) =>
      broken ? route.fulfill({ contentType: "text/javascript", body: "" }) : route.continue(),
    );
    await go("/register");
    const replacement = button(shop, t("accounts.social.google"));
    await expect(page.getByText(t("accounts.social.google_failed"))).toBeHidden();
    await replacement.click();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(
      "Google login service initialization failed, please refresh the page and try again",
    );
    broken = false;
    await replacement.click();
    await page.evaluate((value) => localStorage.setItem("atGoogle", value), `email=${email}`);
    await googleButton(page).click();
    await arrive("/profile");
  });
});

test("pages with both providers are accessible, in light and dark", { tag: "@all" }, async ({ browser }) => {
  for (const device of ["desktop", "phone"] as const)
    await visit(
      browser,
      async ({ page, at }) => {
        for (const path of ["/login?error=failed", "/register"]) {
          await page.goto(at(path));
          await waitUntilInteractive(page);
          await expect(googleButton(page)).toBeVisible();
          const target = await googleButton(page).boundingBox();
          expect(target?.height).toBeGreaterThanOrEqual(44);
          await expectAccessible(page, path);
        }
      },
      { device },
    );
});

test("a sandbox without providers has a labelled stand-in page for each", { tag: "@all" }, async ({
  shop,
}) => {
  const { page, t, go, arrive } = shop;
  const email = newUser().email;
  await go("/login?redirect=/order-history");
  const title = page.getByRole("heading", { name: t("accounts.social.sandbox.title_github") });
  await button(shop, t("accounts.social.github_sandbox")).click();
  await expect(title).toBeVisible();
  await expectAccessible(page, "/dev/sign-in/github");
  await page.getByRole("button", { name: t("accounts.social.sandbox.cancel") }).click();
  await arrive("/login?redirect=%2Forder-history&error=cancelled");
  await button(shop, t("accounts.social.github_sandbox")).click();
  // The login has an email field too.
  await expect(title).toBeVisible();
  await page.getByLabel(t("accounts.social.sandbox.email")).fill(email);
  await page.getByRole("button", { name: t("accounts.social.sandbox.submit"), exact: true }).click();
  await arrive("/order-history");
  await profileOf(shop, email);
});

test("a guest signs in with the sandbox's Google over a product, in a separate window", {
  tag: "@all",
}, async ({ shop, watch }) => {
  const { page, t, go, arrive } = shop;
  const plan = await findPlan("quillon-draft", 7);
  watch.allow(401);
  await go(`/product/quillon-draft?plan=${plan.vip_id}`);
  await button(shop, t("catalog.product.add")).click();
  const opened = page.waitForEvent("popup");
  // Until the provider's own button is loaded, a placeholder of the same name stands there and opens nothing.
  const provided = page.getByRole("dialog").locator("[data-stand-in=google]");
  await expect(provided).toHaveText(t("accounts.social.google_sandbox"));
  await provided.click();
  const popup = await opened;
  await popup.getByLabel(t("accounts.social.sandbox.email")).fill(newUser().email);
  await popup.getByRole("button", { name: t("accounts.social.sandbox.submit") }).click();
  await arrive("/cart");
  await expect(page.getByText(t("cart.summary.passes", { count: 1 }))).toBeVisible();
});
