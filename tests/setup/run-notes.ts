// A reporter for scripts/test.mjs: notes why a run fails although no test of it did, and why tests did not run.
import { appendFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";

/** Adds a line to a file that scripts/test.mjs names in a variable; other runs have none. */
function note(variable: "RUN_ERRORS_FILE" | "NOT_RUN_FILE", line: string): void {
  const file = process.env[variable];
  if (file) appendFileSync(file, `${line}\n`);
}

/** Notes a reason why the run fails. */
export const noteRunError = (line: string): void => note("RUN_ERRORS_FILE", line);

export default class RunNotes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const { type, name, message } of errors)
      noteRunError(`${type ?? "error outside of tests"}: ${name}: ${message.split("\n", 1)[0]}`);
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const missing = findMissing(test);
        if (missing) note("NOT_RUN_FILE", missing);
      }
  }
}

/** What a test, or a suite around it, needs (needs.ts). */
function findMissing(test: TestCase | TestSuite): string | undefined {
  const { missing } = test.meta();
  if (missing || test.parent.type === "module") return missing;
  return findMissing(test.parent);
}
