import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { closeDatabase } from "@/db/client";
import { serializeError } from "@/lib/platform/serialize-error";

export type ImportArguments = { file: string; preview: boolean };

/** Parses FILE and --preview; undefined for other arguments. A path is relative to the folder where npm was called. */
export function importArguments(args: string[]): ImportArguments | undefined {
  const [file, ...others] = args.filter((arg) => arg !== "--preview");
  if (!file || others.length > 0 || file.startsWith("-")) return undefined;
  return { file: resolve(process.env.INIT_CWD ?? ".", file), preview: args.includes("--preview") };
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

/** Runs an import as a command. Exit codes: the result of `run`, 1 if it throws, 2 for invalid arguments. */
export async function runImport(
  usage: string,
  run: (options: ImportArguments) => Promise<number>,
): Promise<void> {
  const options = importArguments(process.argv.slice(2));
  if (!options) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const problem = await fileError(options.file);
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  try {
    process.exitCode = await run(options);
  } catch (error) {
    console.error(`Stopped: ${serializeError(error).message}`); // without the values of a failed statement, which may be keys
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
