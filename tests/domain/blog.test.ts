import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { ListPostsInput, PostListView, PostPage } from "@/lib/blog/contract";
import { findPostPage, getPostPage, getPostView } from "@/lib/blog/find-post-page";
import { findBlogView, listPosts, listSidebarPosts } from "@/lib/blog/list-posts";
import { listPostSitemaps, streamPostPages } from "@/lib/blog/stream-post-pages";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SitemapPage } from "@/lib/platform/pages/sitemap";
import { importPostFiles, POST_CATEGORY } from "@/tests/setup/post-import";
import { rounds } from "@/tests/setup/rounds";

const list = (input: object = {}, locale: Locale = "en") => listPosts(ListPostsInput.parse(input), locale);
const slugs = ({ posts }: PostListView) => posts.map(({ slug }) => slug).join(" ");
const searchSlugs = async (keyword: string, locale: Locale = "en") => slugs(await list({ keyword }, locale));

const publishedOn = (date: string, fields: object = {}) => ({
  published_on: date,
  updated_on: date,
  ...fields,
});

beforeAll(async () => {
  await createCategory({ slug: POST_CATEGORY, names: { en: "Notes", zh: "笔记", ja: "メモ" } });
  await importPostFiles({
    oldest: {
      facts: publishedOn("2026-01-01"),
      en: {
        title: "Café notes",
        body: "Refunds within {refund_days} days: see [the policy](/refund-policy).",
      },
      zh: { body: "通行证**退款**期为 {refund_days} 天。" },
      ja: { title: "ｶﾌｪの記事", body: "返金は{refund_days}日以内です。" },
    },
    middle: { facts: publishedOn("2026-02-01", { recommended: true }) },
    twin: { facts: publishedOn("2026-02-01", { updated_on: "2026-05-05" }) },
    newest: {
      facts: publishedOn("2026-03-01", { recommended: true }),
      en: { title: "Last of {refund_days}", body: "Percent % and under_score." },
    },
  });
});
afterAll(closeDatabase);

describe("lists", () => {
  it("show the newest first, and posts of one day by descending id", async () => {
    const view = PostListView.parse(await list());
    expect(view.total).toBe(4);
    expect(slugs(view)).toBe("newest twin middle oldest");
    expect(view.posts[0]).toMatchObject({
      category_name: "Notes",
      image: "/api/v1/blog/image/newest?v=placeholder",
      published_at: "2026-03-01T00:00:00.000Z",
      language: "en",
    });
    expect((await list({}, "zh")).posts[0]).toMatchObject({ category_name: "笔记", title: "一篇文章" });
  });

  it("fill placeholders in titles", async () => {
    expect((await list()).posts[0]?.title).toBe(`Last of ${REFUND_DAYS}`);
  });

  it("are paged, with the same total behind the last page", async () => {
    expect(slugs(await list({ size: 3, page: 2 }))).toBe("oldest");
    expect(await list({ size: 3, page: 3 })).toEqual({ posts: [], total: 4 });
  });

  it("filter by recommended posts", async () => {
    const view = await list({ type: "recommended" });
    expect([slugs(view), view.total]).toEqual(["newest middle", 2]);
  });

  it("order hot posts by visits of the last 30 days, and show none without visits", async () => {
    expect(slugs(await list({ type: "hot" }))).toBe("newest middle twin oldest");
    expect((await listSidebarPosts("en")).hot).toEqual([]);
    const insertVisits = (slug: string, times: number, since: string) => client()`
      insert into visits (path, locale, device_type, created_at)
      select ${`/blog/detail/${slug}`}, 'en', 'desktop', shop_now() - ${since}::interval from generate_series(1, ${times})`;
    await insertVisits("oldest", 2, "29 days");
    await insertVisits("twin", 1, "1 hour");
    await insertVisits("middle", 9, "31 days");
    await insertVisits("newest/comments", 9, "1 hour");
    expect(slugs(await list({ type: "hot" }))).toBe("oldest twin newest middle");
    expect((await listSidebarPosts("en")).hot.map(({ slug }) => slug)).toEqual([
      "oldest",
      "twin",
      "newest",
      "middle",
    ]);
  });

  it("leave out unlisted posts", async () => {
    await client()`update posts set listed = false where slug = 'twin'`;
    try {
      expect(slugs(await list())).toBe("newest middle oldest");
      expect(await findPostPage("twin", "en", "desktop")).toBeNull();
      expect((await getPostPage("newest", "en")).previous?.slug).toBe("middle");
    } finally {
      await client()`update posts set listed = true where slug = 'twin'`;
    }
  });
});

