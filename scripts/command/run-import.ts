import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { runCommand } from "./run-command";

type Arguments = { file: string; preview: boolean; takeOver: boolean; confirmHeld: boolean };

/** A path of an argument; a relative one counts from the folder where npm, or a release's command, was called. */
export const resolveArgument = (path: string): string => resolve(process.env.INIT_CWD ?? ".", path);

/** Parses FILE and the options that the usage names; undefined for other arguments. */
export function importArguments(args: string[], usage: string): Arguments | undefined {
  const options = ["--preview", "--take-over", "--confirm-held"].filter((option) => usage.includes(option));
  const [file, ...others] = args.filter((arg) => !options.includes(arg));
  if (!file || others.length > 0 || file.startsWith("-")) return undefined;
  return {
    file: resolveArgument(file),
    preview: args.includes("--preview"),
    takeOver: args.includes("--take-over"),
    confirmHeld: args.includes("--confirm-held"),
  };
}

/** Why a folder cannot be imported, as a sentence; undefined if it can. */
async function folderError(folder: string): Promise<string | undefined> {
  const stats = await stat(folder).catch(() => null);
  if (!stats) return `There is no folder ${folder}.`;
  return stats.isDirectory() ? undefined : `${folder} is a file; name the folder that holds the posts.`;
}

/** Why a file cannot be imported, as a sentence; undefined if it can. */
export async function fileError(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => null);
  if (!stats) return `There is no file ${file}.`;
  if (stats.isDirectory()) return `${file} is a folder; name the file in it.`;
  if (stats.isFile() && stats.size === 0) return `${file} is empty, so there is nothing to import.`;
  const readable = await access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
  return readable ? undefined : `${file} cannot be read by this user.`;
}

/** The exit code of an import: 1 if a line was refused or the file contains nothing to import. */
export function exitCode({ refused, ...counts }: Record<string, number> & { refused: number }): number {
  if (refused > 0) return 1;
  if (Object.values(counts).some((count) => count > 0)) return 0;
  console.error("The file contains nothing to import.");
  return 1;
}

export type Counts = { added: number; changed?: number; unchanged: number; refused: number };

export const summarizeCounts = ({ added, changed, unchanged, refused }: Counts) =>
  `${added} new, ${changed} changed, ${unchanged} unchanged, ${refused} refused`;

/**
 * Runs an import as a command: prints its progress at most every five seconds, and its result. A usage with FOLDER takes a
 * folder. The exit code is 2 for invalid arguments.
 */
export async function runImport<C extends Counts>(
  moduleUrl: string,
  usage: string,
  run: (options: Arguments & { onProgress(soFar: C): void }) => Promise<C>,
  summarize: (counts: C) => string = summarizeCounts,
): Promise<void> {
  await runCommand(moduleUrl, async (args) => {
    const options = importArguments(args, usage);
    if (!options) {
      console.error(usage);
      return 2;
    }
    const problem = await (usage.includes("FOLDER") ? folderError : fileError)(options.file);
    if (problem) {
      console.error(problem);
      return 1;
    }
    let reportedAt = Date.now();
    const onProgress = (soFar: C) => {
      if (Date.now() - reportedAt < 5000) return;
      reportedAt = Date.now();
      console.log(`… ${summarize(soFar)}`);
    };
    const counts = await run({ ...options, onProgress });
    console.log(options.preview ? `Preview, nothing was written: ${summarize(counts)}` : summarize(counts));
    return exitCode(counts);
  });
}
