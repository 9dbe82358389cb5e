import { expect } from "vitest";
import { listClient } from "@/db/client";
import { type PlanNode, rowsRead } from "./rows-of-plan";
import { collectStatements } from "./sent-statements";

/** Runs a list and returns the rows that its most expensive statement reads. */
export async function mostRead(run: () => Promise<unknown>): Promise<number> {
  const statements = await collectStatements(run);
  expect(statements.length).toBeGreaterThan(0);
  let most = 0;
  for (const { text, values } of statements) {
    const [row] = await listClient().unsafe<{ "QUERY PLAN": [{ Plan: PlanNode }] }[]>(
      `explain (analyze, format json, costs off, timing off) ${text}`,
      values as never[],
    );
    most = Math.max(most, rowsRead(row!["QUERY PLAN"][0].Plan));
  }
  return most;
}
