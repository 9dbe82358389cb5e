import { describe, expect, it } from "vitest";
import { GUARDIAN_AGE } from "@/lib/accounts/rules";
import { type PostDetail, type PostItem, parseBlogQuery } from "@/lib/blog/contract";
import { PostFile } from "@/lib/blog/import/contract";
import { findTextProblems } from "@/lib/blog/import/rules";
import { placeholderValues, readingMinutes } from "@/lib/blog/rules";
import { blogJsonLd, blogMetadata, postJsonLd, postMetadata } from "@/lib/blog/seo";
import { DAILY_VOUCHER } from "@/lib/coupons/rules";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";

describe("placeholderValues", () => {
  it("returns the constants of the rules in every language", () => {
    for (const locale of LOCALES) {
      const figures = placeholderValues(locale);
      expect(Object.values(figures).every((value) => /\d/.test(value))).toBe(true);
      expect(figures.refund_days).toBe(String(REFUND_DAYS));
      expect(figures.minor_age).toBe(String(GUARDIAN_AGE));
      expect(formatPrice(DAILY_VOUCHER.amountCents, locale)).toContain(figures.daily_amount);
    }
  });
});

describe("readingMinutes", () => {
  it("counts words, and characters in Chinese and Japanese", () => {
    expect(readingMinutes("")).toBe(1);
    expect(readingMinutes("word ".repeat(880))).toBe(4);
    expect(readingMinutes("通行证".repeat(600))).toBe(4);
    expect(readingMinutes("パスの".repeat(450))).toBe(3);
  });
});

describe("parseBlogQuery", () => {
  it.each([
    [{}, { keyword: "", page: 1 }],
    [
      { q: "  refund  ", page: "2" },
      { keyword: "refund", page: 2 },
    ],
    [
      { q: ["a", "b"], page: ["3"] },
      { keyword: "a", page: 3 },
    ],
    [{ page: "0" }, { page: 1 }],
    [{ page: "-1" }, { page: 1 }],
    [{ page: "1e3" }, { page: 1 }],
    [{ page: "9999999" }, { page: 1 }],
    [{ q: "x".repeat(300) }, { keyword: "x".repeat(200) }],
  ])("parses %j as %j", (query, expected) => expect(parseBlogQuery(query)).toMatchObject(expected));
});

describe("post files", () => {
  const file = (body: string, front = "title: 标题\ndescription: 一句说明。") =>
    `---\n${front}\n---\n第一行。\n${body}`;
  const problemsWith = (body: string) =>
    findTextProblems(file(body), "zh").map(({ line, message }) => `${line} ${message}`);

  it.each([
    ["退款期为 {refund_days} 天。"],
    ["[Quillon 写稿](/product/quillon-draft) 和 [退款](/refund-policy)"],
    ["[外部](https://a.example) [信](mailto:a@b.example) [上文](#part-1)"],
    ["| Quillon Draft | $3.90 |"],
    ["```\n# this is code, not a heading <b>\n```"],
    ["用 `<b>` 标记"],
    ["![一周七天](week.svg)"],
    ["<https://a.example/b>"],
  ])("are accepted with %j", (body) => expect(problemsWith(body)).toEqual([]));

  it.each([
    ["退款期为 {days} 天。", /^6 There is no placeholder \{days\}/],
    ["This paragraph was never translated into Chinese.", /^6 The Chinese text has no Chinese/],
    ["好。\n\n剩下 {{name}}。", /^8 There is no placeholder/],
    ["剩下 %s 天。", /^6 A placeholder was left/],
    ["# 又一个标题", /^6 The title is the only heading/],
    ["![图](/a.png)", /^6 A figure is a line of its own/],
    ["看 ![图](a.svg)", /^6 A figure is a line of its own/],
    ["![](a.svg)", /^6 A figure is a line of its own/],
    ["![图](https://a.example/a.svg)", /^6 A figure is a line of its own/],
    ["![The caption was never translated into Chinese](a.svg)", /^6 The Chinese text has no Chinese/],
    ["<b>粗</b>", /^6 HTML would be shown/],
    ["[链接](product/x)", /^6 product\/x is not an address/],
    ["[链接](//a.example)", /is not an address/],
    ["[链接](javascript:alert(1))", /is not an address/],
    ["[链接]()", /The link has no address/],
    ["[链接](/no-such-page)", /\/no-such-page: there is no such page/],
    ["[链接](/zh/product/x)", /without language/],
    ["[链接](/mobile/product/x)", /without \/mobile/],
  ])("are rejected with %j, naming file and line", (body, message) => {
    expect(problemsWith(body).join("\n")).toMatch(message);
    expect(findTextProblems(file(body), "zh")[0]?.file).toBe("zh.md");
  });

  it("are rejected without front matter, and with a title in another language", () => {
    expect(findTextProblems("第一行。", "zh")).toMatchObject([{ file: "zh.md", line: 1 }]);
    const title = "title: Still in English, all of it\ndescription: 一句说明。";
    expect(findTextProblems(file("好。", title), "zh")).toMatchObject([{ line: 2 }]);
  });

  it("are rejected with a numeric slug, duplicate relations or invalid dates", () => {
    const post = {
      slug: "a-post",
      author: "Ines",
      category: "writing",
      recommended: true,
      related: ["a", "b"],
      published_on: "2026-06-09",
      updated_on: "2026-06-09",
    };
    expect(PostFile.safeParse(post).success).toBe(true);
    for (const invalid of [
      { slug: "2026" },
      { slug: "A post" },
      { related: ["a", "a"] },
      { updated_on: "2026-06-08" },
      { published_on: "2026-02-30" },
      { colour: "red" },
    ])
      expect([invalid, PostFile.safeParse({ ...post, ...invalid }).success]).toEqual([invalid, false]);
  });
});

