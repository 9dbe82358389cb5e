// A reporter for scripts/test.mjs: notes why a run fails although no test of it did.
import { appendFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Adds a line to the file that scripts/test.mjs names; other runs only print their errors. */
export function noteRunError(line: string): void {
  const file = process.env.RUN_ERRORS_FILE;
  if (file) appendFileSync(file, `${line}\n`);
}

export default class RunErrors implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const { type, name, message } of errors)
      noteRunError(`${type ?? "error outside of tests"}: ${name}: ${message.split("\n", 1)[0]}`);
  }
}
