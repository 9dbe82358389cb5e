import { RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { cacheStatus, waitUntil } from "@/tests/faults/cache-pages";
import { type PageResponse, sendRequest } from "@/tests/setup/send-request";
import { sleep } from "@/tests/setup/shopper";

/** The time within which every request gets its response, with a reserve for a busy machine. */
const LIMIT_MS = 3_000;
const RESERVE_MS = 500;
const SEND_EVERY_MS = 200;
const DETECTION_MS = 3_000;

/** A request that is repeated during an outage. */
export type OutageRequest = {
  kind: "cached" | "page" | "call" | "readyz";
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

type Sent = OutageRequest & { sentAt: number; ms: number; response: PageResponse };

export type OutageResult = {
  violations: string[];
  /** Milliseconds from the fault until the first 503 of a page or call, and the slowest response. */
  firstRefusalMs: number;
  slowestMs: number;
  /** Share of requests for cached pages that got the page, and of those after the detection that were marked as stale. */
  servedShare: number;
  staleShare: number;
  /** Milliseconds from the end of the fault until pages, calls and /readyz work again. */
  recoveryMs: number;
};

type Outage = {
  address: string;
  requests: OutageRequest[];
  /** Begins the fault; resolves when it is in effect. */
  begin(): Promise<void>;
  end(): Promise<void>;
  /** How long the fault lasts, in milliseconds, and how long a recovery may take. */
  ms: number;
  recoveryLimitMs: number;
};

/**
 * Sends requests every 200 ms while the database fails, and checks them: everything is answered within three seconds,
 * cached pages are served and marked, pages and calls get 503 with `Retry-After`, /readyz reports the database, and after
 * the recovery cached pages are rendered anew.
 */
export async function measureOutage({ address, requests, begin, end, ms, recoveryLimitMs }: Outage) {
  const violations: string[] = [];
  const cached = requests.filter(({ kind }) => kind === "cached");
  for (const { path } of cached) {
    const isCached = async () => cacheStatus(await sendRequest(address, path)) === "hit";
    if ((await waitUntil(15_000, isCached)) === null)
      violations.push(`${path} is not cached before the fault`);
  }
  const sent: Sent[] = [];
  const send = async (request: OutageRequest, since: number) => {
    const sentAt = performance.now() - since;
    const response = await sendRequest(address, request.path, request).catch(
      (error: Error): PageResponse => ({ status: 0, headers: {}, text: String(error) }),
    );
    sent.push({ ...request, sentAt, ms: performance.now() - since - sentAt, response });
    return response;
  };

  await begin();
  const since = performance.now();
  const pending: Promise<unknown>[] = [];
  while (performance.now() - since < ms) {
    for (const request of requests) pending.push(send(request, since));
    await sleep(SEND_EVERY_MS);
  }
  await Promise.all(pending);
  const during = [...sent];

  await end();
  const endedAt = performance.now();
  const isRecovered = async () => {
    const responses = await Promise.all(
      requests.filter(({ kind }) => kind !== "cached").map((request) => send(request, since)),
    );
    return responses.every(({ status }) => status < 500 && status > 0);
  };
  while (!(await isRecovered())) {
    if (performance.now() - endedAt > recoveryLimitMs) {
      violations.push(`not recovered within ${recoveryLimitMs} ms`);
      break;
    }
    await sleep(50);
  }
  const recoveryMs = performance.now() - endedAt;
  for (const { path } of cached) {
    const status = cacheStatus(await sendRequest(address, path)) ?? "not from the cache";
    if (status === "hit" || status.includes("stale"))
      violations.push(`${path} after the recovery: ${status} instead of a new render`);
  }

  const refused = during.filter(({ kind, response }) => kind !== "cached" && response.status === 503);
  const late = during.filter(({ ms: took }) => took > LIMIT_MS + RESERVE_MS);
  violations.push(...late.slice(0, 5).map(({ path, ms: took }) => `${path} took ${Math.round(took)} ms`));
  const afterDetection = during.filter(({ sentAt }) => sentAt > DETECTION_MS);
  violations.push(...afterDetection.flatMap(findProblem).slice(0, 5));
  const share = (all: Sent[], test: (one: Sent) => boolean) => all.filter(test).length / (all.length || 1);
  const ofPages = (all: Sent[]) => all.filter(({ kind }) => kind === "cached");
  return {
    violations,
    firstRefusalMs: Math.min(...refused.map(({ sentAt, ms: took }) => sentAt + took)),
    slowestMs: Math.max(...during.map(({ ms: took }) => took)),
    servedShare: share(ofPages(during), ({ response }) => response.status === 200),
    staleShare: share(ofPages(afterDetection), isStale),
    recoveryMs,
  } satisfies OutageResult;
}

const isStale = ({ response }: Sent) => cacheStatus(response) === "hit; detail=stale";

/** What is wrong with a response to a request that was sent while the database is known to be down. */
function findProblem(sent: Sent): string[] {
  const { kind, path, response } = sent;
  const { status, headers, text } = response;
  const problem = (what: string) => [`${path}: ${what} (status ${status})`];
  if (kind === "cached") return status === 200 && isStale(sent) ? [] : problem("no stale page");
  if (status !== 503) return problem("not 503");
  if (kind === "readyz") return text.includes('"unreachable"') ? [] : problem(text.slice(0, 200));
  if (headers["retry-after"] !== String(RETRY_AFTER_SECONDS)) return problem("no Retry-After");
  const type = headers["content-type"] ?? "";
  return type.startsWith(kind === "call" ? "application/json" : "text/html") ? [] : problem(type);
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export const describeOutage = (result: OutageResult): string =>
  `503 after ${Math.round(result.firstRefusalMs)} ms, slowest response ${Math.round(result.slowestMs)} ms, ` +
  `${percent(result.servedShare)} of cached pages served, ${percent(result.staleShare)} marked stale after the detection`;
