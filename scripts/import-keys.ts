import { createReadStream } from "node:fs";
import { importKeys, type KeyImportCounts } from "@/lib/delivery/import/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { type ImportArguments, importReport, runImport } from "./import-command";

const USAGE = "Usage: npm run keys:import -- FILE [--preview]";

const summarize = ({ added, unchanged, refused }: KeyImportCounts) =>
  `${added} new, ${unchanged} already there, ${refused} refused`;

async function main({ file, preview }: ImportArguments): Promise<number> {
  const { onProgress, finish } = importReport(summarize);
  const counts = await importKeys(createReadStream(file), {
    preview,
    onStock: enqueueAssignWaiting,
    onRefused: ({ line, message }) => console.log(`line ${line}: ${message}`),
    onProgress,
  });
  return finish(counts, preview);
}

await runImport(import.meta.url, USAGE, main);
