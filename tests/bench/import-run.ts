import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { closeDatabase } from "@/db/client";
import { importCatalog } from "@/lib/catalog/import/commands";
import { catalogLines } from "./generate-import-file";

// DATABASE_URL=… npx tsx tests/bench/import-run.ts --count 100000: imports that many lines and prints the memory used.
const { values } = parseArgs({ options: { count: { type: "string", default: "100000" } } });
const begun = Date.now();
let told = 0;
const tell = (done: number) =>
  console.log(
    `${((Date.now() - begun) / 1000).toFixed(0)} s: ${done} lines, rss ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  );
const bytes = Readable.from(catalogLines(Number(values.count))).map((line: string) =>
  Buffer.from(`${line}\n`),
);
const counts = await importCatalog(bytes, {
  readImage: () => Promise.reject(new Error("the import file has no images")),
  onRefused: (refusal) => console.log(refusal),
  onProgress: ({ added }) => {
    if (added - told < 5000) return;
    told = added;
    tell(told);
  },
});
tell(counts.added);
console.log(counts);
await closeDatabase();
