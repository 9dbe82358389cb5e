import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readAttribution, storeAttribution } from "@/lib/platform/routing/attribution";
import { takeSourceWindow } from "@/lib/platform/routing/stored-attribution";

/** A browser with documents that share its storage. */
function openBrowser({ declines = false } = {}) {
  const stored = new Map<string, string>();
  const page = { cookie: "", referrer: "" };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { globalPrivacyControl: declines });
  return {
    page,
    open(search: string) {
      vi.stubGlobal("location", { pathname: "/product/x", search });
      storeAttribution();
    },
  };
}

beforeEach(() => vi.useFakeTimers({ now: new Date("2026-11-23T10:00:00Z") }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the attribution that the browser stores", () => {
  it("takes utm parameters, and writes the cookie of cached pages", () => {
    const { open, page } = openBrowser();
    open("?utm_source=news&campaign=autumn");
    expect(readAttribution()).toMatchObject({
      source: "news",
      campaign: "autumn",
      landingPage: "/product/x",
    });
    expect(page.cookie).toBe(
      "attribution=source%3Dnews%26campaign%3Dautumn; path=/; SameSite=Lax; max-age=604800",
    );
  });

  it("sets no cookie for visitors who decline tracking", () => {
    const { open, page } = openBrowser({ declines: true });
    open("?source=news");
    expect(page.cookie).toBe("");
  });
});

describe("the window of source reports", () => {
  it("holds two seconds across documents, and for reports and renewals apart", () => {
    const { open } = openBrowser();
    expect(takeSourceWindow("reportedAt")).toBe(false); // nothing is stored
    open("?source=news");
    expect(takeSourceWindow("reportedAt")).toBe(true);
    expect(takeSourceWindow("renewedAt")).toBe(true);
    vi.advanceTimersByTime(600);
    open("?source=news&content=second"); // a further document
    expect(takeSourceWindow("reportedAt")).toBe(false);
    vi.advanceTimersByTime(1399);
    expect(takeSourceWindow("reportedAt")).toBe(false);
    vi.advanceTimersByTime(1);
    expect(takeSourceWindow("reportedAt")).toBe(true);
    expect(takeSourceWindow("reportedAt")).toBe(false);
  });

  it("is not stuck after the clock was set back", () => {
    const { open } = openBrowser();
    open("?source=news");
    expect(takeSourceWindow("reportedAt")).toBe(true);
    vi.setSystemTime(new Date("2026-11-23T09:00:00Z"));
    expect(takeSourceWindow("reportedAt")).toBe(true);
  });
});
