import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { bytesSent } from "../setup/bytes-sent";
import { consolePath, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

/** The limits of docs/performance.md#bars on transferred bytes; 1 kB is 1,000 bytes. */
const HTML = 18_000;
const JAVASCRIPT = 160_000;
const CONSOLE_JAVASCRIPT = 260_000;
const IDLE_REQUESTS = 45;
/** Screens of the console call addresses below this one. Public scripts know only the address of pictures, by the table of routes. */
const CONSOLE_CODE = /["'`]\/admin\/(?!product-image)|\bcmdk-/;

for (const path of ["/", "/product/quillon-draft"])
  test(`${path} stays within its budgets of HTML, JavaScript and requests, and loads nothing from other origins`, {
    tag: ["@all", "@matrix"],
  }, async ({ page, go }) => {
    const scripts = new Set<string>();
    const foreign = new Set<string>();
    let requests = 0;
    page.on("request", (request) => {
      if (!request.url().startsWith("http")) return;
      requests += 1;
      if (request.resourceType() === "script") scripts.add(request.url());
      if (new URL(request.url()).origin !== new URL(page.url()).origin && page.url().startsWith("http"))
        foreign.add(request.url());
    });
    await go(path);
    await page.waitForLoadState("networkidle");
    // The count until the load event depends on the machine; bench:pages measures it.
    expect(requests).toBeLessThanOrEqual(IDLE_REQUESTS);
    const headers = { "user-agent": await page.evaluate(() => navigator.userAgent) };
    const sizes = await Promise.all([...scripts].map((url) => bytesSent(url, headers)));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(JAVASCRIPT);
    expect(await bytesSent(page.url(), headers)).toBeLessThanOrEqual(HTML);
    expect([...foreign]).toEqual([]);
    const texts = await Promise.all([...scripts].map(async (url) => (await page.request.get(url)).text()));
    expect(texts.filter((text) => !text.startsWith("//# allFunctionsCalledOnLoad\n"))).toEqual([]);
    expect([...scripts].filter((_, i) => CONSOLE_CODE.test(texts[i]!))).toEqual([]);
  });

for (const screen of [
  "/console",
  "/console/orders",
  "/console/products",
  "/console/audit",
  "/merchant",
  "/merchant/products",
])
  test(`the first load of ${screen} stays within its JavaScript budget`, {
    tag: ["@all", "@once"],
  }, async ({ page, context, baseURL, locale }) => {
    const seller = await createSeller(await createMerchant());
    await signInAs(context, baseURL!, screen.startsWith("/merchant") ? seller : await createStaff());
    const scripts = new Set<string>();
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.add(request.url());
    });
    const path = screen.replace("/merchant", `/merchant/${seller.merchant.handle}`);
    await page.goto(consolePath(path, locale));
    await waitUntilInteractive(page);
    await page.waitForLoadState("networkidle");
    const headers = { "user-agent": await page.evaluate(() => navigator.userAgent) };
    const sizes = await Promise.all([...scripts].map((url) => bytesSent(url, headers)));
    const sum = sizes.reduce((total, size) => total + size, 0);
    console.log(`${screen}: ${(sum / 1000).toFixed(1)} kB of JavaScript in ${scripts.size} files`);
    expect(sum).toBeLessThanOrEqual(CONSOLE_JAVASCRIPT);
    // Public pages are searched for this text, so it must be the mark of a screen with calls.
    const texts = await Promise.all([...scripts].map(async (url) => (await page.request.get(url)).text()));
    if (screen === "/console/orders") expect(texts.some((text) => CONSOLE_CODE.test(text))).toBe(true);
  });

test("structured data is in the first HTML, and stays in the document after hydration", {
  tag: ["@all", "@once"],
}, async ({ page, go }) => {
  const answer = page.waitForResponse((response) => response.request().isNavigationRequest());
  await go("/product/quillon-draft");
  const html = await (await answer).text();
  expect(html).toContain('"@context"');
  await page.waitForLoadState("networkidle");
  const stored = await page.locator("script[type='application/ld+json']").first().textContent();
  expect(JSON.parse(stored ?? "")[0]["@type"]).toBe("ProductGroup");
});
