import { createReadStream } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, extname, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { client } from "@/db/client";
import { IMAGE_LIMIT_BYTES, InvalidPictureError } from "@/lib/catalog/images/validate-picture";
import { importCatalog } from "@/lib/catalog/import/import-catalog";
import { addDemoPriceHistory } from "@/lib/catalog/pricing/add-demo-price-history";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { importKeys } from "@/lib/delivery/import/import-keys";
import { runImport } from "./command/run-import";

const USAGE = "Usage: npm run catalog:import -- FILE [--preview] [--take-over]";
const seed = (name: string) => fileURLToPath(new URL(`../db/seed/${name}`, import.meta.url));

/** Reads pictures in the folder of a catalogue file. Rejects paths outside it and files that are not pictures. */
export function imagesInFolder(file: string): (path: string) => Promise<Buffer> {
  return async (path) => {
    try {
      const folder = await realpath(dirname(resolve(file)));
      const picture = await realpath(resolve(folder, path));
      if (!picture.startsWith(folder + sep) || !/^\.(png|jpe?g|webp|svg|avif)$/i.test(extname(picture)))
        throw new InvalidPictureError("picture_path");
      if ((await stat(picture)).size > IMAGE_LIMIT_BYTES)
        throw new InvalidPictureError("picture_large", { limit: 5 });
      return await readFile(picture);
    } catch (error) {
      if (error instanceof InvalidPictureError) throw error;
      throw new InvalidPictureError("picture_unreadable", { path });
    }
  };
}

/** Imports the demo catalogue and its keys, unless the shop has products. */
export async function importCatalogWhenEmpty(say: (line: string) => void = console.log): Promise<void> {
  const [product] = await client()`select 1 from products limit 1`;
  if (product) return;
  const refused: string[] = [];
  const importFile = (name: string) =>
    importCatalog(createReadStream(seed(name)), {
      findTextsWithCode,
      readImage: imagesInFolder(seed(name)),
      onRefused: ({ line, path, message }) => refused.push(`${name}:${line} ${path} ${message}`),
    });
  // Synonyms come first, so that each search document is written once.
  await importFile("synonyms.jsonl");
  const products = await importFile("catalog.jsonl");
  await addDemoPriceHistory();
  const keys = await importKeys(createReadStream(seed("keys.csv")), {
    onRefused: ({ line, message }) => refused.push(`keys.csv:${line} ${message}`),
    onStock: async () => {}, // a new shop has no waiting orders
  });
  if (refused.length > 0) throw new Error(`The demo catalogue cannot be imported.\n${refused.join("\n")}`);
  say(`The demo catalogue is imported: ${products.added} categories and products, ${keys.added} keys.`);
}

await runImport(import.meta.url, USAGE, ({ file, ...options }) =>
  importCatalog(createReadStream(file), {
    ...options,
    findTextsWithCode,
    readImage: imagesInFolder(file),
    onRefused: ({ line, path, message }) => console.log(`line ${line}: ${path ? `${path}: ` : ""}${message}`),
  }),
);
