import { describe } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { type Catalogue, catalogueOf, type Shape, shapeOf } from "./message-catalog";
import { NOUNS } from "./nouns";
import { check, type Tree } from "./repository";

/** Keys with the same text in every language, and the reason. A key ending in a dot includes all keys below it. */
const SAME_EVERYWHERE: Record<string, string> = {
  "ui.brand": "the brand name",
};

const FIRST_LEVEL = [...NOUNS, "ui", "errors", "emails"];
const SCRIPTS: Record<string, [RegExp, string]> = {
  zh: [/\p{Script=Han}/u, "Chinese characters"],
  ja: [/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u, "kana or Chinese characters"],
};

const isSame = (key: string) =>
  Object.keys(SAME_EVERYWHERE).some((same) => key === same || (same.endsWith(".") && key.startsWith(same)));

/** Runs a check over every message that can be parsed; `unparsable` reports the others. */
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
        return [`messages/${locale}.json: ${key} is not a valid ICU message: ${(error as Error).message}`];
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
      return never.map((word) => `${at} has “${word}”, which ${locale} does not use`);
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
    /[!！]/.test(shape.words) ? [`messages/${locale}.json: ${key} contains an exclamation mark`] : [],
  );

const misfiled = (tree: Tree) =>
  LOCALES.flatMap((locale) =>
    Object.keys(catalogueOf(tree, locale))
      .filter((key) => !FIRST_LEVEL.includes(key.split(".")[0] ?? ""))
      .map((key) => `messages/${locale}.json: ${key} does not start with a noun, ui, errors or emails`),
  );

const staleSame = (tree: Tree) => {
  const keys = Object.keys(catalogueOf(tree, "en"));
  return Object.keys(SAME_EVERYWHERE)
    .filter((same) => tree.files.includes("messages/en.json") && !keys.some((key) => key.startsWith(same)))
    .map((same) => `tests/architecture/messages.test.ts lists ${same}, which does not exist`);
};

describe("messages", () => {
  check("every message is an ICU message", unreadable);
  check("the three languages have the same keys", keyDifferences);
  check("the three languages have the same placeholders and tags", shapeDifferences);
  check("plurals use only categories of the language", wrongPlurals);
  check("no message is untranslated", untranslated);
  check("no message contains an exclamation mark", loud);
  check("the first level is a noun, ui, errors or emails", misfiled);
  check("all exceptions exist", staleSame);
});
