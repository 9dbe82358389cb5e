import { expect } from "vitest";
import { client } from "@/db/client";

/** A statement that was sent to Postgres, as postgres.js reports it to `debug`. */
export type SentStatement = { text: string; values: unknown[] };

/** What a statement of a console's list may read (docs/performance.md#staff-console). */
export const MAX_READ = 2_100;

type PlanNode = {
  "Actual Rows": number;
  "Actual Loops": number;
  "Node Type": string;
  Plans?: PlanNode[];
  "Rows Removed by Filter"?: number;
};

/** Rows that the scans of a statement read. */
const rowsRead = (node: PlanNode): number => {
  const own =
    /Scan/.test(node["Node Type"]) && !/CTE|Subquery|Function|Bitmap Heap/.test(node["Node Type"])
      ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
      : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
};

/** Runs a list and returns the rows that its dearest statement reads. `sent`: collects the statements. */
export async function mostRead(sent: SentStatement[], run: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await run();
  const statements = [...sent];
  expect(statements.length).toBeGreaterThan(0);
  let most = 0;
  for (const { text, values } of statements) {
    const [row] = await client().unsafe<{ "QUERY PLAN": [{ Plan: PlanNode }] }[]>(
      `explain (analyze, format json, costs off, timing off) ${text}`,
      values as never[],
    );
    most = Math.max(most, rowsRead(row!["QUERY PLAN"][0].Plan));
  }
  return most;
}
