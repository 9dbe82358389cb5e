import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { closeDatabase } from "@/db/client";
import { serializeError } from "@/lib/platform/serialize-error";

export type ImportArguments = { file: string; preview: boolean };

/** FILE and --preview; undefined when they are something else. A path counts from where npm was called. */
export function importArguments(args: string[]): ImportArguments | undefined {
  const [file, ...more] = args.filter((arg) => arg !== "--preview");
  if (!file || more.length > 0 || file.startsWith("-")) return undefined;
  return { file: resolve(process.env.INIT_CWD ?? ".", file), preview: args.includes("--preview") };
}

/** Why there is nothing to import, in one sentence; undefined when there is. */
export async function fileError(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => null);
  if (!found) return `There is no file ${file}.`;
  if (found.isDirectory()) return `${file} is a folder; name the file in it.`;
  if (found.isFile() && found.size === 0) return `${file} is empty, so there is nothing to import.`;
  const readable = await access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
  return readable ? undefined : `${file} may not be read by this user.`;
}

/** Says so when a file held blank lines, or columns, and nothing else: its exit code is 1 then. */
export function exitCode({ refused, ...taken }: Record<string, number> & { refused: number }): number {
  if (refused > 0) return 1;
  if (Object.values(taken).some((count) => count > 0)) return 0;
  console.error("The file holds nothing to import.");
  return 1;
}

/** An import as a command: its exit code is what `run` gives, 1 when it throws, 2 when it is called wrongly. */
export async function runImport(
  usage: string,
  run: (given: ImportArguments) => Promise<number>,
): Promise<void> {
  const given = importArguments(process.argv.slice(2));
  if (!given) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const problem = await fileError(given.file);
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  try {
    process.exitCode = await run(given);
  } catch (error) {
    console.error(`Stopped: ${serializeError(error).message}`); // a failed statement carries its values, keys among them
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
