import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { searchProducts } from "@/lib/catalog/search/search-products";

afterAll(closeDatabase);

const slugs = async (keyword: string) =>
  (await searchProducts(SearchProductsInput.parse({ keyword, size: 100 }), "ja")).items.map(
    ({ slug }) => slug,
  );

describe("parts of Chinese and Japanese words", () => {
  // None of these letters is part of a pass type's name, so that only texts match.
  const LETTERS = [..."字幕翻訳会議録音写真編集下書き動画生成メモリーツール助手绘图笔记"];
  const texts = fc.sample(
    fc
      .array(fc.constantFrom(...LETTERS, "、", " ", "AI", "・"), { minLength: 3, maxLength: 24 })
      .map((letters) => letters.join("")),
    { numRuns: 180, seed: 7 },
  );

  beforeAll(async () => {
    for (let i = 0; i < texts.length; i += 3)
      await createProduct({
        slug: `run-${i}`,
        vendor: "Runs",
        texts: { en: {}, ja: { name: texts[i]!, tagline: texts[i + 1]!, description: texts[i + 2]! } },
      });
  });

  it("match exactly what LIKE matches in names, taglines and descriptions", async () => {
    const parts = texts.flatMap((text) => text.match(/[\u3041-\u30fa\u30fc\u4e00-\u9fff]+/g) ?? []);
    const slices = fc.tuple(fc.constantFrom(...parts), fc.nat(20), fc.integer({ min: 1, max: 8 }));
    const keywords = fc
      .sample(slices, { numRuns: 250, seed: 8 })
      .map(([part, from, length]) =>
        [...part].slice(from % part.length, (from % part.length) + length).join(""),
      );
    for (const keyword of new Set(keywords)) {
      const matches = await client()<{ slug: string }[]>`
        select distinct p.slug from products p join product_texts t on t.product_id = p.id
        where t.name || '|' || t.tagline || '|' || t.description like ${`%${keyword}%`}`;
      expect(matches.length).toBeGreaterThan(0);
      expect([keyword, (await slugs(keyword)).sort()]).toEqual([
        keyword,
        matches.map(({ slug }) => slug).sort(),
      ]);
    }
  });
});
