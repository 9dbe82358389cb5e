import { createReadStream, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { LIST_SIZE } from "@/lib/catalog/listing/contract";
import { findCategoryPage } from "@/lib/catalog/listing/find-category-page";
import { listCategoryCards } from "@/lib/catalog/listing/list-categories";
import { TASKS, type Task } from "@/lib/catalog/rules-tasks";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { importLines } from "../setup/catalog-import";

/** The product of the demo for each task. */
const PRODUCTS: Record<Task, string> = {
  transcribe: "ackwith-minutes",
  background: "pomfret-packshot",
  captions: "whinlow-captions",
  translate: "tolkstra-docs",
  code: "gannetry-review",
  draft: "quillon-draft",
  spreadsheet: "osprill-tables",
  slides: "everleigh-slides",
};

beforeAll(async () => {
  await importLines(createReadStream("db/seed/catalog.jsonl"));
});
afterAll(closeDatabase);

describe.each(LOCALES)("home in %s", (locale) => {
  it.each(TASKS)("the tile %s leads with the app for it", async (task) => {
    const { catalog } = JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"));
    const { items, corrected } = await searchProducts(
      SearchProductsInput.parse({ keyword: catalog.tasks[task].query, size: LIST_SIZE }),
      locale,
    );
    expect(corrected).toBeNull();
    expect(items[0]?.slug).toBe(PRODUCTS[task]);
  });

  it("every category of the demo has its own text and products", async () => {
    const cards = await listCategoryCards(locale);
    expect(cards.length).toBeGreaterThan(10);
    expect(new Set(cards.map(({ text }) => text)).size).toBe(cards.length);
    for (const { category, text, images } of cards) {
      expect([category, text === null, images.length]).toEqual([category, false, 3]);
      const page = await findCategoryPage(category, { sort: "recommend", page: 1, size: 1 }, locale);
      expect(page!.products.items).toHaveLength(1);
    }
  });
});
