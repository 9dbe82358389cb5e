import { runStaff } from "@/scripts/staff";

/** Runs a staff command line; returns its exit code and output, with `!` before lines of the error stream. */
export async function runStaffCommand(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = [];
  const code = await runStaff(args, {
    out: (text) => lines.push(text),
    err: (text) => lines.push(`!${text}`),
  });
  return { code, output: lines.join("\n") };
}

/** The option with the version of something, as the list of a command shows it. */
export async function seenOption(id: string, ...list: string[]): Promise<[string, string]> {
  const rows: { id: string; version: string }[] = await runJsonCommand(...list);
  return ["--version", rows.find((row) => row.id === id)!.version];
}

/** The rows that a command prints with --json. */
export const runJsonCommand = async (...args: string[]) =>
  JSON.parse((await runStaffCommand(...args, "--json")).output);
