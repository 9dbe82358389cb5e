import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { importKeys, type KeyImportCounts } from "@/lib/delivery/import/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { exitCode, type ImportArguments, runImport } from "./import-command";

const USAGE = "Usage: npm run keys:import -- FILE [--preview]";

const summarize = ({ added, unchanged, refused }: KeyImportCounts) =>
  `${added} new, ${unchanged} already there, ${refused} refused`;

async function main({ file, preview }: ImportArguments): Promise<number> {
  let reportedAt = Date.now();
  const counts = await importKeys(createReadStream(file), {
    preview,
    onStock: enqueueAssignWaiting,
    onRefused: ({ line, message }) => console.log(`line ${line}: ${message}`),
    onProgress: (soFar) => {
      if (Date.now() - reportedAt < 5000) return;
      reportedAt = Date.now();
      console.log(`… ${summarize(soFar)}`);
    },
  });
  console.log(preview ? `Preview, nothing was written: ${summarize(counts)}` : summarize(counts));
  return exitCode(counts);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runImport(USAGE, main);
