import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CouponImportCounts, importCoupons } from "@/lib/coupons/import/commands";
import { exitCode, type ImportArguments, runImport } from "./import-command";

const USAGE = "Usage: npm run coupons:import -- FILE [--preview]";

const summarize = ({ added, changed, unchanged, refused }: CouponImportCounts) =>
  `${added} new, ${changed} changed, ${unchanged} unchanged, ${refused} refused`;

async function main({ file, preview }: ImportArguments): Promise<number> {
  const counts = await importCoupons(createReadStream(file), {
    preview,
    onRefused: ({ line, message }) => console.log(`line ${line}: ${message}`),
  });
  console.log(preview ? `Preview, nothing was written: ${summarize(counts)}` : summarize(counts));
  return exitCode(counts);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runImport(USAGE, main);
