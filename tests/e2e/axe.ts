import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOURS = ["color-contrast", "link-in-text-block"];

// Axe would open a page of its own to gather what it found in frames of other sites, of which there are none.
const find = async (axe: AxeBuilder): Promise<string[]> =>
  (await axe.setLegacyMode().analyze()).violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`),
  );

/** What axe finds in a part of the page as it stands. */
export const faultsIn = (page: Page, part: string): Promise<string[]> =>
  find(new AxeBuilder({ page }).include(part));

/** Changes the theme and waits until it is painted: axe would otherwise read some colours of either. */
async function paint(page: Page, colorScheme: "light" | "dark"): Promise<void> {
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

/** Expects that axe finds nothing on the page as it stands, and of the dark no fault of colours. */
export async function expectNoFaults(page: Page, state: string): Promise<void> {
  await paint(page, "light");
  expect.soft(await find(new AxeBuilder({ page }).withTags(RULES)), state).toEqual([]);
  await expectDarkColours(page, state);
}

/** Expects that the page can be read in the dark; asked again for a machine that paints late. */
export async function expectDarkColours(page: Page, state: string): Promise<void> {
  await paint(page, "dark");
  await expect
    .configure({ soft: true })
    .poll(() => find(new AxeBuilder({ page }).withRules(COLOURS)), {
      message: `${state} in the dark`,
      timeout: 15_000,
    })
    .toEqual([]);
}
