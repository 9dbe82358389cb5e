import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { importKeys, type KeyImportCounts } from "@/lib/delivery/commands-import";
import { enqueueAssignWaiting } from "@/lib/orders/commands-assign";

const USAGE = "Usage: npm run keys:import -- FILE [--preview]";

const sentence = ({ added, unchanged, refused }: KeyImportCounts) =>
  `${added} new, ${unchanged} already there, ${refused} refused`;

async function main(args: string[]): Promise<number> {
  const preview = args.includes("--preview");
  const [file, ...more] = args.filter((arg) => arg !== "--preview");
  if (!file || more.length > 0 || file.startsWith("-")) {
    console.error(USAGE);
    return 2;
  }
  let told = Date.now();
  const counts = await importKeys(createReadStream(file), {
    preview,
    onStock: enqueueAssignWaiting,
    onRefused: ({ line, message }) => console.log(`line ${line}: ${message}`),
    onProgress: (soFar) => {
      if (Date.now() - told < 5000) return;
      told = Date.now();
      console.log(`… ${sentence(soFar)}`);
    },
  });
  console.log(preview ? `Preview, nothing was written: ${sentence(counts)}` : sentence(counts));
  return counts.refused > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // A failed statement carries its parameters: only what the database or the system says is shown.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    console.error(`The import stopped: ${cause instanceof Error ? cause.message : cause}`);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
