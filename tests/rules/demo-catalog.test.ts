import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";

type Product = { kind: string; slug: string; texts: Partial<Record<Locale, { tagline: string }>> };

const products = readFileSync("db/seed/catalog.jsonl", "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Product)
  .filter(({ kind }) => kind === "product");

/** In characters; a tagline stands on one or two lines of a ticket. */
const MAX_TAGLINE: Record<Locale, number> = { en: 75, zh: 38, ja: 38 };

describe.each(LOCALES)("the demo catalog in %s", (locale) => {
  it("says in a short sentence of its own what each app does", () => {
    const taglines = products.flatMap(({ slug, texts }) => {
      const tagline = texts[locale]?.tagline;
      return tagline === undefined ? [] : [{ slug, tagline }];
    });
    expect(new Set(taglines.map(({ tagline }) => tagline)).size).toBe(taglines.length);
    expect(taglines.filter(({ tagline }) => tagline.length > MAX_TAGLINE[locale])).toEqual([]);
    expect(taglines.filter(({ tagline }) => !/[.。]$/.test(tagline)).map(({ slug }) => slug)).toEqual([]);
  });
});