describe("blog search", () => {
  it.each([
    ["cafe", "en", "oldest"],
    ["ＣＡＦÉ", "en", "oldest"],
    ["notes café", "en", "oldest"],
    ["notes missing", "en", ""],
    [`${REFUND_DAYS} days`, "en", "oldest"],
    ["the policy", "en", "oldest"],
    ["refund-policy", "en", ""],
    ["{refund_days}", "en", ""],
    ["refund_days", "en", ""],
    ["100%", "en", ""],
    ["%", "en", "newest"],
    ["under_score", "en", "newest"],
    ["退款", "zh", "oldest"],
    ["通行证退款期", "zh", "oldest"],
    ["款期为", "zh", "oldest"],
    ["退款", "en", ""],
    ["カフェ", "ja", "oldest"],
    ["金は", "ja", "oldest"],
    ["' or 1=1 --", "en", ""],
  ] as const)("for %s in %s finds “%s”", async (keyword, locale, expected) =>
    expect(await searchSlugs(keyword, locale)).toBe(expected),
  );

  it("without a keyword lists all posts", async () => expect((await list({ keyword: "   " })).total).toBe(4));

  it("accepts any text (random texts)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (keyword) => {
        expect((await listPosts({ type: "newest", keyword, page: 1, size: 5 }, "ja")).total).toBeLessThan(5);
      }),
      { numRuns: rounds(200, 25), seed: 20261121 },
    );
  });
});

describe("a post", () => {
  it("is found by id and slug, with the previous and next post by date", async () => {
    const page = PostPage.parse(await getPostPage("twin", "en"));
    expect([page.previous?.slug, page.next?.slug]).toEqual(["middle", "newest"]);
    expect(await getPostPage(String(page.post.post_id), "en")).toEqual(page);
    expect((await getPostPage("oldest", "en")).previous).toBeNull();
    expect((await getPostPage("newest", "en")).next).toBeNull();
    expect(page.post.updated_at).toBe("2026-05-05T00:00:00.000Z");
  });

  it.each([["no-such"], ["99999"], ["0"], ["a\0b"], ["' or 1=1 --"]])("is not found as %j", async (id) => {
    await expect(getPostPage(id, "en")).rejects.toThrow("post_unknown");
  });

  it("links to pages of its language and surface", async () => {
    expect((await getPostPage("oldest", "en")).post.html).toBe(
      `<p>Refunds within ${REFUND_DAYS} days: see <a href="/refund-policy">the policy</a>.</p>`,
    );
    const mobilePage = await getPostPage("oldest", "en", "mobile");
    expect(mobilePage.post.html).toContain('href="/mobile/refund-policy"');
  });

  it("shows an unknown placeholder unchanged", async () => {
    await client()`update post_texts set body = 'Within {gone} days.' where locale = 'ja'
      and post_id = (select id from posts where slug = 'middle')`;
    expect((await getPostPage("middle", "ja")).post.html).toBe("<p>Within {gone} days.</p>");
  });

  it("shows its listed related products in the post's order", async () => {
    const [second, first, unlisted] = [
      await createProduct(),
      await createProduct(),
      await createProduct({ listed: false }),
    ];
    const related = [first.slug, unlisted.slug, "never-was", second.slug];
    await importPostFiles({ related: { facts: { ...publishedOn("2025-01-01"), related } } });
    const view = await getPostView("related", { locale: "en", surface: "desktop" });
    expect(view?.related.map(({ slug }) => slug)).toEqual([first.slug, second.slug]);
    await client()`update posts set listed = false where slug = 'related'`;
  });
});

describe("pages and feeds", () => {
  it("exist up to the last page of the list, which is empty only for a search", async () => {
    expect((await findBlogView({}, "en"))?.found.total).toBe(4);
    expect(await findBlogView({ page: "2" }, "en")).toBeNull();
    expect((await findBlogView({ q: "nothing says this" }, "en"))?.found).toEqual({ posts: [], total: 0 });
  });

  it("include a sitemap that lists every post with its last change", async () => {
    const pages: SitemapPage[] = [];
    for await (const page of streamPostPages()) pages.push(page);
    expect(pages.map(({ path }) => path)).toEqual(
      ["oldest", "middle", "twin", "newest"]
        .sort((a, b) => folderPosition(a) - folderPosition(b))
        .map((s) => `/blog/detail/${s}`),
    );
    const twin = pages.find(({ path }) => path.endsWith("twin"));
    expect(new Date(twin!.lastModified!).toISOString()).toBe("2026-05-05T00:00:00.000Z");
    expect(await listPostSitemaps()).toHaveLength(1);
  });
});

/** Ids follow the order of the folders, because posts are imported in that order. */
const folderPosition = (slug: string) => ["middle", "newest", "oldest", "twin"].indexOf(slug);
