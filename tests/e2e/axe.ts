import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { isComplete, isShort } from "../setup/rounds";
import { expect } from "./fixtures";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOURS = ["color-contrast", "link-in-text-block"];

// Without the legacy mode axe opens a second page to merge the results of frames, and there are no frames.
const find = async (axe: AxeBuilder): Promise<string[]> =>
  (await axe.setLegacyMode().analyze()).violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`),
  );

/** The violations in a part of the current page. */
export const findViolations = (page: Page, part: string): Promise<string[]> =>
  find(new AxeBuilder({ page }).include(part));

/** Changes the theme and waits until it is painted: axe would otherwise read colours of both themes. */
async function paint(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.bringToFront(); // a page behind another one may get no frames
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await frame();
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    );
  });
}

/**
 * Expects no violation on the current page: in the light theme and, with `dark` or in `npm run test:all`, by colours
 * in the dark theme. `npm test` does not look.
 */
export async function expectAccessible(page: Page, state: string, { dark = isComplete } = {}): Promise<void> {
  if (isShort) return;
  await paint(page, "light");
  expect.soft(await find(new AxeBuilder({ page }).withTags(RULES)), state).toEqual([]);
  if (dark) await expectDarkColours(page, state);
}

/** Expects readable colours in the dark theme; repeated, because a slow machine paints late. */
export async function expectDarkColours(page: Page, state: string): Promise<void> {
  await paint(page, "dark");
  await expect
    .configure({ soft: true })
    .poll(() => find(new AxeBuilder({ page }).withRules(COLOURS)), {
      message: `${state} in the dark theme`,
      timeout: 120_000,
    })
    .toEqual([]);
}
