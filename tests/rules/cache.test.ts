import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageKey, wishOf } from "@/lib/platform/page-cache/key";
import { withHashes } from "@/lib/platform/page-cache/page-cache";
import { encodingOf } from "@/lib/platform/page-cache/send";
import { PageStore, type Rendered } from "@/lib/platform/page-cache/store";
import { gatherTags, noteTags, UNSETTLED } from "@/lib/platform/page-cache/tags";

describe("which pages are kept finished", () => {
  it.each([
    ["/", "", "/"],
    ["/zh/mobile", "", "/zh/mobile"],
    ["/product/quillon-draft", "?plan=5001", "/product/quillon-draft?plan=5001"],
    ["/product/quillon-draft", "?source=mail&plan=5001&coupon=X", "/product/quillon-draft?plan=5001"],
    ["/top-trending", "?sort=price_asc&page=2", "/top-trending?page=2&sort=price_asc"],
    ["/top-trending", "?page=2&sort=price_asc", "/top-trending?page=2&sort=price_asc"],
    ["/ja/blog/detail/how-long-a-pass", "?source=x", "/ja/blog/detail/how-long-a-pass"],
  ])("%s%s as %s", (path, search, key) => expect(pageKey(path, search)).toBe(key));

  it.each([
    ["/cart", ""],
    ["/profile", ""],
    ["/login", ""],
    ["/search", "?q=x"],
    ["/checkout", "?order_id=x"],
    ["/api/v1/product/list", ""],
    ["/i/abc", ""],
    ["/product/quillon-draft", "?_rsc=abc"],
    ["/product/quillon-draft", "?plan=x"],
    ["/product/quillon-draft", "?plan=1&plan=2"],
    ["/top-trending", "?page=0"],
    ["/", "?utm_source=x"],
    ["/product/a/b", ""],
    ["/blog", "?q=words"],
    ["/product/__proto__", "?constructor=1"],
  ])("not %s%s", (path, search) => expect(pageKey(path, search)).toBeNull());

  it("any query whatever has a key of known names, or none (500 random ones)", () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const key = pageKey("/product/quillon-draft", `?${query}`);
        expect(key === null || /^\/product\/quillon-draft(\?plan=\d{1,9})?$/.test(key)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("what the router in the browser wishes", () => {
  const path = "/product/quillon-draft";
  const key = (search: string, headers: Record<string, string>) =>
    wishOf(path, search, { rsc: "1", ...headers })?.key;

  it("is kept by its address without the proof, and by what it names of the page", () => {
    expect(key("?_rsc=a", {})).toBe(key("?_rsc=b", { "next-url": "/en", cookie: "x", host: "evil" }));
    expect(key("?plan=1&_rsc=a", {})).toBe(key("?_rsc&plan=1", {}));
    const different = [
      key("?_rsc", {}),
      key("?plan=1&_rsc", {}),
      key("?_rsc", { "next-router-prefetch": "1" }),
      key("?_rsc", { "next-router-segment-prefetch": "1" }),
      key("?_rsc", { "next-router-state-tree": "1" }),
      wishOf(path, "", {})?.key,
    ];
    expect(new Set(different).size).toBe(different.length);
  });

  it("is rendered with its proof, and with nothing else of the request", () => {
    const asked = { rsc: "1", "next-url": "/en", cookie: "x", host: "evil", "next-hmr-refresh": "1" };
    expect(wishOf(path, "?_rsc=a", asked)).toMatchObject({
      url: `${path}?_rsc=a`,
      headers: { rsc: "1", "next-url": "/en" },
    });
    expect(wishOf(path, "?_rsc=a", { ...asked, rsc: "2" })).toBeNull();
    expect(wishOf("/cart", "?_rsc=a", { rsc: "1" })).toBeNull();
    expect(key("?source=mail&_rsc=a", {})).toBeUndefined();
    expect(key("?_rsc=a&_rsc=b", {})).toBeUndefined();
    expect(key("", {})).toBeUndefined();
    expect(key("?_rsc=a", { "next-router-state-tree": "x".repeat(4001) })).toBeUndefined();
  });
});

const html = (text = "<p>page</p>", more: Partial<Rendered> = {}): Rendered => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: Buffer.from(text),
  tags: new Set(["list"]),
  ...more,
});
const storeOf = (maxBytes = 1_000_000, now?: () => number) => new PageStore(maxBytes, now);
const later = <T>() => {
  let done!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    done = resolve;
  });
  return { promise, done };
};

