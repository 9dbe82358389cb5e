import { devices } from "@playwright/test";
import { client } from "@/db/client";
import { clientAddress } from "../setup/client-address";
import { findPlan } from "./database";
import { createShopPage, test } from "./fixtures";
import { placeOrder, signUp } from "./users";

const only = (process.env.SHOTS ?? "").split(",").filter(Boolean);
test("shots", async ({ browser, baseURL, watch }) => {
  test.setTimeout(500_000);
  watch.allow(401, 503);
  for (const locale of ["en", "zh", "ja"] as const)
    for (const device of ["desktop", "phone"] as const)
      for (const scheme of ["light", "dark"] as const) {
        if (only.length && !only.includes(`${locale}-${device}-${scheme}`)) continue;
        const kind = device === "phone" ? devices["Pixel 7"] : devices["Desktop Chrome"];
        const context = await browser.newContext({
          ...kind,
          locale,
          baseURL,
          colorScheme: scheme,
          extraHTTPHeaders: { "x-forwarded-for": clientAddress() },
        });
        const page = await context.newPage();
        const shop = createShopPage(page, { locale, device });
        const { t } = shop;
        const shot = (name: string, full = false) =>
          page.screenshot({ path: `/tmp/l/shots/${name}-${locale}-${device}-${scheme}.png`, fullPage: full });
        await shop.go("/product/quillon-draft");
        await shot("product");
        await page
          .getByRole("main")
          .getByRole("button", { name: t("catalog.product.buy"), exact: true })
          .click();
        const d = page.getByRole("dialog");
        await d.waitFor();
        await page.waitForTimeout(400);
        await shot("new");
        await d.getByRole("radio").last().check();
        await d.getByRole("button", { name: t("accounts.in_place.create") }).click();
        await page.waitForTimeout(300);
        await shot("errors");
        await d.getByRole("tab").last().click();
        await page.waitForTimeout(200);
        await shot("known");
        await page.keyboard.press("Escape");
        const user = await signUp(context.request, { locale });
        const plan = await findPlan("quillon-draft", 30);
        const orderId = await placeOrder(context.request, plan);
        await shop.go(`/checkout?order_id=${orderId}`);
        await page.waitForTimeout(600);
        await shot("checkout", true);
        await client()`update sessions set revoked_at = shop_now() where user_id = (select id from users where email = ${user.email})`;
        await page.getByRole("checkbox").first().check();
        await d.waitFor();
        await page.waitForTimeout(300);
        await shot("session");
        await context.clearCookies();
        await page.goto(shop.at("/register"));
        await page.waitForTimeout(300);
        await shot("register", true);
        await page.goto(
          shop.at(`/login?redirect=${encodeURIComponent(shop.at(`/checkout?order_id=${orderId}`))}`),
        );
        await shot("login");
        await context.close();
      }
});
