import { afterEach, beforeEach, expect, it, vi } from "vitest";

const reported = vi.hoisted(() => ({ pages: [] as string[], visits: [] as string[] }));
vi.mock("@/components/shell/report-page", () => ({
  reportPage: (address: string) => reported.pages.push(address),
}));
vi.mock("@/components/shell/report-visit", () => ({
  reportVisit: (path: string) => reported.visits.push(path),
}));

beforeEach(() => {
  vi.resetModules();
  reported.pages = [];
  reported.visits = [];
});
afterEach(() => vi.restoreAllMocks());

it("a page that is left before the reporting code has loaded counts as one visit", async () => {
  const { createPageReport } = await import("@/components/shell/page-report");
  const page = createPageReport("/product/x?source=news");
  page.leave();
  page.leave();
  await page.report();
  expect(reported).toEqual({ pages: [], visits: ["/product/x"] });
});

it("a page that stays open is reported in full, and not again when it is left", async () => {
  const { createPageReport, loadReporter } = await import("@/components/shell/page-report");
  const page = createPageReport("/product/x?source=news");
  await page.report();
  page.leave();
  expect(reported).toEqual({ pages: ["/product/x?source=news"], visits: [] });
  await loadReporter();
  createPageReport("/blog").leave();
  expect(reported.pages).toEqual(["/product/x?source=news", "/blog"]);
});
