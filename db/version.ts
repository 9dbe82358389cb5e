import { client } from "@/db/client";
import journal from "@/db/migrations/meta/_journal.json";

export type SchemaVersion = { applied: number; needed: number; name: string; clockShifted: boolean };

/**
 * The newest migration of this code (`needed`) and of the database (`applied`), by drizzle's time stamp. `clockShifted`:
 * the shop's clock has an offset, which only tests set. Throws if the database cannot be reached or was never migrated.
 */
export async function schemaVersion(): Promise<SchemaVersion> {
  const newest = journal.entries.at(-1);
  const [row] = await client()<{ applied: number | null; shifted: boolean }[]>`
    select max(created_at)::float8 as applied, (select shift <> '0' from shop_clock) as shifted
    from drizzle.__drizzle_migrations`;
  const clockShifted = row?.shifted ?? false;
  return { applied: row?.applied ?? 0, needed: newest?.when ?? 0, name: newest?.tag ?? "", clockShifted };
}
