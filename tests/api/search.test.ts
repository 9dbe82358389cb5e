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
  it.each(HOSTILE)("answer 200 to %j", async (keyword) => {
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

  it("answer 200 to any text (random texts)", () =>
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
