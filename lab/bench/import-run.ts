import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { closeDatabase } from "@/db/client";
import { importCatalog } from "@/lib/catalog/import/import-catalog";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { generateImportLines } from "./generate-import-file";

// DATABASE_URL=… npx tsx lab/bench/import-run.ts --count 100000: imports that many lines and prints the memory used.
const { values } = parseArgs({ options: { count: { type: "string", default: "100000" } } });
const startedAt = Date.now();
let reported = 0;
const report = (lines: number) =>
  console.log(
    `${((Date.now() - startedAt) / 1000).toFixed(0)} s: ${lines} lines, rss ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  );
const bytes = Readable.from(generateImportLines(Number(values.count))).map((line: string) =>
  Buffer.from(`${line}\n`),
);
const counts = await importCatalog(bytes, {
  findTextsWithCode,
  readImage: () => Promise.reject(new Error("the import file has no images")),
  onRefused: (refusal) => console.log(refusal),
  onProgress: ({ added }) => {
    if (added - reported < 5000) return;
    reported = added;
    report(reported);
  },
});
report(counts.added);
console.log(counts);
await closeDatabase();
