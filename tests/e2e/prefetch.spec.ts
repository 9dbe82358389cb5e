import { devices, type Page, type Request } from "@playwright/test";
import { IDLE_PREFETCH_PATHS } from "@/components/ui/prefetch-budget";
import { expect, test } from "./fixtures";

/** The paths of the pages that the router prefetched. */
function fetchedAhead(page: Page): Set<string> {
  const paths = new Set<string>();
  page.on("request", (request) => {
    if (
      request.headers()["next-router-prefetch"] ||
      request.headers().purpose === "prefetch" ||
      request.headers().rsc
    )
      paths.add(new URL(request.url()).pathname);
  });
  return paths;
}

test.describe("on a phone", () => {
  const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
  test.use({ ...pixel, device: "phone" });

  test("the five pages of the navigation bar are prefetched when the browser is idle", {
    tag: ["@all", "@once"],
  }, async ({ page, go, at }) => {
    const ahead = fetchedAhead(page);
    await go("/top-trending");
    const others = IDLE_PREFETCH_PATHS.filter((path) => path !== "/top-trending").map(at);
    await expect.poll(() => others.filter((path) => !ahead.has(path)), { timeout: 120_000 }).toEqual([]);
    expect([...ahead].filter((path) => !others.includes(path))).toEqual([]);
  });
});

test("a desktop prefetches on hover only, and at most five further links", {
  tag: ["@all", "@once"],
}, async ({ page, go }) => {
  const ahead = fetchedAhead(page);
  await go("/top-trending");
  // A phone would have sent its first prefetch by now.
  await page.waitForTimeout(4000);
  expect([...ahead]).toEqual([]);
  const tickets = page.getByRole("main").locator("a[href^='/product/']");
  for (let i = 0; i < 8; i += 1) await tickets.nth(i).hover();
  await expect.poll(() => ahead.size).toBe(5);
  await page.waitForTimeout(500); // time in which a sixth prefetch would begin
  expect(ahead.size).toBe(5);
});

test("a hovered product opens without a new document and without a request at the click", {
  tag: ["@all", "@once"],
}, async ({ page, go }) => {
  const ahead = fetchedAhead(page);
  await go("/top-trending");
  const ticket = page.getByRole("main").locator("a[href^='/product/']").first();
  const address = new URL((await ticket.getAttribute("href")) ?? "", page.url()).pathname;
  const name = (await ticket.textContent()) ?? "";
  let open = 0;
  const count = (by: number) => (request: Request) => {
    if (new URL(request.url()).pathname === address) open += by;
  };
  page.on("request", count(1));
  page.on("requestfinished", count(-1));
  await ticket.hover();
  await expect.poll(() => ahead.has(address)).toBe(true);
  // The router requests the tree of the page first, then its content.
  await expect(async () => {
    await page.waitForTimeout(500); // outlasts the pause between the two requests
    expect(open).toBe(0);
  }).toPass();
  const requests: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === address) requests.push(request.url());
  });
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await ticket.click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  expect(requests).toEqual([]);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

for (const failure of ["ends with an error", "comes from another release"])
  test(`a page is shown whose prefetch ${failure} after the click`, {
    tag: ["@all", "@once"],
  }, async ({ page, go, at, watch }) => {
    watch.allow(503);
    const address = at("/privacy-policy");
    // The router requests the tree of the page first, then its content.
    const isContent = (request: Request) =>
      new URL(request.url()).pathname === address &&
      request.headers().rsc !== undefined &&
      request.headers()["next-router-segment-prefetch"] === undefined;
    let click = () => {};
    const isClicked = new Promise<void>((resolve) => {
      click = resolve;
    });
    await page.route(
      ({ pathname }) => pathname === address,
      async (route) => {
        if (!isContent(route.request())) return route.continue();
        await isClicked;
        if (failure === "ends with an error") return route.fulfill({ status: 503 });
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "x-nextjs-deployment-id": "x" } });
      },
    );
    await go("/help");
    const link = page.locator(`footer a[href="${address}"]`);
    const requested = page.waitForRequest(isContent);
    await link.hover();
    await requested;
    await link.click();
    click();
    await page.waitForURL(({ pathname }) => pathname === address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
