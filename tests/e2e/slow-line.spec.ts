import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { callApi, signUp } from "./users";

/** Milliseconds from a press until the pressed element is marked, and until a skeleton is visible. */
type Answer = { marked?: number; skeleton?: number };

/** Returns a function that slows the line down: with a latency of 2000 no response comes within two seconds. */
async function openLine(page: Page): Promise<(latency: number) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  return (latency) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: latency ? 50_000 : -1,
      uploadThroughput: latency ? 50_000 : -1,
    });
}

/** Measures in the page, so that the test's own time does not count. */
async function measure(page: Page, press: () => Promise<unknown>): Promise<Answer> {
  await page.evaluate(() => {
    const here = window as typeof window & { answer?: Answer };
    const answer: Answer = {};
    here.answer = answer;
    const watch = (event: Event) => {
      const watched = event.type;
      if (watched === "keydown" && (event as KeyboardEvent).key !== "Enter") return;
      for (const type of ["click", "change", "keydown"]) removeEventListener(type, watch, true);
      const look = () => {
        const at = performance.now() - event.timeStamp;
        const skeleton = document.querySelector(".awaited");
        if (document.querySelector("[data-pressed]")) answer.marked ??= at;
        if (skeleton && getComputedStyle(skeleton).visibility === "visible") answer.skeleton ??= at;
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    for (const type of ["click", "change", "keydown"]) addEventListener(type, watch, true);
  });
  await press();
  const read = () => page.evaluate(() => (window as typeof window & { answer?: Answer }).answer ?? {});
  await expect.poll(async () => (await read()).skeleton).toBeDefined();
  return read();
}

test("every press is answered within 100 ms on a slow line, and a skeleton is visible within 400", {
  tag: ["@all", "@once"],
}, async ({ page, t, go, at, locale }) => {
  await signUp(page.request, { locale });
  await callApi(page.request, "/cart/add", { vip_id: 5001, product_id: 1001, quantity: 1 });
  const slowDown = await openLine(page);
  const main = page.getByRole("main");
  const banner = page.getByRole("banner");
  const presses: [from: string, press: () => Locator | (() => Promise<unknown>)][] = [
    ["/", () => main.locator("a[href^='/product/']").first()],
    ["/", () => main.locator(".task-tiles a").first()],
    ["/", () => banner.getByRole("link", { name: t("ui.links.library") })],
    ["/", () => banner.getByRole("link", { name: t("ui.links.cart") })],
    ["/", () => banner.getByRole("link", { name: t("ui.links.profile") })],
    ["/profile", () => main.locator(`a[href='${at("/order-history")}']`).first()],
    [
      "/top-trending",
      () => () => main.getByLabel(t("catalog.sort.label")).selectOption("price_asc", { noWaitAfter: true }),
    ],
    ["/top-trending", () => main.getByRole("link", { name: t("catalog.pager.next") })],
    ["/search?q=draft", () => main.getByRole("checkbox", { name: t("catalog.search.in_stock") })],
    ["/categories", () => main.locator("a[href^='/category/']").first()],
    ["/help", () => page.getByRole("contentinfo").getByRole("link", { name: t("ui.links.refunds") })],
    ["/library", () => page.getByRole("contentinfo").getByRole("link", { name: t("ui.links.coupons") })],
  ];
  for (const [index, [from, find]] of presses.entries()) {
    // Load can only add time, so an answer is measured again before it counts as late.
    await expect(async () => {
      await slowDown(0);
      await go(from);
      await slowDown(2000);
      const found = find();
      if ("hover" in found) await found.hover(); // scrolls to it
      // The page is painted where it was scrolled to.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      const { marked, skeleton } = await measure(page, () =>
        "click" in found ? found.click({ noWaitAfter: true }) : found(),
      );
      expect(marked, `press ${index} on ${from} is marked`).toBeLessThan(100);
      expect(skeleton, `press ${index} on ${from} has a skeleton`).toBeLessThan(400);
    }).toPass({ timeout: 180_000 });
  }
});

test("what was pressed and the skeleton are gone when a page comes back from the browser's memory", {
  tag: ["@all", "@once"],
}, async ({ page, t, go, arrive }) => {
  await go("/top-trending");
  await page
    .getByRole("banner")
    .getByRole("link", { name: t("ui.links.login") })
    .click();
  await arrive("/login");
  await page.goBack();
  await arrive("/top-trending");
  await expect(page.locator("[data-pressed], .awaited")).toHaveCount(0);
});
