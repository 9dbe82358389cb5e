import { createReadStream } from "node:fs";
import { importCoupons } from "@/lib/coupons/import/commands";
import { type ImportArguments, importReport, runImport } from "./import-command";

const USAGE = "Usage: npm run coupons:import -- FILE [--preview]";

async function main({ file, preview }: ImportArguments): Promise<number> {
  const counts = await importCoupons(createReadStream(file), {
    preview,
    onRefused: ({ line, message }) => console.log(`line ${line}: ${message}`),
  });
  return importReport().finish(counts, preview);
}

await runImport(import.meta.url, USAGE, main);
