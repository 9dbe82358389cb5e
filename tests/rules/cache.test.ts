import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ListProductsInput } from "@/lib/catalog/contract";
import { PRODUCT_SORTS } from "@/lib/catalog/rules";
import { acceptedEncoding } from "@/lib/platform/http/encoding";
import type { CachedPage } from "@/lib/platform/page-cache/cached-page";
import { withScriptHashes } from "@/lib/platform/page-cache/content-policy";
import { keyWithoutPlan, pageKey } from "@/lib/platform/page-cache/key";
import { PageStore, type Rendered } from "@/lib/platform/page-cache/store";
import { noteQueries, noteTags, UNSETTLED, withTags } from "@/lib/platform/page-cache/tags";

describe("pageKey", () => {
  it.each([
    ["/", "", "/"],
    ["/zh/mobile", "", "/zh/mobile"],
    ["/product/quillon-draft", "?plan=5001", "/product/quillon-draft?plan=5001"],
    ["/product/quillon-draft", "?source=mail&plan=5001&coupon=X", "/product/quillon-draft?plan=5001"],
    ["/top-trending", "?sort=price_asc&page=2", "/top-trending?page=2&sort=price_asc"],
    ["/top-trending", "?page=2&sort=price_asc", "/top-trending?page=2&sort=price_asc"],
    ["/ja/blog/detail/how-long-a-pass", "?source=x", "/ja/blog/detail/how-long-a-pass"],
    ["/", "?utm_source=x&fbclid=y", "/"],
    ["/", "?page=2", "/"],
    ["/product/quillon-draft", "?_rsc=abc", "/product/quillon-draft"],
    ["/product/quillon-draft", "?plan=x", "/product/quillon-draft"],
    ["/product/quillon-draft", "?plan=005001", "/product/quillon-draft"],
    ["/product/quillon-draft", "?plan=", "/product/quillon-draft"],
    ["/product/quillon-draft", "?plan=1&plan=2", "/product/quillon-draft?plan=1"],
    ["/product/quillon-draft", "?%70lan=1&x", "/product/quillon-draft?plan=1"],
    ["/top-trending", "?page=0", "/top-trending"],
    ["/top-trending", "?page=1&sort=recommend", "/top-trending"],
    ["/top-trending", "?sort=cheapest&page=02", "/top-trending"],
    ["/blog", "?page=1&q=", "/blog"],
    ["/blog", "?q=+&page=3", "/blog?page=3"],
    ["/product/__proto__", "?constructor=1", "/product/__proto__"],
    ["/category/writing", "?sort=price_asc&page=2&x=1", "/category/writing?page=2&sort=price_asc"],
    ["/ja/mobile/vendor/ostrel-works", "?utm_source=x", "/ja/mobile/vendor/ostrel-works"],
    ["/zh/seller/ostrel-works", "?sort=price_asc&x=1", "/zh/seller/ostrel-works?sort=price_asc"],
    ["/categories", "?page=2", "/categories"],
  ])("%s%s as %s", (path, search, key) => expect(pageKey(path, search)).toBe(key));

  it.each([
    ["/cart", ""],
    ["/profile", ""],
    ["/login", ""],
    ["/search", "?q=x"],
    ["/checkout", "?order_id=x"],
    ["/api/v1/product/list", ""],
    ["/i/abc", ""],
    ["/product/a/b", ""],
    ["/product/%71uillon-draft", ""],
    ["/blog", "?q=words"],
    ["/blog", "?page=2&q=words"],
    ["/compare", "?plans=5001,5002"],
    ["/vendor/", ""],
  ])("not %s%s", (path, search) => expect(pageKey(path, search)).toBeNull());

  it("returns a key with allowed parameters only (500 random queries)", () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const key = pageKey("/product/quillon-draft", `?${query}`);
        expect(key).toMatch(/^\/product\/quillon-draft(\?plan=[1-9]\d{0,8})?$/);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps every sort of the list apart, and no other value", () => {
    const keys = [...PRODUCT_SORTS, "x"].map((sort) => pageKey("/top-trending", `?sort=${sort}`));
    expect(new Set(keys).size).toBe(PRODUCT_SORTS.length);
    expect(pageKey("/top-trending", `?sort=${ListProductsInput.parse({}).sort}`)).toBe("/top-trending");
  });

  it("knows the page of a product without its plan", () => {
    expect(keyWithoutPlan("/zh/product/a?plan=7")).toBe("/zh/product/a");
    for (const key of ["/zh/product/a", "/top-trending?page=2"]) expect(keyWithoutPlan(key)).toBeNull();
  });
});

