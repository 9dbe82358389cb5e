import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { client } from "@/db/client";
import { env } from "@/lib/platform/env";
import { securityHeaders } from "@/lib/platform/http/security-headers";
import { log } from "@/lib/platform/log";
import { ROUTED_HEADER } from "@/lib/platform/routing/decide-route";
import { TagFeed } from "./invalidation-listener";
import { type Wish, wishOf } from "./key";
import { capturePage } from "./render-to-buffer";
import { sendNow, sendPage } from "./send";
import { type FinishedPage, PageStore, type Rendered } from "./store";
import { gatherTags, writes } from "./tags";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What Next says of a page that its readers need; all else is ours to say. */
const KEPT_HEADERS = [
  "content-type",
  "content-language",
  "link",
  "vary",
  "x-nextjs-rewritten-path",
  "x-nextjs-rewritten-query",
];
const SLOW_MS = 10_000;

export type PageCache = {
  /** Answers a public page; false: it is not one to keep, or nothing kept may be trusted now, so Next answers. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    search: string,
  ): boolean | Promise<boolean>;
  stop(): Promise<void>;
};

/** RFC 9211, as `Cache-Status`. */
const HIT = "pages; hit";

/** The cache of finished pages in front of Next (docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md; docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md). */
export async function openPageCache(pages: Handler, maxBytes: number): Promise<PageCache> {
  const store = new PageStore(maxBytes);
  Object.assign(globalThis, { passlanePageStore: store }); // for the soak's probe, which stands outside
  const feed = await TagFeed.open({ onTag: (tag) => store.drop(tag), onLost: () => store.clear() });
  const caughtUp = confirmer(feed);

  async function serveLater(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    wish: Wish,
  ): Promise<boolean> {
    if (!(await caughtUp.wait())) return false;
    let how = HIT;
    let page: FinishedPage | null | undefined = store.find(wish.key);
    if (!page) {
      how = "pages; fwd=miss; collapsed"; // another's render, unless it is ours
      const render = () => {
        how = "pages; fwd=miss";
        return renderPage(pages, pathname, wish);
      };
      page = await store.make(wish.key, render, wish.type);
    }
    if (!page) return false;
    await sendPage(request, response, page, how);
    return true;
  }

  return {
    serve(request, response, pathname, search) {
      const { method, headers } = request;
      if (method !== "GET" && method !== "HEAD") return false;
      const wish = wishOf(pathname, search, headers);
      if (wish === null) return false;
      // Almost every answer needs nothing that is to be waited for: each promise would cost it microseconds.
      const kept = caughtUp.isSo() ? store.find(wish.key) : undefined;
      if (kept && sendNow(request, response, kept, HIT)) return true;
      return serveLater(request, response, pathname, wish);
    },
    stop: () => feed.stop(),
  };
}

type CaughtUp = { isSo(): boolean; wait(): Promise<boolean> };

/**
 * Waits until the feed has come past all that this process wrote before, and is trusted; one question serves all who
 * wait. false: the database does not answer over the feed, so what is kept may be outdated.
 */
function confirmer(feed: Pick<TagFeed, "confirm" | "isTrusted">): CaughtUp {
  let confirmed = 0;
  let asking: Promise<boolean> | null = null;
  const ask = async () => {
    const upTo = writes().count;
    const came = await feed.confirm();
    if (came) confirmed = upTo;
    return came;
  };
  const isSo = () => confirmed >= writes().count && feed.isTrusted();
  const wait = async () => {
    const needed = writes().count;
    while (confirmed < needed || !feed.isTrusted()) {
      asking ??= ask().finally(() => {
        asking = null;
      });
      if (!(await asking)) return false;
    }
    return true;
  };
  return { isSo, wait };
}

/** A page as nobody in particular would see it: no cookie, no host but ours, no header that could change it. */
async function renderPage(
  pages: Handler,
  pathname: string,
  wish: Wish,
): Promise<Rendered & { until?: number }> {
  const until = await nextChange();
  const begun = performance.now();
  const headers = {
    host: new URL(env().APP_URL).host,
    ...wish.headers,
    "user-agent": "passlane", // next.config.ts: title and canonical in the head for every agent that has a name
    [ROUTED_HEADER]: "1",
  };
  const { value, tags } = await gatherTags(() => capturePage(pages, wish.url, headers));
  const ms = Math.round(performance.now() - begun);
  if (ms > SLOW_MS) log.warn({ path: pathname, ms }, "a page took long");
  return { status: value.status, body: value.body, headers: headersOf(pathname, wish, value), tags, until };
}

function headersOf(
  pathname: string,
  { type }: Wish,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
) {
  const { PAYMENT_MODE, APP_URL } = env();
  const own = securityHeaders(pathname, {
    nonce: "",
    dev: false,
    stripe: PAYMENT_MODE !== "sandbox",
    https: APP_URL.startsWith("https:"),
  });
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name) || name === "set-cookie"),
  );
  const ours = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const vary = [
    ...new Set(`${ours.vary ?? ""},${kept.vary ?? ""},Accept-Encoding`.split(",").map((one) => one.trim())),
  ]
    .filter(Boolean)
    .join(", ");
  if (type !== "text/html") return { ...kept, ...ours, vary };
  const policy = withHashes(ours["content-security-policy"] ?? "", body.toString("utf8"));
  return { ...kept, ...ours, vary, "content-security-policy": policy };
}

const INLINE_SCRIPT = /<script((?:\s[^>]*)?)>([\s\S]*?)<\/script>/g;

/** A finished page's inline scripts are known by their hashes, so that no other runs (docs/decisions/0003-use-nonces-or-hashes-for-scripts.md). */
export function withHashes(policy: string, html: string): string {
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(INLINE_SCRIPT)) {
    if (/\ssrc=/.test(attributes) || /type="application\//.test(attributes)) continue;
    hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return policy.replace("script-src 'self' 'unsafe-inline'", `script-src 'self' ${[...hashes].join(" ")}`);
}

/**
 * When time alone changes what pages show (a deal ends, a pass comes out, a code lapses, a day or month begins), in
 * milliseconds of `performance.now()`.
 */
async function nextChange(): Promise<number | undefined> {
  const asked = performance.now();
  // The clock is read once, so that each of the large tables is asked for one entry of an index.
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
