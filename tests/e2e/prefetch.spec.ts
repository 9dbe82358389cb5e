import { devices, type Page } from "@playwright/test";
import { WARM_PATHS } from "@/components/ui/prefetch-budget";
import { expect, test } from "./fixtures";

/** The pages that the router fetched ahead, by path. */
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

  test("the five named pages are fetched ahead once the browser is idle", { tag: "@once" }, async ({
    page,
    go,
    at,
  }) => {
    const ahead = fetchedAhead(page);
    await go("/top-trending");
    const others = WARM_PATHS.filter((path) => path !== "/top-trending").map(at);
    await expect.poll(() => others.filter((path) => !ahead.has(path)), { timeout: 15_000 }).toEqual([]);
    expect([...ahead].filter((path) => !others.includes(path))).toEqual([]);
  });
});

test("on a desktop nothing is fetched ahead until a link is hovered, and five further ones at most", {
  tag: "@once",
}, async ({ page, go }) => {
  const ahead = fetchedAhead(page);
  await go("/top-trending");
  await page.waitForTimeout(4000);
  expect([...ahead]).toEqual([]);
  const tickets = page.getByRole("main").locator("a[href^='/product/']");
  for (let i = 0; i < 8; i += 1) await tickets.nth(i).hover();
  await expect.poll(() => ahead.size).toBe(5);
  await page.waitForTimeout(500);
  expect(ahead.size).toBe(5);
});
