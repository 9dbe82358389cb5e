import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import { bytesSent } from "@/tests/setup/bytes-sent";
import { BARS, type Visit } from "./pages-kinds";

export type PageSize = {
  html: number;
  /** Bytes of the scripts requested until the load event. */
  javascript: number;
  requests: number;
  idleRequests: number;
  problems: string[];
};

const IDLE_MS = 5000;
const AGENTS = {
  desktop:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  mobile:
    "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
} as const;
const WINDOWS = { desktop: { width: 1350, height: 940 }, mobile: { width: 412, height: 823 } } as const;

/** Measures what a browser with an empty cache loads for one page, until the load event and five seconds later. */
export async function measureSize(visit: Visit, browser: Browser, cookie: string): Promise<PageSize> {
  const context = await browser.newContext({
    userAgent: AGENTS[visit.surface],
    viewport: WINDOWS[visit.surface],
    isMobile: visit.surface === "mobile",
    hasTouch: visit.surface === "mobile",
    extraHTTPHeaders: cookie ? { cookie } : {},
  });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const scripts = new Set<string>();
  const otherOrigins = new Set<string>();
  let requests = 0;
  network.on("Network.requestWillBeSent", ({ request, type }) => {
    if (!request.url.startsWith("http")) return;
    requests += 1;
    if (type === "Script") scripts.add(request.url);
    const { origin } = new URL(request.url);
    if (origin !== new URL(visit.url).origin) otherOrigins.add(origin);
  });
  await page.goto(visit.url, { waitUntil: "load" });
  const atLoad = { requests, scripts: [...scripts] };
  await sleep(IDLE_MS);
  await context.close();
  const headers = { "user-agent": AGENTS[visit.surface], ...(cookie && { cookie }) };
  const [html = 0, ...sizes] = await Promise.all(
    [visit.url, ...atLoad.scripts].map((url) => bytesSent(url, headers)),
  );
  const javascript = sizes.reduce((sum, size) => sum + size, 0);
  const weight = { html, javascript, requests: atLoad.requests, idleRequests: requests };
  return { ...weight, problems: [...listProblems(weight, visit), ...otherOrigins] };
}

function listProblems(
  { html, javascript, requests, idleRequests }: Omit<PageSize, "problems">,
  { kind }: Visit,
) {
  const problems = [];
  if (requests > BARS.requests) problems.push(`${requests} requests`);
  if (idleRequests > BARS.idleRequests) problems.push(`${idleRequests} requests when idle`);
  if (kind.hasSizeBars && html > BARS.html) problems.push(`HTML ${html}`);
  if (kind.hasSizeBars && javascript > BARS.javascript) problems.push(`JavaScript ${javascript}`);
  return problems;
}
