import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";

type Text = { name: string; tagline: string; description: string; includes: string[] };
type Steps = { steps: Partial<Record<Locale, string[]>> } | null;
type Product = {
  kind: string;
  slug: string;
  texts: Partial<Record<Locale, Text>>;
  activation: Steps;
  plans: { activation: Steps }[];
};

const products = readFileSync("db/seed/catalog.jsonl", "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Product)
  .filter(({ kind }) => kind === "product");

/** Every text of a product in a language, its activation steps too. */
const listTexts = ({ texts, activation, plans }: Product, locale: Locale) => {
  const text = texts[locale];
  return [
    ...(text ? [text.name, text.tagline, text.description, ...text.includes] : []),
    ...[activation, ...plans.map((plan) => plan.activation)].flatMap((steps) => steps?.steps[locale] ?? []),
  ];
};

/** In characters; a tagline stands on one or two lines of a ticket. */
const MAX_TAGLINE: Record<Locale, number> = { en: 75, zh: 38, ja: 38 };

/** Words that shoppers do not use, or that stand for another thing in this shop. */
const AVOIDED: Record<Locale, RegExp> = {
  en: /\bmakers?'s\b|\bthe maker\b|e-mail|\bmail address\b|\btelephones?\b|\bmarket places?\b/i,
  zh: /通行证|开发方|商家页面/,
  ja: /通行証|ブラウザー|電話(?:の画面|で見)|押せる画面|催し/,
};

describe.each(LOCALES)("the demo catalog in %s", (locale) => {
  it("describes each app in its own short sentence", () => {
    const taglines = products.flatMap(({ slug, texts }) => {
      const tagline = texts[locale]?.tagline;
      return tagline === undefined ? [] : [{ slug, tagline }];
    });
    expect(new Set(taglines.map(({ tagline }) => tagline)).size).toBe(taglines.length);
    expect(taglines.filter(({ tagline }) => tagline.length > MAX_TAGLINE[locale])).toEqual([]);
    expect(taglines.filter(({ tagline }) => !/[.。]$/.test(tagline)).map(({ slug }) => slug)).toEqual([]);
  });

  it("uses the words of the glossary", () => {
    const found = products.flatMap((product) =>
      listTexts(product, locale).flatMap((text) =>
        AVOIDED[locale].test(text) ? [`${product.slug}: ${text}`] : [],
      ),
    );
    expect(found).toEqual([]);
  });
});
