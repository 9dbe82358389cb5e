import { Readable } from "node:stream";
import { client } from "@/db/client";
import { type ImportCounts, importCatalog } from "@/lib/catalog/import/commands";
import type { ImportError } from "@/lib/catalog/import/contract";
import { getProductPage } from "@/lib/catalog/queries";
import { imagesBeside } from "@/scripts/import-catalog";

const seedImage = imagesBeside("db/seed/catalog.jsonl");

/** Lines of a catalogue file for tests, and their import. */

type Outcome = ImportCounts & { refusals: ImportError[] };
type More = { preview?: boolean; pictures?: Record<string, Buffer> };

/** Imports lines given as objects (or as raw text), or a stream. */
export async function importLines(
  lines: (object | string)[] | Readable,
  { preview, pictures = {} }: More = {},
): Promise<Outcome> {
  const refusals: ImportError[] = [];
  const written = (line: object | string) => (typeof line === "string" ? line : JSON.stringify(line));
  const source = Array.isArray(lines) ? Readable.from([Buffer.from(lines.map(written).join("\n"))]) : lines;
  const counts = await importCatalog(source, {
    preview,
    onRefused: (refusal) => refusals.push(refusal),
    readImage: async (path) => pictures[path] ?? seedImage(path),
  });
  return { ...counts, refusals };
}

let number = 0;
export type Plan = Record<string, unknown>;
export const plan = (given: Plan = {}): Plan => ({ type: "week", duration_days: 7, price: 9.9, ...given });
export const text = (given: object = {}) => ({
  name: "Tool",
  tagline: "A tool.",
  description: "It is a tool.",
  includes: ["One"],
  ...given,
});
export const product = (given: Record<string, unknown> = {}): Record<string, unknown> & { slug: string } => ({
  kind: "product",
  slug: `tool-${++number}`,
  vendor: "Makers",
  category: "tools",
  sort_num: 1,
  texts: { en: text() },
  activation: { url: "https://maker.example/redeem", steps: { en: ["Enter the code."] } },
  plans: [plan()],
  ...given,
});
export const detail = (slug: string) => getProductPage({ slug, locale: "en" });
export const sizes = async () => {
  const [row] =
    await client()`select (select count(*)::int from products) as products, (select count(*)::int from plans) as plans,
    (select count(*)::int from deals) as deals, (select count(*)::int from product_texts) as texts,
    (select count(*)::int from categories) as categories, (select count(*)::int from product_images) as images`;
  return row;
};

/** The category that `product()` lines name. */
export const importCategory = () =>
  importLines([{ kind: "category", slug: "tools", sort_num: 1, hue: 10, names: { en: "Tools" } }]);
