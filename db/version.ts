import { client } from "@/db/client";
import journal from "@/db/migrations/meta/_journal.json";

export type SchemaVersion = { applied: number; needed: number; name: string };

/**
 * The newest migration this code brings and the newest the database has had, both by drizzle's time stamp.
 * Throws when the database cannot be reached or was never migrated.
 */
export async function schemaVersion(): Promise<SchemaVersion> {
  const newest = journal.entries.at(-1);
  const rows = await client()<{ applied: number | null }[]>`
    select max(created_at)::float8 as applied from drizzle.__drizzle_migrations`;
  return { applied: rows[0]?.applied ?? 0, needed: newest?.when ?? 0, name: newest?.tag ?? "" };
}
