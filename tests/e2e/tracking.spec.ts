import type { Page, Request } from "@playwright/test";
import { client } from "@/db/client";
import { expect, test } from "./fixtures";

/** Records the reports that a page sends, by their path below /api/v1. */
function recordReports(page: Page) {
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  page.on("request", (request: Request) => {
    const path = /\/api\/v1(\/(?:visit|tracking|search\/record)\/.*)$/.exec(request.url())?.[1];
    if (path) sent.push({ path, body: request.postDataJSON() as Record<string, unknown> });
  });
  const bodiesFor = (path: string) => sent.filter((report) => report.path === path).map(({ body }) => body);
  return { bodiesFor, sent };
}
const readStorage = (page: Page, name: string) =>
  page.evaluate(
    (key) => JSON.parse(localStorage.getItem(key) ?? "null") as Record<string, unknown> | null,
    name,
  );

test("visits, searches and sources are reported when the page is idle", { tag: ["@all", "@once"] }, async ({
  page,
  go,
  arrive,
}) => {
  const reports = recordReports(page);
  await go("/?source=news&campaign=autumn&medium=mail&content=top&id=m-7&tracking=t-9");
  await expect.poll(() => reports.bodiesFor("/visit/record").length).toBe(1);
  expect(reports.bodiesFor("/visit/record")[0]).toMatchObject({
    ip_address: "",
    visit_device_type: "desktop",
    page_url: "/",
  });
  await expect.poll(() => reports.bodiesFor("/tracking/source-tracking").length).toBe(1);
  expect(reports.bodiesFor("/tracking/source-tracking")[0]).toMatchObject({
    event_type: "visit",
    landingPage: "/",
    source: "news",
    campaign: "autumn",
    marketingUserId: "m-7",
    tracking_id: "t-9",
  });
  expect(await readStorage(page, "source_from_url")).toMatchObject({ source: "news", content: "top" });
  expect(await readStorage(page, "user_source_data")).toMatchObject({ source: "news", landingPage: "/" });
  await expect.poll(() => reports.bodiesFor("/tracking/source-refresh").length).toBe(1);

  await page
    .getByRole("banner")
    .getByRole("searchbox")
    .or(page.getByRole("banner").getByRole("combobox").first())
    .first()
    .fill("draft");
  await page.keyboard.press("Enter");
  await arrive("/search?q=draft&source=news");
  await expect.poll(() => reports.bodiesFor("/search/record/manage").length).toBe(1);
  expect(reports.bodiesFor("/search/record/manage")[0]).toMatchObject({
    search_content: "draft",
    search_device_type: "computer",
  });
});

test("a stored source returns to the address for seven days", {
  tag: ["@all", "@once"],
}, async ({ page, go, arrive, t }) => {
  await go("/?source=news&coupon=C1");
  await go("/top-trending");
  const footer = page.getByRole("contentinfo");
  await footer.getByRole("link", { name: t("ui.links.offers") }).click();
  const address = await arrive("/limited-offer?source=news");
  expect(address.searchParams.get("coupon")).toBeNull();
  await page.evaluate(() => {
    const old = JSON.parse(localStorage.getItem("user_source_data") ?? "{}");
    localStorage.setItem(
      "user_source_data",
      JSON.stringify({ ...old, timestamp: Date.now() - 8 * 86_400_000 }),
    );
  });
  await go("/top-trending");
  await footer.getByRole("link", { name: t("ui.links.blog") }).click();
  expect((await arrive("/blog")).search).toBe("");
  expect(await readStorage(page, "user_source_data")).toBeNull();
});

test("users who decline are not tracked, and failed reports break nothing", {
  tag: ["@all", "@once"],
}, async ({ page, go, watch }) => {
  watch.allow(503);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
  });
  const reports = recordReports(page);
  await page.route("**/api/v1/search/record/**", (route) => route.fulfill({ status: 503, body: "no" }));
  await go("/search?q=draft&source=news");
  await expect.poll(() => reports.bodiesFor("/search/record/manage").length).toBe(1);
  expect(reports.sent.map(({ path }) => path)).toEqual(["/search/record/manage"]);
});

test("a page left within three seconds counts as visited", {
  tag: ["@all", "@once"],
}, async ({ page, go }) => {
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const never = (...[run, ms]: Parameters<typeof setTimeout>) => (ms === 3000 ? 0 : setTimeout(run, ms));
    window.setTimeout = never as typeof setTimeout;
  });
  // Requests sent while a page unloads are invisible to Playwright, so the test reads the table.
  const path = `/i/left-${Date.now()}`;
  const visits = async () => (await client()`select from visits where path = ${path}`).length;
  await go(path);
  await page.keyboard.press("Shift");
  await page.waitForLoadState("networkidle"); // the reporting script is loaded at the first use of the page
  expect(await visits()).toBe(0);
  await go("/blog");
  await expect.poll(visits).toBe(1);
});
