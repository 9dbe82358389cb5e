import { describe } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { type Catalogue, catalogueOf, type Shape, shapeOf } from "./catalogue";
import { NOUNS } from "./nouns";
import { check, type Tree } from "./tree";

/** Keys whose text is the same in every language, and why. A key ending in a dot stands for all below it. */
const SAME_EVERYWHERE: Record<string, string> = {
  "ui.brand": "the name of the shop",
};

const FIRST_LEVEL = [...NOUNS, "ui", "errors", "emails"];
const SCRIPTS: Record<string, [RegExp, string]> = {
  zh: [/\p{Script=Han}/u, "Chinese characters"],
  ja: [/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u, "kana or Chinese characters"],
};

const isSame = (key: string) =>
  Object.keys(SAME_EVERYWHERE).some((same) => key === same || (same.endsWith(".") && key.startsWith(same)));

/** Runs over every message of every language that can be parsed at all; the first check names those that cannot. */
function eachMessage(
  tree: Tree,
  look: (at: { locale: string; key: string; text: string; shape: Shape }) => string[],
) {
  return LOCALES.flatMap((locale) =>
    Object.entries(catalogueOf(tree, locale)).flatMap(([key, text]) => {
      try {
        return look({ locale, key, text, shape: shapeOf(text) });
      } catch {
        return [];
      }
    }),
  );
}

const unreadable = (tree: Tree) =>
  LOCALES.flatMap((locale) =>
    Object.entries(catalogueOf(tree, locale)).flatMap(([key, text]) => {
      try {
        shapeOf(text);
        return text.trim() === "" ? [`messages/${locale}.json: ${key} is empty`] : [];
      } catch (error) {
        return [`messages/${locale}.json: ${key} is no ICU message: ${(error as Error).message}`];
      }
    }),
  );

function keyDifferences(tree: Tree): string[] {
  const [en, ...others] = LOCALES.map((locale) => ({ locale, keys: Object.keys(catalogueOf(tree, locale)) }));
  if (!en) return [];
  return others.flatMap(({ locale, keys }) => [
    ...en.keys.filter((key) => !keys.includes(key)).map((key) => `messages/${locale}.json lacks ${key}`),
    ...keys
      .filter((key) => !en.keys.includes(key))
      .map((key) => `messages/en.json lacks ${key} of ${locale}.json`),
  ]);
}

function shapeDifferences(tree: Tree): string[] {
  const en: Catalogue = catalogueOf(tree, "en");
  return eachMessage(tree, ({ locale, key, shape }) => {
    const original = en[key];
    if (original === undefined || locale === "en") return [];
    const english = shapeOf(original);
    const free = [...english.silent, ...shape.silent];
    const [theirs, ours] = [english, shape].map(({ parts }) =>
      parts.filter((part) => !free.includes(part)).join(", "),
    );
    return theirs === ours
      ? []
      : [`messages/${locale}.json: ${key} uses [${ours}] where English uses [${theirs}]`];
  });
}

const wrongPlurals = (tree: Tree) =>
  eachMessage(tree, ({ locale, key, shape }) =>
    shape.plurals.flatMap(({ name, words }) => {
      const known: string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      const never = words.filter((word) => !word.startsWith("=") && !known.includes(word));
      const at = `messages/${locale}.json: ${key}, plural of ${name},`;
      return never.map((word) => `${at} has “${word}”, which ${locale} never uses`);
    }),
  );

function untranslated(tree: Tree): string[] {
  const en = catalogueOf(tree, "en");
  return eachMessage(tree, ({ locale, key, text, shape }) => {
    const script = SCRIPTS[locale];
    if (!script || isSame(key) || !/\p{L}/u.test(shape.words)) return [];
    const at = `messages/${locale}.json: ${key}`;
    if (text === en[key]) return [`${at} is still the English text`];
    return script[0].test(shape.words) ? [] : [`${at} has no ${script[1]}`];
  });
}

const loud = (tree: Tree) =>
  eachMessage(tree, ({ locale, key, shape }) =>
    /[!！]/.test(shape.words) ? [`messages/${locale}.json: ${key} raises its voice`] : [],
  );

const misfiled = (tree: Tree) =>
  LOCALES.flatMap((locale) =>
    Object.keys(catalogueOf(tree, locale))
      .filter((key) => !FIRST_LEVEL.includes(key.split(".")[0] ?? ""))
      .map((key) => `messages/${locale}.json: ${key} begins with no noun, ui, errors or emails`),
  );

const staleSame = (tree: Tree) => {
  const keys = Object.keys(catalogueOf(tree, "en"));
  return Object.keys(SAME_EVERYWHERE)
    .filter((same) => tree.files.includes("messages/en.json") && !keys.some((key) => key.startsWith(same)))
    .map((same) => `tests/architecture/messages.test.ts excuses ${same}, which is gone`);
};

const files = (en: unknown, zh: unknown, ja: unknown) => ({
  "messages/en.json": JSON.stringify({ ui: en }),
  "messages/zh.json": JSON.stringify({ ui: zh }),
  "messages/ja.json": JSON.stringify({ ui: ja }),
});
const _good = files({ a: "Cart" }, { a: "购物车" }, { a: "カート" });

describe("messages", () => {
  check("every message is an ICU message", unreadable);
  check("the three languages have the same keys", keyDifferences);
  check("the three languages have the same placeholders and tags", shapeDifferences);
  check("plurals tell apart what the language tells apart", wrongPlurals);
  check("nothing is left in English", untranslated);
  check("no message raises its voice", loud);
  check("the first level is a noun, ui, errors or emails", misfiled);
  check("excuses are still needed", staleSame);
});
