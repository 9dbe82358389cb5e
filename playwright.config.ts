import { defineConfig, devices } from "@playwright/test";
import { LOCALES, type Locale } from "./lib/platform/i18n/locales";
import { findBrowser } from "./scripts/test/browser.mjs";

/** The language and surface of a project: `test.info().project.metadata as Surface`. */
export type Surface = { locale: Locale; surface: "desktop" | "phone" };

/** "all" in `npm run test:all`; "shots" writes screenshots and runs nothing else. */
const matrix = process.env.TEST_MATRIX;
const LANGUAGE_TAGS: Record<Locale, string> = { en: "en-US", zh: "zh-CN", ja: "ja-JP" };
// The phone first: its one journey of `npm test` would run alone at the end.
const surfaces = [
  ["phone", devices["Pixel 7"]],
  ["desktop", devices["Desktop Chrome"]],
] as const;

// Without network access Chromium's own requests fail slowly, which delays every start.
const quiet =
  "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

/** Projects that run every journey in `npm run test:all`: each language and each surface at least once. */
const COMPLETE = ["desktop-zh", "phone-ja"];
/** Their pages belong to a server of their own, which speaks English to desktops only. */
const OWN_SERVER = ["payment-element.spec.ts", "social.spec.ts"];

/**
 * Tags of a journey:
 * - none: runs in `npm test` on desktop-en, and in `npm run test:all` on the complete projects too
 * - `@all`: runs in `npm run test:all` only
 * - `@once`: runs on desktop-en only
 * - `@matrix`: runs on all six projects in `npm run test:all`
 * - the name of a project: runs there in `npm test` too
 */
function selection(project: string) {
  if (matrix === "shots") return { testMatch: "screenshots.spec.ts" };
  const testIgnore = ["screenshots.spec.ts", ...(project === "desktop-en" ? [] : OWN_SERVER)];
  const named = new RegExp(`@${project}\\b`);
  if (matrix !== "all")
    return project === "desktop-en" ? { testIgnore, grepInvert: /@all/ } : { testIgnore, grep: named };
  if (project === "desktop-en") return { testIgnore };
  if (COMPLETE.includes(project)) return { testIgnore, grepInvert: /@once/ };
  return { testIgnore, grep: new RegExp(`@matrix|${named.source}`) };
}

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/setup/global.ts",
  fullyParallel: true,
  forbidOnly: process.env.CI === "true",
  workers: 2,
  // Long, so that a slow machine does not fail a journey.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    baseURL: process.env.E2E_BASE_URL,
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    screenshot: "only-on-failure",
    // Recording takes a sixth of the time; `npx playwright test --trace=retain-on-failure FILE` records failures.
    trace: "off",
    launchOptions: { executablePath: await findBrowser(), args: [...quiet.split(" "), ...sandbox] },
  },
  projects: surfaces.flatMap(([surface, device]) =>
    LOCALES.map((locale) => ({
      name: `${surface}-${locale}`,
      metadata: { locale, surface } satisfies Surface,
      use: { ...device, locale: LANGUAGE_TAGS[locale] },
      ...selection(`${surface}-${locale}`),
    })),
  ),
});
