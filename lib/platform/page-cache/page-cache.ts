import type { IncomingMessage, ServerResponse } from "node:http";
import { client } from "@/db/client";
import { env } from "@/lib/platform/env";
import type { Loopback, LoopbackResponse } from "@/lib/platform/http/loopback";
import { responseHeaders } from "@/lib/platform/http/response-headers";
import { mergeVary } from "@/lib/platform/http/varying-response";
import { log } from "@/lib/platform/log";
import type { CachedPage } from "./cached-page";
import { withScriptHashes } from "./content-policy";
import { InvalidationListener } from "./invalidation-listener";
import { pageKey } from "./key";
import { sendPage } from "./send";
import { PageStore, type Rendered } from "./store";
import { withTags, writeCounter } from "./tags";

/** The headers of Next's response that its readers need; the server entry writes all others. */
const NEXT_HEADERS = ["content-type", "content-language", "link", "set-cookie"];
const SLOW_MS = 10_000;

export type PageCache = {
  /** Answers a public page; false: the page is not cached, or nothing cached may be trusted now, so Next answers. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    search: string,
  ): Promise<boolean>;
  stop(): void;
};

/**
 * The cache of public pages in front of Next
 * (docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md).
 */
export async function openPageCache(loopback: Loopback, maxBytes: number): Promise<PageCache> {
  const store = new PageStore(maxBytes);
  Object.assign(globalThis, { passlanePageStore: store }); // tests/bench/soak-probe.mjs reads its size
  const listener = await InvalidationListener.open({
    onTag: (tag) => store.invalidate(tag),
    onLost: () => store.clear(),
  });
  const isCurrent = currencyCheck(listener);
  return {
    async serve(request, response, pathname, search) {
      const key = cacheKeyOf(request, pathname, search);
      if (key === null || !(await isCurrent())) return false;
      const stored = store.find(key);
      if (stored) {
        await sendPage(request, response, stored, "pages; hit");
        return true;
      }
      let status = "pages; fwd=miss; collapsed"; // another request's render, unless this one begins it
      const page = await store
        .render(key, () => {
          status = "pages; fwd=miss";
          return renderPage(loopback, key, pathname);
        })
        .catch((error: unknown): CachedPage | null => {
          log.warn({ err: error, path: pathname }, "a page was not rendered for the cache");
          return null;
        });
      if (page) await sendPage(request, response, page, status);
      return page !== null;
    },
    stop: () => listener.stop(),
  };
}

/** The payloads that Next's router asks for with the `rsc` header, instead of a page, pass to Next. */
function cacheKeyOf({ method, headers }: IncomingMessage, pathname: string, search: string): string | null {
  if ((method !== "GET" && method !== "HEAD") || headers.rsc !== undefined) return null;
  return pageKey(pathname, search);
}

/**
 * Tells whether the stored pages are current: the listener is trusted and has received all that this process wrote
 * before. Waits for a confirmation where that is not known; one serves all who wait. False: the database does not answer
 * the listener.
 */
function currencyCheck(listener: Pick<InvalidationListener, "confirm" | "isTrusted">) {
  let confirmedWrites = 0;
  let confirming: Promise<boolean> | null = null;
  const confirm = async () => {
    const { count } = writeCounter();
    const confirmed = await listener.confirm();
    if (confirmed) confirmedWrites = count;
    return confirmed;
  };
  return async (): Promise<boolean> => {
    const { count } = writeCounter();
    while (confirmedWrites < count || !listener.isTrusted()) {
      confirming ??= confirm().finally(() => {
        confirming = null;
      });
      if (!(await confirming)) return false;
    }
    return true;
  };
}

/** Renders a page for nobody in particular: without cookies, for the shop's own host, with the allowed query only. */
async function renderPage(loopback: Loopback, key: string, pathname: string): Promise<Rendered> {
  const until = await nextChange();
  const tags = new Set<string>();
  const begun = performance.now();
  const headers = { host: new URL(env().APP_URL).host, accept: "text/html", "user-agent": "passlane" };
  const response = await loopback.get(key, headers, (handle) => withTags(tags, handle));
  const ms = Math.round(performance.now() - begun);
  if (ms > SLOW_MS) log.warn({ path: pathname, ms }, "a page took long");
  const { status, body } = response;
  return { status, body, headers: headersOf(pathname, response), tags, until };
}

function headersOf(pathname: string, { headers, body }: LoopbackResponse): Record<string, string> {
  const own = Object.entries(responseHeaders(pathname)).map(([name, value]) => [name.toLowerCase(), value]);
  const { vary, "content-security-policy": policy = "", ...rest } = Object.fromEntries(own);
  const fromNext = NEXT_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  return {
    ...Object.fromEntries(fromNext),
    ...rest,
    vary: mergeVary(vary, headers.vary, "Accept-Encoding"),
    "content-security-policy": withScriptHashes(policy, body.toString("utf8")),
  };
}

/**
 * When time alone changes what pages show (a deal ends, a pass comes out, a code expires, a day or month begins), on the
 * clock of `performance.now()`.
 */
async function nextChange(): Promise<number | undefined> {
  const asked = performance.now();
  // Reads the clock once, so that each of the large tables is asked for one entry of an index.
  const [row] = await client()<{ ms: number | null }[]>`
    with clock as materialized (select shop_now() as now)
    select extract(epoch from min(at) - (select now from clock))::float * 1000 as ms from (
      select min(ends_at) as at from deals where ended_at is null and ends_at > (select now from clock)
      union all select min(releases_at) from plans where releases_at > (select now from clock)
      union all select min(redeem_by) from keys where state = 'available' and redeem_by > (select now from clock)
      union all select min(starts_at) from campaigns where starts_at > (select now from clock)
      union all select min(ends_at) from campaigns where ends_at > (select now from clock)
      union all select date_trunc('day', now + interval '1 day', 'UTC') from clock) times`;
  return row?.ms === null || row === undefined ? undefined : asked + row.ms;
}
