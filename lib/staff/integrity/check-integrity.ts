import { statements, type Tx, transaction } from "@/db/client";
import { ALWAYS, WHEN_IDLE } from "@/lib/staff/integrity/rules";

/** A rule, how many rows break it, and the first of them. */
export type IntegrityResult = { rule: string; rows: number; examples: Record<string, unknown>[] };

const EXAMPLES = 3;

/** Runs one rule in a transaction. */
export async function checkRule(tx: Tx, rule: string, statement: string): Promise<IntegrityResult> {
  const found = await statements(tx).unsafe<{ example: Record<string, unknown>; rows: number }[]>(
    `select to_jsonb(broken) as example, (count(*) over ())::int as rows from (${statement}) broken limit ${EXAMPLES}`,
  );
  return { rule, rows: found[0]?.rows ?? 0, examples: found.map(({ example }) => example) };
}

/** Runs every rule over the whole database as of one moment; with `whenIdle` also those that hold only while nothing runs. */
export async function checkIntegrity({ whenIdle = false } = {}): Promise<IntegrityResult[]> {
  return transaction(
    async (tx) => {
      await statements(tx).unsafe("set local statement_timeout = '10min'");
      const results: IntegrityResult[] = [];
      for (const [rule, statement] of Object.entries({ ...ALWAYS, ...(whenIdle && WHEN_IDLE) }))
        results.push(await checkRule(tx, rule, statement));
      return results;
    },
    { mode: "isolation level repeatable read read only" },
  );
}
