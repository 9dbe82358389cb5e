import { fileURLToPath } from "node:url";
import { importPosts, type PostImportError } from "@/lib/blog/import/import-posts";
import { runImport, summarizeCounts } from "./command/run-import";

const USAGE = "Usage: npm run posts:import -- FOLDER [--preview] [--take-over]";
const SEED = fileURLToPath(new URL("../db/seed/blog", import.meta.url));

const describeRefusal = ({ post, file, line, message }: PostImportError) =>
  `${post}/${file}${line === undefined ? "" : `:${line}`} ${message}`;

/**
 * Imports the demo's posts if they are new or changed. Other posts stay. A post that does not fit the
 * shop, e.g. because its category is missing, is reported and left out.
 */
export async function importSeedPosts(say: (line: string) => void = console.log): Promise<void> {
  const counts = await importPosts(SEED, { onRefused: (refusal) => say(describeRefusal(refusal)) });
  if (counts.added + counts.changed + counts.refused > 0)
    say(`The blog is imported: ${summarizeCounts(counts)}.`);
}

await runImport(import.meta.url, USAGE, ({ file: folder, preview, takeOver }) =>
  importPosts(folder, { preview, takeOver, onRefused: (refusal) => console.log(describeRefusal(refusal)) }),
);