const rendered = (text = "<p>page</p>", more: Partial<Rendered> = {}): Rendered => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: Buffer.from(text),
  tags: new Set(["list"]),
  ...more,
});
const createStore = (maxBytes = 1_000_000, clock?: { now: () => number }) => new PageStore(maxBytes, clock);
const readText = async (page: CachedPage | null | undefined) =>
  String((await page?.variant("identity"))?.body);
const deferred = <T>() => {
  let done!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    done = resolve;
  });
  return { promise, done };
};

describe("PageStore", () => {
  it("renders once for 200 concurrent requests", async () => {
    const store = createStore();
    let renders = 0;
    const pending = Array.from({ length: 200 }, () =>
      store.render("/", async () => {
        renders += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return rendered();
      }),
    );
    const pages = await Promise.all(pending);
    expect([renders, new Set(pages).size]).toEqual([1, 1]);
    expect(store.find("/")).toBe(pages[0]);
  });

  it("stores no page that was rendered before an invalidation of its tags; others stay", async () => {
    const store = createStore();
    const invalidated = deferred<void>();
    const firstRender = store.render("/a", async () => {
      await invalidated.promise; // the page has read its data before the invalidation and renders after it
      return rendered("old", { tags: new Set(["product:1", "list"]) });
    });
    const otherRender = store.render("/b", async () => {
      await invalidated.promise;
      return rendered("other", { tags: new Set(["product:2"]) });
    });
    store.invalidate("product:1");
    // A request after the change does not get the render that began before it.
    const secondRender = store.render("/a", async () =>
      rendered("new", { tags: new Set(["product:1", "list"]) }),
    );
    invalidated.done();
    expect([await readText(await firstRender), await readText(await secondRender)]).toEqual(["old", "new"]);
    await otherRender;
    expect([await readText(store.find("/a")), await readText(store.find("/b"))]).toEqual(["new", "other"]);
  });

  it("an invalidation of another tag causes no second render", async () => {
    const store = createStore();
    const ready = deferred<void>();
    let renders = 0;
    const render = async () => {
      renders += 1;
      await ready.promise;
      return rendered("a", { tags: new Set(["product:1"]) });
    };
    const pending = [store.render("/a", render)];
    store.invalidate("product:2");
    pending.push(store.render("/a", render));
    ready.done();
    expect([new Set(await Promise.all(pending)).size, renders]).toEqual([1, 1]);
    expect(store.find("/a")).toBeDefined();
  });

  it("returns an unsettled page, but does not store it", async () => {
    const store = createStore();
    const page = await store.render("/a", async () => rendered("a", { tags: new Set(["list", UNSETTLED]) }));
    expect([page === null, store.find("/a")]).toEqual([false, undefined]);
  });

  it("keeps expired pages for an outage: until ten minutes later, without those that an invalidation removed", async () => {
    let now = 1_000;
    const store = createStore(1_000_000, { now: () => now });
    await store.render("/a", async () => rendered("a", { tags: new Set(["product:1"]) }));
    await store.render("/b", async () => rendered("b", { tags: new Set(["product:2"]) }));
    await store.render("/c", async () => rendered("c", { validUntil: now + 5_000 }));
    now += 60_000;
    expect(["/a", "/b", "/c"].map((key) => store.find(key))).toEqual([undefined, undefined, undefined]);
    store.invalidate("product:2");
    const readStale = (key: string) => readText(store.findStale(key, 600_000));
    expect([await readStale("/a"), await readStale("/b"), await readStale("/c")]).toEqual([
      "a",
      "undefined",
      "c",
    ]);
    now += 545_000;
    expect([await readStale("/a"), await readStale("/c")]).toEqual(["a", "undefined"]);
    now += 55_000;
    expect(await readStale("/a")).toBe("undefined");
  });

  it("lost notifications and outages expire all pages and stop running renders", async () => {
    const store = createStore();
    await store.render("/a", async () => rendered("a"));
    const ready = deferred<void>();
    const running = store.render("/b", async () => {
      await ready.promise;
      return rendered("b");
    });
    store.expireAll();
    ready.done();
    await running;
    expect([store.find("/a"), store.find("/b"), store.findStale("/b", 1_000)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await readText(store.findStale("/a", 1_000))).toBe("a");
  });

  it("stores nothing that began before notifications were lost", async () => {
    const store = createStore();
    const ready = deferred<void>();
    const firstRender = store.render("/a", async () => {
      await ready.promise;
      return rendered("a", { tags: new Set(["product:1"]) });
    });
    store.expireAll();
    ready.done();
    await firstRender;
    expect(store.find("/a")).toBeUndefined();
  });

  it("counts more invalidations than it remembers as an invalidation of every tag", async () => {
    const store = createStore();
    const ready = deferred<void>();
    const firstRender = store.render("/a", async () => {
      await ready.promise;
      return rendered("a", { tags: new Set(["product:1"]) });
    });
    store.invalidate("product:1");
    for (let i = 0; i < 10_001; i += 1) store.invalidate(`product:${i + 2}`);
    ready.done();
    await firstRender;
    expect(store.find("/a")).toBeUndefined();
  });

  it("removes the pages with an invalidated tag, and only those", async () => {
    const store = createStore();
    await store.render("/a", async () => rendered("a", { tags: new Set(["product:1"]) }));
    await store.render("/b", async () => rendered("b", { tags: new Set(["product:2", "list"]) }));
    store.invalidate("product:2");
    expect([store.find("/a") !== undefined, store.find("/b")]).toEqual([true, undefined]);
    store.expireAll();
    expect(store.find("/a")).toBeUndefined();
  });

  it("shares no response that sets a cookie, is not a page, or failed", async () => {
    const store = createStore();
    const isShared = async (more: Partial<Rendered>) =>
      (await store.render("/x", async () => rendered("x", more))) !== null;
    expect(await isShared({ headers: { "content-type": "text/html", "set-cookie": "a=b" } })).toBe(false);
    expect(await isShared({ status: 500 })).toBe(false);
    expect(await isShared({ status: 307 })).toBe(false);
    expect(await isShared({ headers: { "content-type": "text/x-component" } })).toBe(false);
    expect(store.find("/x")).toBeUndefined();
    await expect(store.render("/x", () => Promise.reject(new Error("no database")))).rejects.toThrow(
      "no database",
    );
    expect(await isShared({})).toBe(true);
  });

  it("expires pages after a minute, or at their expiry time", async () => {
    let time = 1_000;
    const store = createStore(1_000_000, { now: () => time });
    await store.render("/a", async () => rendered());
    await store.render("/deal", async () => ({ ...rendered(), validUntil: 11_000 }));
    await store.render("/over", async () => ({ ...rendered(), validUntil: 1_000 }));
    expect(store.find("/over")).toBeUndefined();
    time = 10_999;
    expect(store.find("/deal")).toBeDefined();
    time = 11_001;
    expect(store.find("/deal")).toBeUndefined();
    time = 60_999;
    expect(store.find("/a")).toBeDefined();
    time = 61_001;
    expect(store.find("/a")).toBeUndefined();
  });

  it("keeps pages that were requested again while 100,000 others are requested once", async () => {
    const store = createStore(500_000);
    const request = async (key: string) =>
      store.find(key) ?? (await store.render(key, async () => rendered("x".repeat(500))));
    const popular = Array.from({ length: 20 }, (_, n) => `/product/popular-${n}`);
    for (const key of [...popular, ...popular]) await request(key);
    for (let n = 0; n < 100_000; n += 1) await request(`/product/once-${n}`);
    expect(popular.filter((key) => store.find(key))).toEqual(popular);
    expect(store.size().bytes).toBeLessThanOrEqual(500_000);
  });

  it("keeps a page among those requested again when it has expired", async () => {
    let time = 0;
    const store = createStore(500_000, { now: () => time });
    const render = (key: string) => store.render(key, async () => rendered("x".repeat(500)));
    await render("/popular");
    expect(store.find("/popular")).toBeDefined();
    time = 61_000;
    expect(store.find("/popular")).toBeUndefined();
    await render("/popular"); // is not requested again before the others arrive
    for (let n = 0; n < 1000; n += 1) await render(`/once-${n}`);
    expect(store.find("/popular")).toBeDefined();
    expect(store.find("/once-0")).toBeUndefined();
    expect(store.find("/once-999")).toBeDefined();
  });

  it("a page that has become unknown is found as that, also while its former version is kept", async () => {
    let time = 0;
    const store = createStore(500_000, { now: () => time });
    await store.render("/a", async () => rendered("page"));
    expect(await readText(store.find("/a"))).toBe("page");
    time = 61_000;
    await store.render("/a", async () => rendered("none", { status: 404 }));
    expect(await readText(store.find("/a"))).toBe("none");
  });

  it("stays within its size limit; 10,000 unknown URLs evict no page", async () => {
    const store = createStore(200_000);
    await store.render("/", async () => rendered("x".repeat(20_000)));
    for (let i = 0; i < 10_000; i += 1)
      await store.render(`/product/nope-${i}`, async () => rendered("y".repeat(5_000), { status: 404 }));
    expect(store.find("/")).toBeDefined();
    expect(store.size().bytes).toBeLessThanOrEqual(200_000 * 1.125);
    for (let i = 0; i < 50; i += 1) await store.render(`/p${i}`, async () => rendered("z".repeat(20_000)));
    expect(store.size().bytes).toBeLessThanOrEqual(200_000 * 1.125);
  });
});

describe("response of a cached page", () => {
  it.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=0, br;q=0.0", "identity"],
    ["GZIP;q=0.5", "gzip"],
    ["identity", "identity"],
    ["", "identity"],
  ])("for Accept-Encoding “%s” is encoded as %s", (accepted, encoding) =>
    expect(acceptedEncoding(accepted)).toBe(encoding),
  );

  it("allows its inline scripts by hash only", () => {
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; object-src 'none'";
    const page =
      '<script>self.x=1</script><script src="/a.js"></script><script type="application/ld+json">{}</script><script async>self.x=1</script>';
    const hashed = withScriptHashes(policy, page);
    expect(hashed).not.toContain("unsafe-inline");
    expect(hashed.match(/'sha256-/g)).toHaveLength(1);
    expect(hashed).toContain("; object-src 'none'");
  });
});

describe("withTags", () => {
  it("collects the tags of one render separately from concurrent ones", async () => {
    const render = async (tag: string) => {
      const tags = new Set<string>();
      await withTags(tags, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        noteTags(tag);
      });
      return [...tags];
    };
    expect(await Promise.all([render("a"), render("b")])).toEqual([["a"], ["b"]]);
    noteTags("ignored outside a render");
  });

  it("collects the queries that change a page", async () => {
    const tags = new Set<string>();
    await withTags(tags, async () => noteQueries("?plan=1", "?plan=2"));
    const page = (await createStore().render("/a", async () => rendered("a", { tags })))!;
    expect(["?plan=1", "?plan=2", "?plan=3", ""].map((query) => page.isChangedBy(query))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
