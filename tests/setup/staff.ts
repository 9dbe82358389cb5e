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

/** The rows that a command prints with --json. */
export const runJsonCommand = async (...args: string[]) =>
  JSON.parse((await runStaffCommand(...args, "--json")).output);
