import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { withScriptHashes } from "@/lib/platform/page-cache/content-policy";
import { PageCache, type RenderedPage } from "@/lib/platform/page-cache/page-cache";
import { addCacheTags, doNotCache, MISSING } from "@/lib/platform/page-cache/tags";
import { processState } from "@/lib/platform/process-state";
import { type RequestScope, runRequest } from "@/lib/platform/request-scope";
import { testEnvironment } from "../setup/environment";

const listener = { confirm: vi.fn(async () => true), isTrusted: vi.fn(() => true), stop() {} };
const handlers: { onTag: (tag: string) => void; onLost: () => void } = { onTag() {}, onLost() {} };
vi.mock("@/lib/platform/page-cache/invalidation-listener", () => ({
  InvalidationListener: {
    open: async (given: typeof handlers) => {
      Object.assign(handlers, given);
      return listener;
    },
  },
}));
let nextChange: number | undefined;
vi.mock("@/lib/platform/page-cache/next-change", () => ({ findNextChange: async () => nextChange }));

beforeAll(() => {
  const production = { DATABASE_URL: "postgres://localhost/none", DEV: "" };
  Object.assign(process.env, testEnvironment, production);
});

const database = { down: false, failingMs: 0, up: () => {}, answer: Promise.resolve() };
const monitor = {
  isDown: () => database.down,
  isFailing: () => database.failingMs > 0,
  failingFor: () => database.failingMs,
  answered: () => database.answer,
  onUp(call: () => void) {
    database.up = call;
  },
};
let now = 0;
let cache: PageCache;
async function openCache(bytes = 1_000_000): Promise<PageCache> {
  const opened = new PageCache(bytes, monitor, { now: () => now });
  await opened.open();
  return opened;
}
beforeEach(async () => {
  Object.assign(database, { down: false, failingMs: 0, answer: Promise.resolve() });
  Object.assign(processState, { shop: undefined });
  listener.isTrusted.mockReturnValue(true);
  nextChange = undefined;
  now = 1_000_000;
  cache = await openCache();
});

const htmlOf = (text: string): RenderedPage => ({ kind: "APP_PAGE", html: `<p>${text}</p>`, headers: {} });
type Visit = {
  text?: string;
  tags?: string[];
  url?: string;
  scope?: Partial<RequestScope>;
  before?: () => void;
};

/** A visit as Next handles it: reads the page from the cache, or renders and stores it. */
async function visit(key: string, { text = "page", tags = ["list"], url = key, scope, before }: Visit = {}) {
  return runRequest({ tags: new Set(), url, rendered: url, ...scope }, async () => {
    const found = await cache.get(key);
    if (found) return { ...found.value, status: found.value.status ?? 200 };
    const page = htmlOf(text);
    addCacheTags(...tags);
    before?.();
    cache.set(key, page);
    return { ...page, status: page.status ?? 200 };
  });
}
const statusOf = async (key: string, options?: Visit) =>
  (await visit(key, options)).headers?.["cache-status"];

