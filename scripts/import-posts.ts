import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { importPosts, type PostImportCounts } from "@/lib/blog/commands-import";
import { reason } from "@/lib/reason";
import { exitCode } from "./import-command";

const USAGE = "Usage: npm run posts:import -- FOLDER [--preview]";
const SEED = fileURLToPath(new URL("../db/seed/blog", import.meta.url));

const sentence = ({ added, changed, unchanged, refused }: PostImportCounts) =>
  `${added} new, ${changed} changed, ${unchanged} unchanged, ${refused} refused`;

/** Puts the shop's own posts in, new or changed; what an operator imported besides stays. */
export async function importSeedPosts(say: (line: string) => void = console.log): Promise<void> {
  const refused: string[] = [];
  const counts = await importPosts(SEED, {
    onRefused: ({ post, message }) => refused.push(`${post}: ${message}`),
  });
  if (refused.length > 0) throw new Error(`The posts cannot be imported.\n${refused.join("\n")}`);
  if (counts.added + counts.changed > 0) say(`The blog is in: ${sentence(counts)}.`);
}

async function main(args: string[]): Promise<number> {
  const preview = args.includes("--preview");
  const [folder, ...more] = args.filter((arg) => arg !== "--preview");
  if (!folder || more.length > 0 || folder.startsWith("-")) {
    console.error(USAGE);
    return 2;
  }
  const place = resolve(process.env.INIT_CWD ?? ".", folder);
  const found = await stat(place).catch(() => null);
  if (!found?.isDirectory()) {
    console.error(
      found ? `${place} is a file; name the folder that holds the posts.` : `There is no folder ${place}.`,
    );
    return 1;
  }
  const counts = await importPosts(place, {
    preview,
    onRefused: ({ post, message }) => console.log(`${post}: ${message}`),
  });
  console.log(preview ? `Preview, nothing was written: ${sentence(counts)}` : sentence(counts));
  return exitCode(counts);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(`Stopped: ${reason(error).message}`);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