describe("post SEO", () => {
  const page = { origin: "https://shop.example", brand: "Shop", locale: "zh", surface: "mobile" } as const;
  const post: PostDetail = {
    post_id: 301,
    slug: "how-long",
    title: "买多长",
    description: "算一算。",
    author: "Ines Harrow",
    category: "writing",
    category_name: "写作",
    image: "/api/v1/blog/image/how-long?v=20",
    hue: 20,
    recommended: false,
    published_at: "2026-06-09T00:00:00.000Z",
    updated_at: "2026-11-12T00:00:00.000Z",
    reading_minutes: 2,
    language: "zh",
    html: "<p>好。</p>",
    related: [],
  };

  it("describes a post in JSON-LD with its desktop URL", () => {
    const [posting, path] = postJsonLd(post, page, { home: "首页", blog: "博客" });
    expect(posting).toMatchObject({
      "@type": "BlogPosting",
      headline: "买多长",
      url: "https://shop.example/zh/blog/detail/how-long",
      inLanguage: "zh-Hans",
      articleSection: "写作",
      datePublished: post.published_at,
      dateModified: post.updated_at,
      author: { name: "Ines Harrow" },
    });
    expect(JSON.stringify(path)).toContain('"item":"https://shop.example/zh/blog"');
  });

  it("names the canonical URL and the translations of a post", () => {
    const { alternates, openGraph } = postMetadata(post, page);
    expect(alternates?.canonical).toBe("https://shop.example/zh/blog/detail/how-long");
    expect(alternates?.languages).toMatchObject({
      ja: "https://shop.example/ja/mobile/blog/detail/how-long",
    });
    expect(openGraph).toMatchObject({ type: "article", modifiedTime: post.updated_at });
  });

  it("gives each list page its own canonical URL, and excludes searches from the index", () => {
    const labels = { title: "博客", description: "说明" };
    const metadataOf = (list: { keyword: string; page: number }) => blogMetadata(list, page, labels);
    expect(metadataOf({ keyword: "", page: 1 }).alternates?.canonical).toBe("https://shop.example/zh/blog");
    expect(metadataOf({ keyword: "", page: 2 }).alternates).toMatchObject({
      canonical: "https://shop.example/zh/blog?page=2",
      languages: { en: "https://shop.example/mobile/blog?page=2" },
    });
    expect(metadataOf({ keyword: "x", page: 1 })).toMatchObject({ robots: { index: false, follow: true } });
  });
});

it("the JSON-LD of the list is a blog with its posts", () => {
  const page = { origin: "https://shop.example", brand: "Shop", locale: "ja", surface: "desktop" } as const;
  const post = { slug: "a-post", title: "投稿", published_at: "2026-11-01T00:00:00.000Z" } as PostItem;
  const labels = { home: "ホーム", title: "ブログ", description: "読みもの" };
  expect(blogJsonLd([post], page, labels)).toMatchObject([
    {
      "@type": "Blog",
      url: "https://shop.example/ja/blog",
      blogPost: [{ "@type": "BlogPosting", url: "https://shop.example/ja/blog/detail/a-post" }],
    },
    { "@type": "BreadcrumbList", itemListElement: [{ name: "ホーム" }, { name: "ブログ" }] },
  ]);
});
