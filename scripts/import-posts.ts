import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { importPosts, type PostImportError } from "@/lib/blog/import/commands";
import { runCommand } from "./command";
import { importArguments, importReport, summarizeCounts } from "./import-command";

const USAGE = "Usage: npm run posts:import -- FOLDER [--preview]";
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

async function main(args: string[]): Promise<number> {
  const options = importArguments(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const { file: folder, preview } = options;
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) {
    const notFolder = `${folder} is a file; name the folder that holds the posts.`;
    console.error(stats ? notFolder : `There is no folder ${folder}.`);
    return 1;
  }
  const counts = await importPosts(folder, {
    preview,
    onRefused: (refusal) => console.log(describeRefusal(refusal)),
  });
  return importReport().finish(counts, preview);
}

await runCommand(import.meta.url, main);
