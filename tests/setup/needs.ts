import type { TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test does not run on this machine. */
    missing?: string;
  }
}

/**
 * Options of tests that need a program that not every machine has. Without it they are skipped, and `npm test` prints
 * how many were skipped and why (tests/setup/run-notes.ts).
 */
export const needs = (isThere: unknown, program: string): TestOptions =>
  isThere ? {} : { skip: true, meta: { missing: `${program} is missing` } };
