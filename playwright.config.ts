import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./scripts/browser.mjs";

/** What a journey may ask of its project: `test.info().project.metadata as Surface`. */
export type Surface = { locale: "en" | "zh" | "ja"; surface: "desktop" | "phone" };

const everything = process.env.TEST_MATRIX === "all";
const locales = [
  ["en", "en-US"],
  ["zh", "zh-CN"],
  ["ja", "ja-JP"],
] as const;
const surfaces = [
  ["desktop", devices["Desktop Chrome"]],
  ["phone", devices["Pixel 7"]],
] as const;

// A closed network refuses Chromium's own calls many at a time, which slows every start.
const quiet =
  "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/setup/global.ts",
  fullyParallel: true,
  forbidOnly: process.env.CI === "true",
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    baseURL: process.env.E2E_BASE_URL,
    screenshot: "only-on-failure",
    trace: "retain-on-first-failure",
    launchOptions: { executablePath: await findBrowser(), args: [...quiet.split(" "), ...sandbox] },
  },
  // Every journey runs on the English desktop; those tagged @matrix in each language on both surfaces too.
  projects: surfaces.flatMap(([surface, device]) =>
    locales.map(([locale, language]) => ({
      name: `${surface}-${locale}`,
      metadata: { locale, surface } satisfies Surface,
      use: { ...device, locale: language },
      grep: everything || (surface === "desktop" && locale === "en") ? undefined : /@matrix/,
    })),
  ),
});
