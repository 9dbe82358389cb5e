import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { importPosts, type PostImportCounts, type PostImportError } from "@/lib/blog/import/commands";
import { serializeError } from "@/lib/platform/serialize-error";
import { exitCode, importArguments } from "./import-command";

const USAGE = "Usage: npm run posts:import -- FOLDER [--preview]";
const SEED = fileURLToPath(new URL("../db/seed/blog", import.meta.url));

const summarize = ({ added, changed, unchanged, refused }: PostImportCounts) =>
  `${added} new, ${changed} changed, ${unchanged} unchanged, ${refused} refused`;

const describeRefusal = ({ post, file, line, message }: PostImportError) =>
  `${post}/${file}${line === undefined ? "" : `:${line}`} ${message}`;

/**
 * Imports the demo's posts if they are new or changed. Other posts stay. A post that does not fit the
 * shop, e.g. because its category is missing, is reported and left out.
 */
export async function importSeedPosts(say: (line: string) => void = console.log): Promise<void> {
  const counts = await importPosts(SEED, { onRefused: (refusal) => say(describeRefusal(refusal)) });
  if (counts.added + counts.changed + counts.refused > 0) say(`The blog is imported: ${summarize(counts)}.`);
}

async function main(): Promise<number> {
  const options = importArguments(process.argv.slice(2));
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
  console.log(preview ? `Preview, nothing was written: ${summarize(counts)}` : summarize(counts));
  return exitCode(counts);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`Stopped: ${serializeError(error).message}`);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
