import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { translationProblem } from "@/lib/catalog/translation/rules";
import type { DictionaryEntry } from "@/lib/catalog/translation/rules-dictionary";
import { ENGLISH_ONLY } from "@/lib/catalog/translation/rules-products";
import { byTranslation, type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";
import { runCommand } from "./command/run-command";

/*
 * Writes the dictionary of product names (docs/product.md#13-languages-and-translation) from a catalogue file, by default the
 * demo's: for the browser, and as the SQL function `translate_product_text`. A test compares them.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const DICTIONARY = join(ROOT, "lib/catalog/translation/rules-product-names.ts");
export const DICTIONARY_FUNCTION = join(ROOT, "db/functions/translate_product_text.sql");
const CATALOG = join(ROOT, "db/seed/catalog.jsonl");

type Line = { kind: string; texts?: Partial<Record<Locale, { name: string }>> };

/** The names of a catalogue's translated products by their English name. */
function readNames(catalogFile: string): [string, DictionaryEntry][] {
  const lines = readFileSync(catalogFile, "utf8").trim().split("\n");
  return lines.flatMap((line): [string, DictionaryEntry][] => {
    const { kind, texts } = JSON.parse(line) as Line;
    if (kind !== "product" || !texts?.en || TRANSLATIONS.some((locale) => !texts[locale])) return [];
    return [[texts.en.name, byTranslation((locale) => texts[locale]?.name ?? "")]];
  });
}

const lowerName = (text: string) => text.trim().toLowerCase().replace(/\s+/g, " ");
const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) =>
  a < b ? -1 : 1;

/** The content of the dictionary's file. */
export function renderDictionary(catalogFile: string = CATALOG): string {
  const entries = readNames(catalogFile)
    .map(([name, entry]): [string, ...string[]] => [
      lowerName(name),
      ...TRANSLATIONS.map((locale) => entry[locale]),
    ])
    .sort(byKey)
    .map((texts) => `  [${texts.map((text) => JSON.stringify(text)).join(", ")}],\n`);
  return `// Written by scripts/write-dictionary.ts.

import type { ProductName } from "./rules-dictionary";

/** English names of products in lower case, with their names in each other language. */
export const PRODUCT_NAMES: readonly ProductName[] = [
${entries.join("")}];
`;
}

/** The content of the SQL function, with the translations that the gate lets through. */
export function renderDictionaryFunction(catalogFile: string = CATALOG): string {
  const entries = [...readNames(catalogFile), ...Object.entries(ENGLISH_ONLY)]
    .map(([text, entry]): [string, Partial<DictionaryEntry>] => [
      lowerName(text),
      Object.fromEntries(
        TRANSLATIONS.flatMap((locale) =>
          translationProblem(locale, entry[locale]) === null ? [[locale, entry[locale]]] : [],
        ),
      ),
    ])
    .sort(byKey)
    .map((entry) => entry.map((part) => JSON.stringify(part).replaceAll("'", "''")).join(": "));
  return `-- Written by scripts/write-dictionary.ts: the translation of a product's English name or tagline by the dictionary, else the text.
CREATE OR REPLACE FUNCTION translate_product_text(english text, locale text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN coalesce('{
${entries.map((entry) => `    ${entry}`).join(",\n")}
  }'::jsonb -> lower(regexp_replace(btrim(english), '\\s+', ' ', 'g')) ->> locale, english);
END $$;
`;
}

async function main([catalogFile]: string[]): Promise<number> {
  writeFileSync(DICTIONARY, renderDictionary(catalogFile));
  writeFileSync(DICTIONARY_FUNCTION, renderDictionaryFunction(catalogFile));
  return 0;
}

await runCommand(import.meta.url, main, { needsDatabase: false });
