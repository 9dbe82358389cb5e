import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./scripts/browser.mjs";

/** What a journey may ask of its project: `test.info().project.metadata as Surface`. */
export type Surface = { locale: "en" | "zh" | "ja"; surface: "desktop" | "phone" };

const matrix = process.env.TEST_MATRIX;
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

/** Each language and each surface at least once, in the time that `npm test` has. */
const SHORT_MATRIX = ["desktop-zh", "phone-en", "phone-ja"];

function selection(project: string) {
  if (project === "desktop-en" || matrix === "shots") return {};
  if (matrix === "all") return { grepInvert: /@once/ };
  return { grep: new RegExp(SHORT_MATRIX.includes(project) ? `@matrix|@${project}` : `@${project}`) };
}

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/setup/global.ts",
  fullyParallel: true,
  forbidOnly: process.env.CI === "true",
  workers: 2,
  // Generous: a slow machine is no failure, and what passes is no slower for it.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    baseURL: process.env.E2E_BASE_URL,
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    screenshot: "only-on-failure",
    // Recording costs a sixth of the time; `npx playwright test --trace=retain-on-failure FILE` records what has failed.
    trace: "off",
    launchOptions: { executablePath: await findBrowser(), args: [...quiet.split(" "), ...sandbox] },
  },
  testIgnore: matrix === "shots" ? undefined : "screenshots.spec.ts",
  testMatch: matrix === "shots" ? "screenshots.spec.ts" : undefined,
  // Every journey runs on the English desktop; those tagged @matrix in the short matrix too, and those tagged with a
  // project's name there. With TEST_MATRIX=all everything runs everywhere, but for what is tagged @once.
  projects: surfaces.flatMap(([surface, device]) =>
    locales.map(([locale, language]) => ({
      name: `${surface}-${locale}`,
      metadata: { locale, surface } satisfies Surface,
      use: { ...device, locale: language },
      ...selection(`${surface}-${locale}`),
    })),
  ),
});
