import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type postgres from "postgres";
import journal from "@/db/migrations/meta/_journal.json";

const FOLDER = fileURLToPath(new URL("../db/functions", import.meta.url));

/**
 * Applies the files of db/functions whose content differs from what this database has, in one transaction. Each file
 * holds one function of the file's name and the triggers that call it, and can be applied any number of times. Bodies
 * are not checked on creation, so the order of the files does not matter. Functions whose file is removed must be dropped by a migration.
 */
export async function applyFunctions(client: postgres.Sql, folder = FOLDER): Promise<string[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return { name: basename(file, ".sql"), text, hash: createHash("sha256").update(text).digest("hex") };
    });
  return client.begin(async (tx) => {
    // During a rollout, a restarted process of the old version must not replace the functions of the new one.
    const [newest] = await tx`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
    if (newest?.at > journal.entries.at(-1)!.when) return [];
    const applied = await tx<{ name: string; hash: string }[]>`
      select a.name, a.hash from applied_functions a
      where exists (select from pg_proc p where p.proname = a.name and p.pronamespace = current_schema::regnamespace)`;
    const hashes = new Map(applied.map(({ name, hash }) => [name, hash]));
    const changed = files.filter(({ name, hash }) => hashes.get(name) !== hash);
    await tx`set local check_function_bodies = off`;
    for (const { name, text, hash } of changed) {
      await tx.unsafe(text);
      await tx`insert into applied_functions (name, hash) values (${name}, ${hash})
        on conflict (name) do update set hash = excluded.hash, applied_at = now()`;
    }
    await tx`delete from applied_functions where name <> all (${files.map(({ name }) => name)}::text[])`;
    return changed.map(({ name }) => name);
  });
}
