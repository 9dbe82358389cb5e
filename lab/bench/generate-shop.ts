import postgres from "postgres";
import {
  catalogSteps,
  figureSteps,
  type RowStep,
  rowFunctions,
  SEQUENCES,
  type ShopCounts,
  saleSteps,
} from "./consoles-rows";

type Options = { url: string; counts: ShopCounts; say?: (line: string) => void };

/** Fills an empty database with a shop of that size: set-based, without triggers, with the indexes created after the rows. */
export async function generateShop({ url, counts, say = console.log }: Options): Promise<void> {
  const startedAt = Date.now();
  const logProgress = (step: string) => say(`${((Date.now() - startedAt) / 1000).toFixed(0)} s: ${step}`);
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    // The rows are consistent, so foreign keys and triggers are skipped.
    connection: {
      session_replication_role: "replica",
      synchronous_commit: "off",
      maintenance_work_mem: "1GB",
      work_mem: "256MB",
      jit: "off",
    },
  });
  const write = async ({ table, statement }: RowStep) => {
    const { count } = await sql.unsafe(statement);
    logProgress(`${table}: ${count} rows`);
  };
  try {
    const constraints = await dropSecondIndexes(sql);
    await sql.unsafe(rowFunctions(0, 0));
    for (const step of catalogSteps(counts)) await write(step);
    await sql`analyze plans`;
    const [plans] = await sql<{ count: number; first: number }[]>`
      select count(*)::int as count, min(id) as first from plans`;
    await sql.unsafe("drop schema bench cascade");
    await sql.unsafe(rowFunctions(plans!.count, plans!.first));
    for (const step of saleSteps(counts, plans!.count)) await write(step);
    for (const step of figureSteps) await write(step);
    await sql.unsafe(SEQUENCES(counts));
    await sql.unsafe("drop schema bench cascade");
    for (const { table, statement } of constraints) {
      await sql.unsafe(statement);
      if (table === "keys") logProgress(statement);
    }
    logProgress("indexes created");
    await sql.unsafe("vacuum (analyze)");
    logProgress("done");
  } finally {
    await sql.end();
  }
}

/** Drops all indexes but the primary keys, whose rows come in their order; returns how they are created again. */
async function dropSecondIndexes(sql: postgres.Sql): Promise<{ table: string; statement: string }[]> {
  const unique = await sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint c
    where contype = 'u' and connamespace = 'public'::regnamespace
      and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = c.conindid)`;
  for (const { table, name } of unique) await sql.unsafe(`alter table ${table} drop constraint ${name}`);
  const indexes = await sql<{ name: string; table: string; statement: string }[]>`
    select i.indexname as name, i.tablename as table, i.indexdef as statement from pg_indexes i
    where i.schemaname = 'public' and not exists (select from pg_constraint c where c.conindid = i.indexname::regclass)
      and not exists (select from pg_class t where t.oid = i.tablename::regclass and (t.relispartition or t.relkind = 'p'))`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return [
    ...indexes,
    ...unique.map(({ table, name, definition }) => ({
      table,
      statement: `alter table ${table} add constraint ${name} ${definition}`,
    })),
  ];
}