describe("the store of finished pages", () => {
  it("renders once for 200 who ask at once", async () => {
    const store = storeOf();
    let renders = 0;
    const asked = Array.from({ length: 200 }, () =>
      store.make("/", async () => {
        renders += 1;
        await new Promise((done) => setTimeout(done, 5));
        return html();
      }),
    );
    const pages = await Promise.all(asked);
    expect([renders, new Set(pages).size]).toEqual([1, 1]);
    expect(store.find("/")).toBe(pages[0]);
  });

  it("never keeps a page that was rendered before a change of what it shows; others stay", async () => {
    const store = storeOf();
    const before = later<void>();
    const making = store.make("/a", async () => {
      await before.promise; // the page has read, the change is told, the page is finished
      return html("old", { tags: new Set(["product:1", "list"]) });
    });
    const other = store.make("/b", async () => {
      await before.promise;
      return html("other", { tags: new Set(["product:2"]) });
    });
    store.drop("product:1");
    // Who asks after the change does not get the page that was begun before it.
    const fresh = store.make("/a", async () => html("new", { tags: new Set(["product:1", "list"]) }));
    before.done();
    expect(await (await making)!.encoded("identity")).toEqual(Buffer.from("old"));
    expect(await (await fresh)!.encoded("identity")).toEqual(Buffer.from("new"));
    await other;
    expect(String(await store.find("/a")?.encoded("identity"))).toBe("new");
    expect(String(await store.find("/b")?.encoded("identity"))).toBe("other");
  });

  it("what changes elsewhere does not have a page rendered twice", async () => {
    const store = storeOf();
    const ready = later<void>();
    let renders = 0;
    const render = async () => {
      renders += 1;
      await ready.promise;
      return html("a", { tags: new Set(["product:1"]) });
    };
    const asked = [store.make("/a", render)];
    store.drop("product:2");
    asked.push(store.make("/a", render));
    ready.done();
    expect([new Set(await Promise.all(asked)).size, renders]).toEqual([1, 1]);
    expect(store.find("/a")).toBeDefined();
  });

  it("gives, but does not keep, what is about to change without a word", async () => {
    const store = storeOf();
    const made = await store.make("/a", async () => html("a", { tags: new Set(["list", UNSETTLED]) }));
    expect([made === null, store.find("/a")]).toEqual([false, undefined]);
  });

  it("keeps nothing that was begun before the feed was lost", async () => {
    const store = storeOf();
    const ready = later<void>();
    const making = store.make("/a", async () => {
      await ready.promise;
      return html("a", { tags: new Set(["product:1"]) });
    });
    store.clear();
    ready.done();
    await making;
    expect(store.find("/a")).toBeUndefined();
  });

  it("more changes than it remembers count as a change of everything under way", async () => {
    const store = storeOf();
    const ready = later<void>();
    const making = store.make("/a", async () => {
      await ready.promise;
      return html("a", { tags: new Set(["product:1"]) });
    });
    store.drop("product:1");
    for (let i = 0; i < 10_001; i += 1) store.drop(`product:${i + 2}`);
    ready.done();
    await making;
    expect(store.find("/a")).toBeUndefined();
  });

  it("drops the pages that show it, and only those", async () => {
    const store = storeOf();
    await store.make("/a", async () => html("a", { tags: new Set(["product:1"]) }));
    await store.make("/b", async () => html("b", { tags: new Set(["product:2", "list"]) }));
    store.drop("product:2");
    expect([store.find("/a") !== undefined, store.find("/b")]).toEqual([true, undefined]);
    store.clear();
    expect(store.find("/a")).toBeUndefined();
  });

  it("shares nothing that sets a cookie, is no page, or failed", async () => {
    const store = storeOf();
    const shared = async (more: Partial<Rendered>) =>
      (await store.make("/x", async () => html("x", more))) !== null;
    expect(await shared({ headers: { "content-type": "text/html", "set-cookie": "a=b" } })).toBe(false);
    expect(await shared({ status: 500 })).toBe(false);
    expect(await shared({ status: 307 })).toBe(false);
    expect(await shared({ headers: { "content-type": "text/x-component" } })).toBe(false);
    expect(store.find("/x")).toBeUndefined();
    await expect(store.make("/x", () => Promise.reject(new Error("no database")))).rejects.toThrow(
      "no database",
    );
    const payload = { headers: { "content-type": "text/x-component" } };
    const sharedPayload = async (more: Partial<Rendered>) =>
      (await store.make("rsc", async () => html("x", more), "text/x-component")) !== null;
    expect(await sharedPayload({})).toBe(false);
    expect(await sharedPayload({ ...payload, status: 404 })).toBe(false);
    const failed = { ...payload, body: Buffer.from('0:{}\n1a:E{"digest":"123"}\n') };
    expect(await sharedPayload(failed)).toBe(false);
    expect(await sharedPayload({ ...failed, body: Buffer.from('1a:E{"digest":"NEXT_HTTP;404"}\n') })).toBe(
      true,
    );
    expect(await sharedPayload(payload)).toBe(true);
    expect(await shared({})).toBe(true);
  });

  it("ends after a minute, or when time changes what it shows", async () => {
    let clock = 0;
    const store = storeOf(1_000_000, () => clock);
    await store.make("/a", async () => html());
    await store.make("/deal", async () => ({ ...html(), until: 10_000 }));
    clock = 9_999;
    expect(store.find("/deal")).toBeDefined();
    clock = 10_000;
    expect(store.find("/deal")).toBeUndefined();
    clock = 60_000;
    expect(store.find("/a")).toBeUndefined();
  });

  it("stays within its bytes; 10,000 unknown addresses push no page out", async () => {
    const store = storeOf(200_000);
    await store.make("/", async () => html("x".repeat(20_000)));
    for (let i = 0; i < 10_000; i += 1)
      await store.make(`/product/nope-${i}`, async () => html("y".repeat(5_000), { status: 404 }));
    expect(store.find("/")).toBeDefined();
    expect(store.size().bytes).toBeLessThanOrEqual(200_000 * 1.125);
    for (let i = 0; i < 50; i += 1) await store.make(`/p${i}`, async () => html("z".repeat(20_000)));
    expect(store.size().bytes).toBeLessThanOrEqual(200_000 * 1.125);
  });
});

describe("how a page is sent", () => {
  it.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=0, br;q=0.0", "identity"],
    ["GZIP;q=0.5", "gzip"],
    ["identity", "identity"],
    ["", "identity"],
  ])("accepting “%s” as %s", (accepted, encoding) => expect(encodingOf(accepted)).toBe(encoding));

  it("lets its own inline scripts run by their hashes, and no other", () => {
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; object-src 'none'";
    const page =
      '<script>self.x=1</script><script src="/a.js"></script><script type="application/ld+json">{}</script><script async>self.x=1</script>';
    const strict = withHashes(policy, page);
    expect(strict).not.toContain("unsafe-inline");
    expect(strict.match(/'sha256-/g)).toHaveLength(1);
    expect(strict).toContain("; object-src 'none'");
  });
});

describe("what a page shows", () => {
  it("is noted by its queries, however deep, and apart from other pages", async () => {
    const page = (tag: string) =>
      gatherTags(async () => {
        await new Promise((done) => setTimeout(done, 1));
        noteTags(tag);
        return tag;
      });
    const [a, b] = await Promise.all([page("a"), page("b")]);
    expect([[...a.tags], [...b.tags]]).toEqual([["a"], ["b"]]);
    noteTags("nobody listens");
  });
});
