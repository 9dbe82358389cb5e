import { resolve } from "node:path";
import { closeDatabase } from "@/db/client";
import { reason } from "@/lib/reason";

export type ImportArguments = { file: string; preview: boolean };

/** FILE and --preview; undefined when they are something else. A path counts from where npm was called. */
export function importArguments(args: string[]): ImportArguments | undefined {
  const [file, ...more] = args.filter((arg) => arg !== "--preview");
  if (!file || more.length > 0 || file.startsWith("-")) return undefined;
  return { file: resolve(process.env.INIT_CWD ?? ".", file), preview: args.includes("--preview") };
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
  try {
    process.exitCode = await run(given);
  } catch (error) {
    console.error(`Stopped: ${reason(error).message}`); // a failed statement carries its values, keys among them
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
