import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";

/** Words that shoppers do not use, or that stand for another thing in this shop. */
const AVOIDED: Record<Locale, RegExp> = {
  en: /\bmakers?'s\b|\bthe maker\b|e-mail|\bmail address\b|\btelephones?\b|\bmarket places?\b/i,
  zh: /通行证|开发方|商家页面/,
  ja: /通行証|ブラウザ(?!ー)|電話(?:の画面|で見)|押せる画面|催し/,
};

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** Every string of a JSON value. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}

/** The texts of a catalogue line in a language. Search terms are left out: they are words that shoppers type. */
function listTexts(value: unknown, locale: Locale): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === "search_terms") return [];
    return name === locale ? listStrings(part) : listTexts(part, locale);
  });
}

const catalog = readFileSync("db/seed/catalog.jsonl", "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as unknown);

/** The lines of the blog's posts, without the addresses of their links. */
const readPosts = (locale: Locale) =>
  readdirSync("db/seed/blog").flatMap((post) =>
    readFileSync(`db/seed/blog/${post}/${locale}.md`, "utf8")
      .replace(/\]\([^)\s]*\)/g, "]")
      .split("\n"),
  );

describe.each(LOCALES)("texts in %s use the words of the glossary:", (locale) => {
  const findAvoided = (texts: string[]) => {
    expect(texts.length).toBeGreaterThan(100);
    return texts.filter((text) => AVOIDED[locale].test(text));
  };

  it("the demo catalog", () => {
    expect(findAvoided(catalog.flatMap((line) => listTexts(line, locale)))).toEqual([]);
  });

  it("the messages of the shop and the consoles", () => {
    const files = [`messages/${locale}.json`, `messages/console/${locale}.json`];
    expect(findAvoided(files.flatMap((path) => listStrings(readJson(path))))).toEqual([]);
  });

  it("the posts of the blog", () => {
    expect(findAvoided(readPosts(locale))).toEqual([]);
  });
});
