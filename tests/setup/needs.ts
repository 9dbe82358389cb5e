import type { TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test does not run on this machine. */
    missing?: string;
  }
}

/**
 * Options of tests that need a program that not every machine has. Without it they do not run, and `npm test` ends with how
 * many did not, and why (tests/setup/run-notes.ts).
 */
export const needs = (isThere: unknown, program: string): TestOptions =>
  isThere ? {} : { skip: true, meta: { missing: `${program} is missing` } };
