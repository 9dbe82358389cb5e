import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A statement's text with `$1` for its values, and the types that the driver named for them (0: none). */
export type RecordedStatement = { text: string; types: number[] };

const FILE = join(import.meta.dirname, "../../.data/reports/statements.jsonl");

/** One line for each statement that a test file sent; lines of several files repeat one another. */
export const statementsFile = (): string => FILE;

export function recordedStatements(): RecordedStatement[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, "utf8").split("\n").filter(Boolean);
  return [...new Set(lines)].map((line) => JSON.parse(line) as RecordedStatement);
}