describe("the page cache", () => {
  it("caches a page until one of its tags is invalidated", async () => {
    expect(await statusOf("/a", { tags: ["product:1"] })).toBe("next; fwd=miss");
    expect(await statusOf("/a")).toBe("next; hit");
    handlers.onTag("product:2");
    expect(await statusOf("/a")).toBe("next; hit");
    handlers.onTag("product:1");
    expect(await statusOf("/a", { tags: ["product:1"] })).toBe("next; fwd=miss");
  });

  it("compresses a cached page once for all readers that accept it, and for no others", async () => {
    await visit("/a");
    const scope = { takesGzip: true };
    const [first, second, plain] = [
      await visit("/a", { scope }),
      await visit("/a", { scope }),
      await visit("/a"),
    ];
    expect(gunzipSync(first.html).toString()).toBe("<p>page</p>");
    expect(second.html).toBe(first.html);
    expect(first.headers).toMatchObject({ "content-encoding": "gzip", "cache-status": "next; hit" });
    expect([plain.html, plain.headers?.["content-encoding"]]).toEqual(["<p>page</p>", undefined]);
  });

  it("caches no page that was rendered before a change it should show", async () => {
    await visit("/a", { tags: ["product:1"], before: () => handlers.onTag("product:1") });
    await visit("/b", { tags: ["product:1"], before: () => handlers.onTag("product:2") });
    expect(await statusOf("/a")).toBe("next; fwd=miss");
    expect(await statusOf("/b")).toBe("next; hit");
    await visit("/c", { tags: ["product:1"], before: () => handlers.onLost() });
    expect(await statusOf("/c")).toBe("next; fwd=miss");
  });

  it("gives missing pages the status 404 and caches none of them", async () => {
    for (let n = 0; n < 2; n++) {
      const page = await visit("/nothing", { tags: ["list", MISSING] });
      expect([page.status, page.headers?.["cache-status"]]).toEqual([404, "next; fwd=miss"]);
    }
    expect(cache.size().pages).toBe(0);
  });

  it("caches no page without room", async () => {
    cache = await openCache(0);
    await visit("/a");
    expect(await statusOf("/a")).toBe("next; fwd=miss");
  });

  it("caches nothing that may change without a notification, and nothing for an unknown request", async () => {
    await visit("/a", { before: doNotCache });
    const page = htmlOf("page");
    expect(await cache.get("/b")).toBeNull();
    cache.set("/b", page);
    expect(cache.size().pages).toBe(0);
  });

  it("caches no page that contains a reader's query, which Next writes into it", async () => {
    for (const query of ["?utm_source=mail", "?plan=<b>", "?page=2&email=a@b.example", "?x[]=1"]) {
      const { headers } = await visit("/a", { url: `/a${query}` });
      expect(headers?.["cache-control"], query).toBe("private, no-store");
    }
    expect(cache.size().pages).toBe(0);
    for (const query of ["?plan=5", "?sort=price_asc&page=2", "?_rsc=1a2b", ""])
      await visit(`/b${query}`, { url: `/b${query}` });
    expect(cache.size().pages).toBe(4);
  });

  it("completes the headers of a page: policy with hashes, validator, and cache lifetime", async () => {
    const script = "self.x = 1";
    const { headers } = await runRequest({ tags: new Set(["list"]), url: "/" }, async () => {
      await cache.get("/");
      const page: RenderedPage = {
        kind: "APP_PAGE",
        html: `<script>${script}</script>`,
        headers: { link: "</a>" },
      };
      cache.set("/", page);
      return page;
    });
    const hash = createHash("sha256").update(script).digest("base64");
    expect(headers?.["content-security-policy"]).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(headers?.["content-security-policy"]).not.toMatch(/script-src [^;]*unsafe-inline/);
    expect(headers).toMatchObject({
      link: "</a>",
      etag: expect.stringMatching(/^".{22}"$/),
      "cache-control": expect.stringContaining("s-maxage=1, stale-while-revalidate=1, stale-if-error=600"),
    });
    expect((await visit("/")).headers).toMatchObject({ etag: headers!.etag, "cache-status": "next; hit" });
  });

  it("stays within its size limit", async () => {
    cache = await openCache(20_000);
    for (let n = 0; n < 50; n++) await visit(`/${n}`, { text: "x".repeat(1000) });
    expect(cache.size().bytes).toBeLessThanOrEqual(20_000);
    expect(cache.size().pages).toBeGreaterThan(2);
    expect(await statusOf("/49")).toBe("next; hit");
  });

  it("lets pages live two seconds while notifications may be lost", async () => {
    await visit("/a");
    listener.isTrusted.mockReturnValue(false);
    now += 1_900;
    expect(await statusOf("/a")).toBe("next; hit");
    now += 200;
    expect(await statusOf("/a")).toBe("next; fwd=miss");
  });

  it("drops all pages when something changes without a notification", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      nextChange = performance.now() + 5_000;
      cache = await openCache();
      await visit("/a");
      await vi.advanceTimersByTimeAsync(4_900);
      expect(await statusOf("/a")).toBe("next; hit");
      nextChange = undefined;
      await vi.advanceTimersByTimeAsync(200);
      expect(await statusOf("/a")).toBe("next; fwd=miss");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("while the database fails, the page cache", () => {
  it("returns what it has cached for ten minutes, marked as stale, and a refusal in place of the rest", async () => {
    await visit("/a");
    Object.assign(database, { down: true, failingMs: 3_000 });
    handlers.onLost();
    expect(await statusOf("/a")).toBe("next; hit; detail=stale");
    now += 599_000;
    expect(await statusOf("/a")).toBe("next; hit; detail=stale");
    const refused = await visit("/ja/b", { url: "/ja/b" });
    expect([refused.status, refused.headers?.["Retry-After"]]).toEqual([503, "5"]);
    expect(refused.html).toContain('<html lang="ja">');
    now += 2_000;
    expect((await visit("/a")).status).toBe(503);
  });

  it("renders no page that is no longer confirmed before the database has answered or failed", async () => {
    await visit("/a");
    now += 3_000;
    listener.isTrusted.mockReturnValue(false);
    let fail = () => {};
    database.answer = new Promise((resolve) => {
      fail = resolve;
    });
    const status = statusOf("/a");
    database.failingMs = 1_750;
    fail();
    expect(await status).toBe("next; hit; detail=stale");
  });

  it("returns nothing that was invalidated, and nothing stale once the database responds", async () => {
    await visit("/a", { tags: ["product:1"] });
    await visit("/b");
    handlers.onTag("product:1");
    Object.assign(database, { down: true, failingMs: 3_000 });
    now += 3_000;
    expect((await visit("/a")).status).toBe(503);
    expect(await statusOf("/b")).toBe("next; hit; detail=stale");
    database.up();
    Object.assign(database, { down: false, failingMs: 0, answer: Promise.resolve() });
    expect(await statusOf("/b")).toBe("next; fwd=miss");
  });
});

describe("a visitor's own writes", () => {
  it("wait for renders that began before them, but not for those of disconnected readers", async () => {
    let close = () => {};
    const scope = {
      onClose(call: () => void) {
        close = call;
      },
    };
    await runRequest({ tags: new Set(), url: "/a", ...scope }, () => cache.get("/a"));
    const begun = cache.version();
    handlers.onTag("product:1");
    let settled = false;
    const settling = cache.settle(begun).then((changed) => {
      settled = changed;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(settled).toBe(false);
    close();
    await settling;
    expect(settled).toBe(true);
  });

  it("do not bypass the caches in front when they have changed no page", async () => {
    expect(await cache.settle(cache.version())).toBe(false);
  });
});

describe("in a closed shop, the page cache", () => {
  it("returns the notice in place of every page but those of staff", async () => {
    await visit("/a");
    processState.shop = { closed: true, readAt: performance.now() };
    const notice = await visit("/a", { url: "/zh/product/x" });
    expect([notice.status, notice.headers?.["Retry-After"]]).toEqual([503, "300"]);
    expect(notice.html).toContain('lang="zh-Hans"');
    processState.shop.closed = false;
    expect(await statusOf("/a")).toBe("next; hit");
  });
});

describe("withScriptHashes", () => {
  it("adds the hash of each inline script once, and none for data or files", () => {
    const html = `<script>a()</script><script>a()</script><script type="application/ld+json">{}</script><script src="/x.js"></script>`;
    const policy = withScriptHashes("default-src 'self'; script-src 'self'; img-src *", html);
    const hash = createHash("sha256").update("a()").digest("base64");
    expect(policy).toBe(`default-src 'self'; script-src 'self' 'sha256-${hash}'; img-src *`);
  });
});
