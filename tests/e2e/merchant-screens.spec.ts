import { readdirSync } from "node:fs";
import { createSignedInUser } from "@/db/factories/accounts";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { createBusyMerchant, merchantScreens } from "./merchant-screens";
import { findTextProblems } from "./texts";

/** In each language and on each surface. */
const EVERYWHERE = { tag: ["@all", "@matrix"] };

test("every page of the merchant console is visited here", { tag: ["@all", "@once"] }, async () => {
  const busy = await createBusyMerchant();
  const visited = new Set(
    merchantScreens(busy).map((path) =>
      path
        .split("?", 1)[0]!
        .replace(`/merchant/${busy.merchant.handle}`, "")
        .replace(/\/(\d+|(?:chg|kb|whk)_\w+)/, "/[id]"),
    ),
  );
  const pages = readdirSync("app/[locale]/(console)/merchant/[handle]", {
    recursive: true,
    encoding: "utf8",
  }).flatMap((file) => (/^(.*\/)?page\.tsx$/.test(file) ? [`/${file}`.replace(/\/page\.tsx$/, "")] : []));
  expect(pages.filter((page) => page !== "/[...rest]" && !visited.has(page))).toEqual([]);
});

test(
  "merchant screens are translated, fit the window and are accessible",
  EVERYWHERE,
  async ({ page, context, baseURL, locale }) => {
    test.slow();
    const busy = await createBusyMerchant();
    await signInAs(context, baseURL!, busy.owner);
    for (const path of merchantScreens(busy)) {
      await page.goto(consolePath(path, locale));
      await waitUntilInteractive(page);
      expect.soft(await findTextProblems(page, locale), path).toEqual([]);
      await expectAccessible(page, path);
    }
  },
);

test(
  "merchant screens without data are translated, fit the window and are accessible",
  EVERYWHERE,
  async ({ page, context, baseURL, locale }) => {
    test.slow();
    const merchant = await createMerchant();
    await createSeller(merchant);
    await signInAs(context, baseURL!, await createSeller(merchant, { role: "member" }));
    for (const screen of [
      "",
      "/sales",
      "/money",
      "/requests",
      "/reviews",
      "/insight",
      "/products",
      "/changes",
      "/keys",
      "/keys/batches",
      "/developers",
      "/webhooks",
      "/bulk",
    ]) {
      await page.goto(consolePath(`/merchant/${merchant.handle}${screen}`, locale));
      await waitUntilInteractive(page);
      expect.soft(await findTextProblems(page, locale), screen).toEqual([]);
      await expectAccessible(page, screen);
    }
  },
);

test(
  "staff screens about a merchant are translated, fit the window and are accessible",
  EVERYWHERE,
  async ({ page, context, baseURL, locale }) => {
    test.slow();
    const { merchant, change, batch } = await createBusyMerchant();
    await signInAs(context, baseURL!, await createStaff());
    for (const path of [
      "/console/merchants",
      `/console/merchants/${merchant.id}`,
      `/console/merchants/${merchant.id}/sales`,
      ...["team", "products", "trade", "history"].map(
        (tab) => `/console/merchants/${merchant.id}?tab=${tab}`,
      ),
      "/console/trade-files",
      "/console/changes",
      `/console/changes/${change}`,
      `/console/keys/batches/${batch}`,
    ]) {
      await page.goto(consolePath(path, locale));
      await waitUntilInteractive(page);
      expect.soft(await findTextProblems(page, locale), path).toEqual([]);
      await expectAccessible(page, path);
    }
  },
);

test(
  "a suspended merchant reads why it cannot add products and codes",
  EVERYWHERE,
  async ({ page, context, baseURL, locale }) => {
    const texts = consoleTexts(locale);
    const merchant = await createMerchant({ state: "suspended" });
    await signInAs(context, baseURL!, await createSeller(merchant));
    for (const screen of ["/products/new", "/keys/import"]) {
      await page.goto(consolePath(`/merchant/${merchant.handle}${screen}`, locale));
      const main = page.getByRole("main");
      await expect(main.getByText(texts("console.merchant_home.state_suspended"))).toBeVisible();
      await expect(main.locator("form")).toHaveCount(0);
    }
  },
);

test(
  "a merchant member opens the console from the profile or at /merchant, and no one else can",
  EVERYWHERE,
  async ({ page, context, baseURL, locale }) => {
    const merchant = await createMerchant();
    const console = consolePath(`/merchant/${merchant.handle}`, locale);
    const address = new RegExp(`${console}$`);
    await signInAs(context, baseURL!, await createSeller(merchant));
    await page.goto(consolePath("/profile", locale));
    await page.getByRole("link", { name: merchant.name }).click();
    await expect(page).toHaveURL(address);
    await page.goto(consolePath("/merchant", locale));
    await expect(page).toHaveURL(address);

    await signInAs(context, baseURL!, await createSignedInUser());
    expect((await context.request.get(consolePath("/merchant", locale))).status()).toBe(404);
    await page.goto(consolePath("/profile", locale));
    await expect(page.locator("a[href*='/merchant']")).toHaveCount(0);
  },
);
