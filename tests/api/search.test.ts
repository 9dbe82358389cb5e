import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as search } from "@/app/api/v1/product/search/route";
import { GET as suggest } from "@/app/api/v1/product/suggest/route";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { SearchResults, Suggestions } from "@/lib/catalog/search/contract";
import { rounds } from "@/tests/setup/rounds";
import { call } from "./call";

afterAll(closeDatabase);
beforeAll(() =>
  createProduct({ slug: "toolbox", texts: { en: { name: "Toolbox" }, zh: { name: "工具箱" } } }),
);

const HOSTILE = [
  "(",
  ")",
  "'",
  '"',
  ":*",
  "a:*",
  "& | ! <->",
  "<2>",
  "\\",
  "%",
  "_",
  "%_\\",
  "😀",
  "👩‍👩‍👧‍👦 toolbox",
  "x".repeat(200),
  "字".repeat(200),
  "a ".repeat(100),
  "...!?、。",
  "مرحبا בדיקה",
  "\u202etoolbox",
  "~week",
  "'; drop table products; --",
  "$1",
  "{}",
];

describe("search calls", () => {
  it.each(HOSTILE)("respond 200 to %j", async (keyword) => {
    for (const sort of ["recommend", "price_asc", "price_desc", "price_per_day"]) {
      const { status, body } = await call(search, "/product/search", { body: { keyword, sort } });
      expect(status).toBe(200);
      SearchResults.parse(body.data);
    }
    const { status, body } = await call(suggest, "/product/suggest", {
      query: `${new URLSearchParams({ keyword })}`,
    });
    expect(status).toBe(200);
    Suggestions.parse(body.data);
  });

  it("respond 200 to any text (random texts)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 100 }).map((text) => text.replaceAll("\0", "")),
        async (keyword) => {
          const results = await call(search, "/product/search", { body: { keyword } });
          const suggestions = await call(suggest, "/product/suggest", {
            query: `${new URLSearchParams({ keyword })}`,
          });
          expect([results.status, suggestions.status]).toEqual([200, 200]);
        },
      ),
      { numRuns: rounds(200, 25), seed: 20261121 },
    ));

  it("correct a typo and return the correction, in every language", async () => {
    for (const target_lang of ["en", "zh", "ja"]) {
      const { body } = await call(search, "/product/search", { body: { keyword: "tolbox", target_lang } });
      expect(body.data).toMatchObject({
        match: "corrected",
        corrected: "toolbox",
        total: 1,
        items: [{ slug: "toolbox" }],
      });
    }
    const { body } = await call(search, "/product/search", { body: { keyword: "toolbox" } });
    expect(body.data).toMatchObject({ match: "exact", corrected: null, total: 1 });
  });

  it("return suggestions to guests in their language", async () => {
    const { body } = await call(suggest, "/product/suggest", { query: "keyword=too&target_lang=zh" });
    expect(body.data.products).toMatchObject([
      { slug: "toolbox", product_name: "工具箱", language: "zh", price: 10 },
    ]);
    expect(body.data.products[0].product_image).toMatch(/^\/admin\/product-image\/\d+\?v=/);
    expect((await call(suggest, "/product/suggest")).body.data).toEqual({
      products: [],
      categories: [],
      vip_types: [],
    });
  });

  it("reject text that is too long or not valid Unicode", async () => {
    for (const keyword of ["x".repeat(201), "a\0b", "\ud800", "tool\udc00box"]) {
      const { status, body } = await call(search, "/product/search", { body: { keyword } });
      expect([status, body.code]).toEqual([400, "40000"]);
    }
    // In a URL, a lone surrogate is encoded as the replacement character.
    for (const keyword of ["\ud800", "tool\udc00box"]) {
      const { status } = await call(suggest, "/product/suggest", {
        query: `${new URLSearchParams({ keyword })}`,
      });
      expect(status).toBe(200);
    }
  });
});

describe("a product without a translation", () => {
  /** The dictionary's name and words of its tagline; the product's own texts are English. */
  const TEXTS = {
    zh: { name: "Sonnetbird 押韵词典", words: ["押韵词典", "sonnetbird 押韵", "祝酒词"] },
    ja: { name: "Sonnetbird 押韻辞典", words: ["押韻辞典", "sonnetbird 押韻", "祝辞"] },
  };
  beforeAll(() =>
    createProduct({
      slug: "sonnetbird",
      texts: {
        en: { name: "Sonnetbird", tagline: "A rhyming dictionary for songs, toasts and poems." },
      },
    }),
  );

  it.each(["zh", "ja"] as const)(
    "is found and suggested by the name that lists show in %s",
    async (locale) => {
      const { name, words } = TEXTS[locale];
      for (const keyword of [name, ...words]) {
        const { body } = await call(search, "/product/search", { body: { keyword, target_lang: locale } });
        const found = { slug: "sonnetbird", product_name: name };
        expect(body.data, keyword).toMatchObject({ match: "exact", items: [found] });
        const query = `${new URLSearchParams({ keyword, target_lang: locale })}`;
        const suggested = await call(suggest, "/product/suggest", { query });
        expect(suggested.body.data.products, keyword).toMatchObject([found]);
      }
    },
  );

  it("is found only by its own name once it has one", async () => {
    await createProduct({
      slug: "staveworth",
      texts: { en: { name: "Staveworth" }, zh: { name: "谱写" } },
    });
    const slugs = async (keyword: string) => {
      const { body } = await call(search, "/product/search", { body: { keyword } });
      return body.data.match === "exact" ? body.data.items.map(({ slug }: { slug: string }) => slug) : [];
    };
    expect(await slugs("记谱")).toEqual([]);
    expect(await slugs("谱写")).toEqual(["staveworth"]);
    expect(await slugs("楽譜")).toEqual(["staveworth"]);
  });
});
