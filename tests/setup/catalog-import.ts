import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { client } from "@/db/client";
import { CatalogRecord, type ImportError } from "@/lib/catalog/import/contract";
import { type ImportCounts, importCatalog } from "@/lib/catalog/import/import-catalog";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { imagesInFolder } from "@/scripts/import-catalog";
import { isComplete } from "./rounds";

const SEED = "db/seed/catalog.jsonl";
const readSeedImage = imagesInFolder(SEED);

/**
 * The lines of the demo catalogue. Rendering pictures is slow, so `npm test` imports every eighth product, and those of
 * `slugs`.
 */
export function seedLines(slugs: string[] = []): CatalogRecord[] {
  const lines = readFileSync(SEED, "utf8")
    .trim()
    .split("\n")
    .map((text) => CatalogRecord.parse(JSON.parse(text)));
  return lines.filter(
    (line, index) => isComplete || line.kind !== "product" || index % 8 === 0 || slugs.includes(line.slug),
  );
}

/** Lines of a catalogue import file, and their import. */

type Outcome = ImportCounts & { refusals: ImportError[] };
type ImportOptions = { preview?: boolean; takeOver?: boolean; pictures?: Record<string, Buffer> };

/** Imports lines (objects, or raw text), or a stream. */
export async function importLines(
  lines: (object | string)[] | Readable,
  { preview, takeOver, pictures = {} }: ImportOptions = {},
): Promise<Outcome> {
  const refusals: ImportError[] = [];
  const toText = (line: object | string) => (typeof line === "string" ? line : JSON.stringify(line));
  const source = Array.isArray(lines) ? Readable.from([Buffer.from(lines.map(toText).join("\n"))]) : lines;
  const counts = await importCatalog(source, {
    preview,
    takeOver,
    findTextsWithCode,
    onRefused: (refusal) => refusals.push(refusal),
    readImage: async (path) => pictures[path] ?? readSeedImage(path),
  });
  return { ...counts, refusals };
}

let lastNumber = 0;
export type Plan = Record<string, unknown>;
export const planRecord = (fields: Plan = {}): Plan => ({
  type: "week",
  duration_days: 7,
  price: 9.9,
  ...fields,
});
export const productText = (fields: object = {}) => ({
  name: "Tool",
  tagline: "A tool.",
  description: "It is a tool.",
  includes: ["One"],
  ...fields,
});
export const productRecord = (
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { slug: string } => ({
  kind: "product",
  slug: `tool-${++lastNumber}`,
  vendor: "Makers",
  category: "tools",
  sort_num: 1,
  texts: { en: productText() },
  activation: { url: "https://vendor.example/redeem", steps: { en: ["Enter the code."] } },
  plans: [planRecord()],
  ...fields,
});
export const getDetail = (slug: string) => getProductPage({ slug, locale: "en" });
export const countCatalogRows = async () => {
  const [row] =
    await client()`select (select count(*)::int from products) as products, (select count(*)::int from plans) as plans,
    (select count(*)::int from deals) as deals, (select count(*)::int from product_texts) as texts,
    (select count(*)::int from categories) as categories, (select count(*)::int from product_images) as images`;
  return row;
};

/** Imports the category that product lines name. */
export const importCategory = () =>
  importLines([{ kind: "category", slug: "tools", sort_num: 1, hue: 10, names: { en: "Tools" } }]);
