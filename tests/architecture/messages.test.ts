import { type MessageFormatElement, parse as parseIcu, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { type MessageCatalog, type MessageShape, parseMessage, readMessages } from "./message-catalog";
import { NOUNS } from "./nouns";
import { check, isFile, type Repository } from "./repository";

/** Keys with the same text in every language, and the reason. A key ending in a dot includes all keys below it. */
const SAME_EVERYWHERE: Record<string, string> = {
  "ui.brand": "the brand name",
  "payments.method.redirect.wechat_pay": "a brand, which Japan writes in Latin letters",
};

const FIRST_LEVEL = [...NOUNS, "ui", "errors", "emails", "console"];
const SCRIPTS: Record<string, [RegExp, string]> = {
  zh: [/\p{Script=Han}/u, "Chinese characters"],
  ja: [/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u, "kana or Chinese characters"],
};

const isSameEverywhere = (key: string) =>
  Object.keys(SAME_EVERYWHERE).some((same) => key === same || (same.endsWith(".") && key.startsWith(same)));

/** Runs a check over every message that can be parsed; `unparsable` reports the others. */
function eachMessage(
  repo: Repository,
  checkMessage: (label: { locale: string; key: string; text: string; shape: MessageShape }) => string[],
) {
  return LOCALES.flatMap((locale) =>
    Object.entries(readMessages(repo, locale)).flatMap(([key, text]) => {
      try {
        return checkMessage({ locale, key, text, shape: parseMessage(text) });
      } catch {
        return [];
      }
    }),
  );
}

const unparsable = (repo: Repository) =>
  LOCALES.flatMap((locale) =>
    Object.entries(readMessages(repo, locale)).flatMap(([key, text]) => {
      try {
        parseMessage(text);
        return text.trim() === "" ? [`messages/${locale}.json: ${key} is empty`] : [];
      } catch (error) {
        return [`messages/${locale}.json: ${key} is not a valid ICU message: ${(error as Error).message}`];
      }
    }),
  );

function keyDifferences(repo: Repository): string[] {
  const [en, ...others] = LOCALES.map((locale) => ({
    locale,
    keys: Object.keys(readMessages(repo, locale)),
  }));
  if (!en) return [];
  return others.flatMap(({ locale, keys }) => [
    ...en.keys.filter((key) => !keys.includes(key)).map((key) => `messages/${locale}.json lacks ${key}`),
    ...keys
      .filter((key) => !en.keys.includes(key))
      .map((key) => `messages/en.json lacks ${key} of ${locale}.json`),
  ]);
}

function shapeDifferences(repo: Repository): string[] {
  const en: MessageCatalog = readMessages(repo, "en");
  return eachMessage(repo, ({ locale, key, shape }) => {
    const original = en[key];
    if (original === undefined || locale === "en") return [];
    const english = parseMessage(original);
    const ignored = [...english.hiddenValues, ...shape.hiddenValues];
    const [expected, actual] = [english, shape].map(({ parts }) =>
      parts.filter((part) => !ignored.includes(part)).join(", "),
    );
    return expected === actual
      ? []
      : [`messages/${locale}.json: ${key} uses [${actual}] where English uses [${expected}]`];
  });
}

const wrongPlurals = (repo: Repository) =>
  eachMessage(repo, ({ locale, key, shape }) =>
    shape.plurals.flatMap(({ name, categories }) => {
      const allowed: string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      const unknown = categories.filter((word) => !word.startsWith("=") && !allowed.includes(word));
      const label = `messages/${locale}.json: ${key}, plural of ${name},`;
      return unknown.map((word) => `${label} has “${word}”, which ${locale} does not use`);
    }),
  );

/** What English counts with a plural, after a value that is not a name. */
const COUNTED =
  /^ (?:\w+ )?(?:seconds|minutes|hours|days|weeks|months|years|entries|lines|codes|keys|addresses|characters|bytes|pixels|fields|tokens|devices|orders|products|items|files|emails|people)\b/;

/** "1 entries": a number before a plural noun is a plural of ICU, in every branch that is not one already. */
function missingPlurals(repo: Repository): string[] {
  const countsWithout = (elements: MessageFormatElement[]): boolean =>
    elements.some((element, index) => {
      if (element.type === TYPE.tag) return countsWithout(element.children);
      if (element.type === TYPE.select)
        return Object.values(element.options).some(({ value }) => countsWithout(value));
      const next = elements[index + 1];
      const isValue = element.type === TYPE.number || element.type === TYPE.argument;
      return isValue && next?.type === TYPE.literal && COUNTED.test(next.value);
    });
  return Object.entries(readMessages(repo, "en"))
    .filter(([, text]) => countsWithout(parseIcu(text)))
    .map(([key]) => `messages/en.json: ${key} needs a plural for 1`);
}

function untranslated(repo: Repository): string[] {
  const en = readMessages(repo, "en");
  return eachMessage(repo, ({ locale, key, text, shape }) => {
    const script = SCRIPTS[locale];
    if (!script || isSameEverywhere(key) || !/\p{L}/u.test(shape.text)) return [];
    const label = `messages/${locale}.json: ${key}`;
    if (text === en[key]) return [`${label} is still the English text`];
    return script[0].test(shape.text) ? [] : [`${label} has no ${script[1]}`];
  });
}

const exclamations = (repo: Repository) =>
  eachMessage(repo, ({ locale, key, shape }) =>
    /[!！]/.test(shape.text) ? [`messages/${locale}.json: ${key} contains an exclamation mark`] : [],
  );

/** APP_NAME names the shop, so that an operator can rename it: texts take it as a value. */
const shopNames = (repo: Repository) =>
  eachMessage(repo, ({ locale, key, text }) =>
    key !== "ui.brand" && text.includes("Passlane")
      ? [`messages/${locale}.json: ${key} contains the name of the shop`]
      : [],
  );

/** The Library is the name of a page, so English messages write it as one. */
const lowerCaseLibrary = (repo: Repository) =>
  eachMessage(repo, ({ locale, key, shape }) =>
    locale === "en" && /\blibrary\b/.test(shape.text) ? [`messages/en.json: ${key} needs “Library”`] : [],
  );

const wrongNamespaces = (repo: Repository) =>
  LOCALES.flatMap((locale) =>
    Object.keys(readMessages(repo, locale))
      .filter((key) => !FIRST_LEVEL.includes(key.split(".")[0] ?? ""))
      .map((key) => `messages/${locale}.json: ${key} does not start with a noun, ui, errors or emails`),
  );

const staleExceptions = (repo: Repository) => {
  const keys = Object.keys(readMessages(repo, "en"));
  return Object.keys(SAME_EVERYWHERE)
    .filter((same) => isFile(repo, "messages/en.json") && !keys.some((key) => key.startsWith(same)))
    .map((same) => `tests/architecture/messages.test.ts lists ${same}, which does not exist`);
};

describe("messages", () => {
  check("every message is an ICU message", unparsable);
  check("the three languages have the same keys", keyDifferences);
  check("the three languages have the same placeholders and tags", shapeDifferences);
  check("plurals use only categories of the language", wrongPlurals);
  check("English messages have a singular", missingPlurals);
  check("no message is untranslated", untranslated);
  check("no message contains an exclamation mark", exclamations);
  check("no message contains the name of the shop", shopNames);
  check("English messages spell “Library” with a capital letter", lowerCaseLibrary);
  check("the first level is a noun, ui, errors or emails", wrongNamespaces);
  check("all exceptions exist", staleExceptions);
});
