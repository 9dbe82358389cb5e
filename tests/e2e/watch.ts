import type { BrowserContext, ConsoleMessage, Page } from "@playwright/test";

/** Problems on the pages of a context, except those a journey allows. */
export type Watch = {
  /** Responses with these statuses are expected from now on; the browser logs each as an error. */
  allow: (...statuses: number[]) => void;
  /** The network may be offline from now on; the browser logs every failed request. */
  allowOffline: () => void;
  problems: string[];
};

const OFFLINE = "net::ERR_INTERNET_DISCONNECTED";
const FAILED_LOAD = /^Failed to load resource: the server responded with a status of (\d{3})/;

/**
 * Listens to every page of a context: console errors, uncaught errors, violations of the content security policy,
 * server errors, and requests to other origins.
 */
export async function watchContext(context: BrowserContext, home: string): Promise<Watch> {
  const allowed = new Set<number>();
  const problems: string[] = [];
  let mayBeOffline = false;
  const note = (page: Page | null, what: string) =>
    problems.push(`${page ? new URL(page.url()).pathname : "?"}: ${what}`);

  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`CSP ${event.effectiveDirective} refused ${event.blockedURI}`);
    });
  });
  context.on("console", (message: ConsoleMessage) => {
    if (message.type() !== "error" || (mayBeOffline && message.text().includes(OFFLINE))) return;
    const status = Number(FAILED_LOAD.exec(message.text())?.[1]);
    if (!allowed.has(status)) note(message.page(), `${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => note(error.page(), String(error.error())));
  context.on("response", (response) => {
    if (response.status() >= 500 && !allowed.has(response.status()))
      problems.push(`${response.status()} ${response.url()}`);
  });
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== home) problems.push(`request to ${request.url()}`);
  });
  const allow = (...statuses: number[]) => {
    for (const status of statuses) allowed.add(status);
  };
  const allowOffline = () => {
    mayBeOffline = true;
  };
  return { problems, allow, allowOffline };
}
