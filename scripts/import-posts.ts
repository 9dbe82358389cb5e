import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { importPosts, type PostImportCounts, type PostImportError } from "@/lib/blog/import/commands";
import { serializeError } from "@/lib/platform/serialize-error";
import { exitCode, importArguments } from "./import-command";

const USAGE = "Usage: npm run posts:import -- FOLDER [--preview]";
const SEED = fileURLToPath(new URL("../db/seed/blog", import.meta.url));

const sentence = ({ added, changed, unchanged, refused }: PostImportCounts) =>
  `${added} new, ${changed} changed, ${unchanged} unchanged, ${refused} refused`;

const whyNot = ({ post, file, line, message }: PostImportError) =>
  `${post}/${file}${line === undefined ? "" : `:${line}`} ${message}`;

/**
 * Puts the demo's own posts in, new or changed; what an operator imported besides stays. A post that does not fit the
 * shop (its category is not there) is named and left out: the shop starts without it.
 */
export async function importSeedPosts(say: (line: string) => void = console.log): Promise<void> {
  const counts = await importPosts(SEED, { onRefused: (refusal) => say(whyNot(refusal)) });
  if (counts.added + counts.changed + counts.refused > 0) say(`The blog is in: ${sentence(counts)}.`);
}

async function main(): Promise<number> {
  const given = importArguments(process.argv.slice(2));
  if (!given) {
    console.error(USAGE);
    return 2;
  }
  const { file: folder, preview } = given;
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) {
    const why = `${folder} is a file; name the folder that holds the posts.`;
    console.error(found ? why : `There is no folder ${folder}.`);
    return 1;
  }
  const counts = await importPosts(folder, {
    preview,
    onRefused: (refusal) => console.log(whyNot(refusal)),
  });
  console.log(preview ? `Preview, nothing was written: ${sentence(counts)}` : sentence(counts));
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
