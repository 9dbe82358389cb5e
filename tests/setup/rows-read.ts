import { expect } from "vitest";
import { listClient } from "@/db/client";
import { type PlanNode, rowsRead } from "./rows-of-plan";

/** A statement that was sent to Postgres, as postgres.js reports it to `debug`. */
export type SentStatement = { text: string; values: unknown[] };

/** Runs a list and returns the rows that its dearest statement reads. `sent`: collects the statements. */
export async function mostRead(sent: SentStatement[], run: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await run();
  const statements = [...sent];
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
