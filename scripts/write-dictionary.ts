import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { normalizeTerm } from "@/lib/catalog/translation/rules-dictionary";
import { runCommand } from "./command";

/*
 * Writes the browser's dictionary of product names (docs/product.md#13-languages-and-translation) from a catalogue file,
 * by default the demo's. A test compares the two.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const DICTIONARY = join(ROOT, "lib/catalog/translation/rules-product-names.ts");
const CATALOG = join(ROOT, "db/seed/catalog.jsonl");

type Line = { kind: string; texts?: Partial<Record<"en" | "zh" | "ja", { name: string }>> };

/** The content of the dictionary's file: the Chinese and Japanese names of translated products by their English name. */
export function renderDictionary(catalogFile: string = CATALOG): string {
  const lines = readFileSync(catalogFile, "utf8").trim().split("\n");
  const names = lines.flatMap((line): [string, { zh: string; ja: string }][] => {
    const { kind, texts } = JSON.parse(line) as Line;
    if (kind !== "product" || !texts?.en || !texts.zh || !texts.ja) return [];
    return [[normalizeTerm(texts.en.name), { zh: texts.zh.name, ja: texts.ja.name }]];
  });
  const entries = names
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { zh, ja }]) => `  [${[name, zh, ja].map((text) => JSON.stringify(text)).join(", ")}],\n`);
  return `// Written by scripts/write-dictionary.ts.

/** English names of products as keys of the dictionary, with their Chinese and Japanese names. */
export const PRODUCT_NAMES: readonly (readonly [key: string, zh: string, ja: string])[] = [
${entries.join("")}];
`;
}

async function main([catalogFile]: string[]): Promise<number> {
  writeFileSync(DICTIONARY, renderDictionary(catalogFile));
  return 0;
}

await runCommand(import.meta.url, main, { needsDatabase: false });
