import type { IncomingMessage, ServerResponse } from "node:http";
import type { DatabaseMonitor } from "@/db/monitor";
import { DatabaseDownError, isDatabaseFailure } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { isShopError } from "@/lib/platform/errors";
import { cdnLines, deviceHeader } from "@/lib/platform/http/cdn";
import type { Loopback, LoopbackResponse } from "@/lib/platform/http/loopback";
import { clientOf, READ_COSTS, type ReadLimits } from "@/lib/platform/http/read-limits";
import { responseHeaders } from "@/lib/platform/http/response-headers";
import { mergeVary } from "@/lib/platform/http/varying-response";
import { log } from "@/lib/platform/log";
import { runRequest } from "@/lib/platform/request-scope";
import type { CachedPage } from "./cached-page";
import { CdnPurge } from "./cdn-purge";
import { withScriptHashes } from "./content-policy";
import { InvalidationListener } from "./invalidation-listener";
import { keyWithoutPlan, pageKey } from "./key";
import { findNextChange } from "./next-change";
import { sendPage } from "./send";
import { PageStore, type Rendered } from "./store";
import { withTags, writeCounter } from "./tags";

/** The headers that are taken from Next's response. All others are set by this server. */
const NEXT_HEADERS = ["content-type", "content-language", "link", "set-cookie"];
const SLOW_MS = 10_000;
/** How long pages are sent after they expired while the database is down, and how long after its last answer. */
const STALE_MS = 600_000;

/** A page, and the value of its Cache-Status header. */
type FoundPage = { page: CachedPage; status: string };

export type PageCache = Awaited<ReturnType<typeof openPageCache>>;

/**
 * The cache of public pages in front of Next
 * (docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md). A render counts for the client that asks
 * for it first. `onTag` is told of each changed tag.
 */
export async function openPageCache(
  loopback: Loopback,
  maxBytes: number,
  limits: Pick<ReadLimits, "run" | "join">,
  database: DatabaseMonitor,
  onTag: (tag: string) => void = () => {},
) {
  const store = new PageStore(maxBytes);
  Object.assign(globalThis, { passlanePageStore: store }); // tests/bench/soak-probe.mjs reads its size
  const cdn = CdnPurge.open();
  const listener = await InvalidationListener.open({
    onTag: (tag) => {
      store.invalidate(tag);
      cdn?.purge(tag);
      onTag(tag);
    },
    onLost: () => {
      store.expireAll();
      cdn?.purgeAll();
    },
  });
  database.onUp(() => store.expireAll(performance.now() - database.failingFor()));
  const isCurrent = createFreshnessCheck(listener);

  const find = (key: string): FoundPage | null => {
    const page = store.find(key);
    return page ? { page, status: "pages; hit" } : null;
  };
  const render = async (key: string, pathname: string, client: string): Promise<FoundPage | null> => {
    let status = "pages; fwd=miss; collapsed"; // unless this request starts the render
    limits.join(client, key);
    const page = await store
      .render(key, () => {
        status = "pages; fwd=miss";
        const read = { client, cost: READ_COSTS.page, key };
        return limits.run(read, () => renderPage(loopback, key, pathname, database));
      })
      .catch((error: unknown): CachedPage | null => {
        if (isShopError(error, "too_many_requests") || isDatabaseFailure(error)) throw error;
        log.warn({ err: error, path: pathname }, "page cache: render failed");
        return null;
      });
    return page && { page, status };
  };
  /** A plan that the product's page does not have shows that page, so that it is neither rendered nor stored. */
  const load = async (key: string, pathname: string, client: string): Promise<FoundPage | null> => {
    const plainKey = keyWithoutPlan(key);
    if (plainKey === null) return render(key, pathname, client);
    const plain = find(plainKey) ?? (await render(plainKey, pathname, client));
    return plain?.page.isChangedBy(key.slice(plainKey.length)) ? render(key, pathname, client) : plain;
  };
  const sendStale = async (request: IncomingMessage, response: ServerResponse, key: string) => {
    const page = database.failingFor() < STALE_MS ? store.findStale(key, STALE_MS) : undefined;
    if (page)
      await sendPage(
        request,
        response,
        page,
        "pages; hit; detail=stale",
        cdnLines(request.headers, undefined, deviceHeader()),
      );
    return page !== undefined;
  };
  return {
    /**
     * Sends a public page. Resolves with false if Next must respond: the page is not cacheable, or the cache may be
     * outdated.
     * @throws ShopError too_many_requests when the page must be rendered and the client has reached its read limits
     * @throws DatabaseDownError when the page cannot be rendered because of the database
     */
    async serve(request: IncomingMessage, response: ServerResponse, pathname: string, search: string) {
      const key = requestKey(request, pathname, search);
      if (key === null || database.isDown()) return false;
      if (!(await isCurrent())) return database.isFailing() && sendStale(request, response, key);
      const found = find(key) ?? (await load(key, pathname, clientOf(request)));
      if (found)
        await sendPage(
          request,
          response,
          found.page,
          found.status,
          cdnLines(request.headers, found.page, deviceHeader()),
        );
      return found !== null;
    },
    /** Sends a public page while the database fails, marked as stale. Resolves with false if none is kept. */
    async serveStale(request: IncomingMessage, response: ServerResponse, pathname: string, search: string) {
      const key = requestKey(request, pathname, search);
      return key !== null && database.isFailing() && sendStale(request, response, key);
    },
    /** Whether kept pages are known to be current, for the metrics. */
    isTrusted: () => listener.isTrusted() && !database.isFailing(),
    size: () => store.size(),
    /** True while the database fails and kept pages are sent. */
    sendsStale: () => database.isFailing() && database.failingFor() < STALE_MS && store.size().pages > 0,
    async stop() {
      await cdn?.stop(); // first, because the end of the listener counts as a loss of notifications
      listener.stop();
    },
  };
}

