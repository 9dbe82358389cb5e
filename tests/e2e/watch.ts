import type { BrowserContext, ConsoleMessage, Page } from "@playwright/test";

/** What went wrong on the pages of a context, apart from what a journey expects. */
export type Watch = {
  /** From here on answers with this status are part of the story: the browser reports each as an error. */
  allow: (...statuses: number[]) => void;
  /** From here on the network may be gone: the browser reports every lost call, also one that a page makes by itself. */
  allowOffline: () => void;
  problems: string[];
};

const OFFLINE = "net::ERR_INTERNET_DISCONNECTED";
const FAILED_LOAD = /^Failed to load resource: the server responded with a status of (\d{3})/;

/**
 * Listens to every page of a context: console errors, uncaught errors, violations of the content security policy,
 * server errors, and requests to anybody else's server.
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
