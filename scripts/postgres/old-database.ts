import type postgres from "postgres";
import { askDatabase } from "@/db/ask-database";
import journal from "@/db/migrations/meta/_journal.json";

/**
 * Rejects a database that was migrated before the migrations were squashed into one baseline: its tables exist, so the
 * baseline cannot be applied. Waits up to 60 seconds for a database that does not answer, and changes nothing in it. `advice` says
 * what the operator can do.
 */
export async function rejectOldDatabase(
  databaseUrl: string,
  advice = "use an empty database",
): Promise<void> {
  if (await askDatabase(databaseUrl, isOldDatabase, console.log))
    throw new Error(
      `This database was made by an earlier version of Passlane that this version cannot migrate: ${advice}. Nothing was changed or deleted.`,
    );
}

async function isOldDatabase(client: postgres.Sql): Promise<boolean> {
  const [row] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as journal`;
  if (!row?.journal) return false;
  const old = await client`
    select from drizzle.__drizzle_migrations where created_at < ${journal.entries[0]!.when} limit 1`;
  return old.length > 0;
}