/** Requests of Next's router for payloads carry the `rsc` header. They are not cached. */
function requestKey({ method, headers }: IncomingMessage, pathname: string, search: string): string | null {
  if ((method !== "GET" && method !== "HEAD") || headers.rsc !== undefined) return null;
  return pageKey(pathname, search);
}

/**
 * Returns a check whether the stored pages are current: the listener is trusted, and it has received the notifications of
 * all writes of this process. The check waits for a confirmation if necessary; concurrent checks share one. It resolves
 * with false if the database does not confirm.
 */
function createFreshnessCheck(listener: Pick<InvalidationListener, "confirm" | "isTrusted">) {
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

/** Renders a page as a guest sees it: without cookies, for the public host, with the query of the key. */
async function renderPage(
  loopback: Loopback,
  key: string,
  pathname: string,
  database: DatabaseMonitor,
): Promise<Rendered> {
  const validUntil = await database.whileUp(() => runRequest({}, findNextChange));
  const tags = new Set<string>();
  const startedAt = performance.now();
  const headers = { host: new URL(env().APP_URL).host, accept: "text/html", "user-agent": "passlane" };
  const response = await loopback.get(key, headers, (handle) => withTags(tags, handle));
  const ms = Math.round(performance.now() - startedAt);
  if (ms > SLOW_MS) log.warn({ path: pathname, ms }, "page cache: slow render");
  const { status, body } = response;
  if (status === 503) throw new DatabaseDownError("the page was not rendered");
  return { status, body, headers: pageHeaders(pathname, response), tags, validUntil };
}

function pageHeaders(pathname: string, { headers, body }: LoopbackResponse): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of NEXT_HEADERS) if (headers[name] !== undefined) result[name] = String(headers[name]);
  for (const [name, value] of Object.entries(responseHeaders(pathname))) result[name.toLowerCase()] = value;
  // Each answer adds its own (send.ts).
  delete result["cdn-cache-control"];
  // Next's router asks for payloads with other headers too, but never without this one.
  const varyOfNext = deviceHeader() ? "rsc" : headers.vary;
  result.vary = mergeVary(result.vary, varyOfNext, "Accept-Encoding");
  result["content-security-policy"] = withScriptHashes(
    result["content-security-policy"] ?? "",
    body.toString("utf8"),
  );
  return result;
}
