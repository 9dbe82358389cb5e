// Runs before each test file of the projects domain and api: notes every statement that the file sends to Postgres, for
// the comparison of row types (tests/statements/row-types.test.ts).
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { vi } from "vitest";
import { type RecordedStatement, statementsFile } from "./recorded-statements";
import { noteStatement } from "./sent-statements";

const seen = new Set<string>();

function record(text: string, types: number[]): void {
  if (seen.has(text)) return;
  seen.add(text);
  const statement: RecordedStatement = { text, types };
  const file = statementsFile();
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(statement)}\n`);
}

vi.mock("postgres", async (load) => {
  const { default: postgres } = await load<{ default: typeof import("postgres") }>();
  const debug = (_connection: number, text: string, values: unknown[], types: number[]) => {
    record(text, types);
    noteStatement(text, values);
  };
  return { default: (url: string, options: object) => postgres(url, { ...options, debug }) };
});
