import { closeSync, openSync, readSync, statSync } from "node:fs";
import postgres from "postgres";
import { logPath } from "@/scripts/postgres/postmaster";
import { type PlanNode, rowsRead } from "@/tests/setup/rows-of-plan";

/** Settings of the database: each new connection writes the plan of every statement, as it was executed, to the log. */
const SETTINGS = {
  session_preload_libraries: "'auto_explain'",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "'json'",
};

export type ExecutedPlan = { statement: string; rows: number };

/** The plans that Postgres executes for one database. Needs a superuser and the extension auto_explain. */
export async function watchPlans(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const name = new URL(url).pathname.slice(1);
  const [row] = await sql<{ data_directory: string }[]>`show data_directory`;
  const file = logPath(row!.data_directory);
  await sql`load 'auto_explain'`; // so that its settings are known
  for (const [setting, value] of Object.entries(SETTINGS))
    await sql.unsafe(`alter database ${name} set ${setting} = ${value}`);
  let read = statSync(file).size;
  return {
    /** The statements since the last call, with the rows that each read. */
    take(): ExecutedPlan[] {
      const size = statSync(file).size;
      const bytes = Buffer.alloc(size - read);
      const descriptor = openSync(file, "r");
      readSync(descriptor, bytes, 0, bytes.length, read);
      closeSync(descriptor);
      read = size;
      return parsePlans(bytes.toString("utf8"));
    },
    async stop() {
      for (const setting of Object.keys(SETTINGS))
        await sql.unsafe(`alter database ${name} reset ${setting}`);
      await sql.end();
    },
  };
}

/** The driver reads the types of the database once for each connection. */
const OF_DRIVER = /\bpg_catalog\.pg_type\b|\bfrom pg_type\b/i;

/** The lines after `plan:` begin with a tab. Leaves out a plan that is still being written by a concurrent job. */
function parsePlans(text: string): ExecutedPlan[] {
  const plans = [...text.matchAll(/ plan:\n(\t\{\n(?:\t .*\n)+\t\}\n)/g)].map(([, json]) => {
    const { "Query Text": statement, Plan } = JSON.parse(json!) as { "Query Text": string; Plan: PlanNode };
    return { statement, rows: rowsRead(Plan) };
  });
  return plans.filter(({ statement }) => !OF_DRIVER.test(statement));
}
