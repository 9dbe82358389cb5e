import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "@playwright/test";
import { median } from "./table";

const OPENING_COUNT = 5; // the prefetch budget of one page
/** Time between touch start and end, and between hover and click. */
const PRESS_MS = { touch: 100, hover: 200 } as const;
type Intent = keyof typeof PRESS_MS;

export type Opening = { intent: Intent; ms: number; slowest: number; documents: number };

/**
 * Measures the time from a click on a product in a list to the first frame that shows the product. The second visitor
 * is measured, because the server caches the pages for the first.
 */
export async function openProducts(browser: Browser, origin: string, intent: Intent): Promise<Opening> {
  await visit(browser, origin, intent);
  return visit(browser, origin, intent);
}

async function visit(browser: Browser, origin: string, intent: Intent): Promise<Opening> {
  const touch = intent === "touch";
  const context = await browser.newContext({
    viewport: touch ? { width: 412, height: 823 } : { width: 1350, height: 940 },
    ...(touch && { isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.goto(`${origin}${touch ? "/mobile" : ""}/top-trending`, { waitUntil: "networkidle" });
  documents = 0;
  const times: number[] = [];
  for (let i = 0; i <= OPENING_COUNT; i += 1) {
    const ms = await openOne(page, i, intent);
    if (i > 0) times.push(ms); // the first one is a warm-up
    await page.goBack();
    await page
      .getByRole("main")
      .locator("a[href*='/product/']")
      .nth(i + 1)
      .waitFor();
    await sleep(300);
  }
  await context.close();
  return { intent, ms: median(times), slowest: Math.max(...times), documents };
}

async function openOne(page: Page, i: number, intent: Intent): Promise<number> {
  const link = page.getByRole("main").locator("a[href*='/product/']").nth(i);
  await link.evaluate((element) => element.scrollIntoView({ block: "center" })); // away from the fixed bars
  const name = (await link.textContent()) ?? "";
  const box = await link.boundingBox();
  if (!box) throw new Error(`${name} is not visible`);
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const painted = page.evaluate(waitUntilPainted, name);
  if (intent === "hover") {
    await page.mouse.move(center.x, center.y);
    await sleep(PRESS_MS.hover);
    await page.mouse.down();
    await page.mouse.up();
    return painted;
  }
  const input = await page.context().newCDPSession(page);
  await input.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [center] });
  await sleep(PRESS_MS.touch);
  await input.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  return painted;
}

/** Runs in the browser: milliseconds from the click until the frame with the product's heading is painted. */
function waitUntilPainted(name: string): Promise<number> {
  return new Promise((resolve) => {
    let clickedAt = 0;
    document.addEventListener(
      "click",
      (event) => {
        clickedAt = event.timeStamp;
      },
      { capture: true, once: true },
    );
    new MutationObserver((_, observer) => {
      if (!clickedAt || document.querySelector("h1")?.textContent !== name) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clickedAt)));
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
}
