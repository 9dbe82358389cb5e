import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { closeDatabase } from "@/db/client";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { clientAddress } from "../setup/client-address";
import { createTranslate, type Translate } from "./translations";
import { type Watch, watchContext } from "./watch";

export { expect };

export type Device = "desktop" | "phone";

export type ShopPage = {
  page: Page;
  locale: Locale;
  device: Device;
  t: Translate;
  /** The address of a desktop path (`/cart`) in this language, on this surface. */
  at: (path: string) => string;
  /** Opens a page by its address and waits until it is interactive. */
  go: (path: string) => Promise<void>;
  /** Waits until the browser is on a page (its query may hold more) and the page is interactive. */
  arrive: (path: string) => Promise<URL>;
};

type Fixtures = Omit<ShopPage, "page"> & {
  shop: ShopPage;
  watch: Watch;
  /** A further page of a context: a second tab, or another visitor. */
  openShop: (context: BrowserContext) => Promise<ShopPage>;
};

/** Waits until React has hydrated every control and run its effects: earlier clicks would be lost. */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      // Links inside articles are plain links and work without scripts; the sandbox's script adds Google's button.
      const controls = document.querySelectorAll(
        "main :is(button, input, select, form, a[href^='/']):not(.prose *, [data-stand-in])",
      );
      const isAlive = (node: Element) => Object.keys(node).some((key) => key.startsWith("__reactProps$"));
      if (document.readyState === "loading" || !document.querySelector("main")) return false;
      if (![...controls].every(isAlive)) return false;
      // React marks its nodes before it runs effects, which follow in later tasks.
      const here = window as typeof window & { aliveAt?: string; waitsAt?: string };
      const { href } = location;
      if (here.waitsAt !== href) {
        here.waitsAt = href;
        requestIdleCallback(() => (here.aliveAt = href), { timeout: 1000 });
      }
      return here.aliveAt === href;
    },
    undefined,
    { timeout: 120_000 },
  );
}

/** A page with the navigation helpers of one language and device. */
export function createShopPage(page: Page, { locale, device }: { locale: Locale; device: Device }): ShopPage {
  const surface = device === "phone" ? ("mobile" as const) : ("desktop" as const);
  const at = (path: string) => localizedPath(path, { locale, surface });
  const arrive = async (path: string) => {
    const expected = new URL(at(path), "http://server");
    await page.waitForURL(
      ({ pathname, searchParams }) =>
        pathname === expected.pathname &&
        [...expected.searchParams].every(([name, value]) => searchParams.get(name) === value),
      { waitUntil: "domcontentloaded" },
    );
    await waitUntilInteractive(page);
    return new URL(page.url());
  };
  const go = async (path: string) => {
    await page.goto(at(path));
    await waitUntilInteractive(page);
  };
  return { page, locale, device, t: createTranslate(locale), at, go, arrive };
}

/** The `test` of all journeys: a page in the project's language and device. Problems that the watch reports fail it. */
export const test = base.extend<Fixtures, { database: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  locale: async ({}, use, { project }) => use((project.metadata as { locale: Locale }).locale),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  device: async ({}, use, { project }) => use((project.metadata as { surface: Device }).surface),
  // Each journey comes from its own address, so that journeys do not share the limits per address.
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": clientAddress() }),
  shop: async ({ page, locale, device }, use) => use(createShopPage(page, { locale, device })),
  openShop: async ({ locale, device }, use) =>
    use(async (context) => createShopPage(await context.newPage(), { locale, device })),
  t: async ({ shop }, use) => use(shop.t),
  at: async ({ shop }, use) => use(shop.at),
  go: async ({ shop }, use) => use(shop.go),
  arrive: async ({ shop }, use) => use(shop.arrive),
  watch: [
    async ({ context, baseURL }, use) => {
      const watch = await watchContext(context, new URL(baseURL!).origin);
      await use(watch);
      expect(watch.problems, "the pages complain").toEqual([]);
    },
    { auto: true },
  ],
  database: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      await use(undefined);
      await closeDatabase();
    },
    { scope: "worker", auto: true },
  ],
});
