import { describe, expect, it } from "vitest";
import { LOCALES, TRANSLATIONS } from "@/lib/platform/i18n/locales";
import { check, isCode, isTest, type Repository } from "./repository";

// A list of the languages outside of lib/platform/i18n/locales.ts would stay as it is when the shop learns another one
// (CONTRIBUTING.md#add-a-language).

const CODE = `(?:${LOCALES.join("|")})`;
/** `"en", "zh"`, `"en" | "zh"`, `('zh'), ('ja')`, `{en,zh` or `en|zh`, and an object of a zod schema by language. */
const LISTS = new RegExp(
  [
    `(["'])${CODE}\\1\\)?\\s*[,|]\\s*\\(?(["'])${CODE}\\2`,
    `\\b${CODE}\\|${CODE}\\b`,
    `\\{${CODE},${CODE}\\b`,
    `bject\\(\\{\\s*${CODE}:[^}]*\\b${CODE}:`,
  ].join("|"),
  "g",
);

const HOME = "lib/platform/i18n/locales.ts";
/** Files that cannot read the list, and the test that compares what they have with it. */
const COMPARED: Record<string, string> = {
  "middleware.ts": "tests/rules/middleware.test.ts",
  "db/functions/refresh_search_documents.sql": "tests/architecture/locales.test.ts",
};

const hasLists = (path: string) =>
  (isCode(path) || (path.endsWith(".sql") && !path.startsWith("db/migrations/"))) &&
  !isTest(path) &&
  path !== HOME &&
  !(path in COMPARED);

const otherLists = ({ files, read }: Pick<Repository, "files" | "read">): string[] =>
  files
    .filter(hasLists)
    .flatMap((path) => [...read(path).matchAll(LISTS)].map(([list]) => `${path} lists languages: ${list}`));

describe("the languages of the shop", () => {
  check("are listed in one place", otherLists);

  it.each([
    'const all = ["en", "zh", "ja"];',
    'type Locale = "en" | "zh";',
    "const path = /^(en|zh|ja)$/;",
    "FROM (VALUES ('zh'), ('ja')) l(locale)",
    "array_position('{en,zh,ja}', locale)",
    "z.object({ en: Text, zh: Text, ja: Text })",
  ])("are not listed again: %s", (line) => {
    expect(otherLists({ files: ["lib/other.ts"], read: () => line })).toHaveLength(1);
  });

  check("but the default have search documents without texts", ({ read }) => {
    const path = "db/functions/refresh_search_documents.sql";
    const values = `(VALUES ${TRANSLATIONS.map((locale) => `('${locale}')`).join(", ")}) l(locale)`;
    return read(path).includes(values) ? [] : [`${path} lacks ${values}`];
  });
});
