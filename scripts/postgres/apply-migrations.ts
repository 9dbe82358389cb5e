import { setTimeout as wait } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type postgres from "postgres";

/** How long a statement waits for a table. While it waits, everyone else waits behind it. */
export const LOCK_TIMEOUT_MS = 3_000;
/** A migration that finds a table in use is repeated as often, with a pause in which the others go on. */
const LOCK_ATTEMPTS = 40;
const LOCK_PAUSE_MS = 2_000;
const LOCK_NOT_AVAILABLE = "55P03";

/** The first line of a statement that runs outside the transaction of its file. */
const OUTSIDE = /^\s*(?:--(?! outside).*\n\s*)*-- outside\n/;
const INDEX = /^\s*CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/im;

/**
 * Applies the migrations of a folder, db/migrations, that this database lacks, and records them as drizzle does. The
 * statements of a file that are marked with `-- outside` run first, each alone and repeatable (concurrent indexes,
 * validations), the others in one transaction with the record. A statement that waits longer than LOCK_TIMEOUT_MS for a
 * table is repeated. Returns how many files were applied.
 */
export async function applyMigrations(client: postgres.Sql, folder: string): Promise<number> {
  await client`create schema if not exists drizzle`;
  await client`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const [newest] = await client<{ at: string | null }[]>`
    select max(created_at)::text as at from drizzle.__drizzle_migrations`;
  await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  let applied = 0;
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder: folder })) {
    if (Number(newest?.at ?? 0) >= folderMillis) continue;
    const outside = sql.filter((statement) => OUTSIDE.test(statement));
    for (const statement of outside) await withLockRetries(() => runOutside(client, statement));
    await withLockRetries(() =>
      client.begin(async (tx) => {
        for (const statement of sql) if (!OUTSIDE.test(statement)) await tx.unsafe(statement);
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
      }),
    );
    applied += 1;
  }
  return applied;
}

/** Runs a statement alone. An index that an interrupted run left unfinished is built again, a finished one is kept. */
async function runOutside(client: postgres.Sql, statement: string): Promise<void> {
  const name = INDEX.exec(statement)?.[1];
  if (!name) {
    await client.unsafe(statement);
    return;
  }
  const [index] = await client<{ valid: boolean }[]>`
    select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass(quote_ident(${name}))`;
  if (index?.valid) return;
  if (index) await client`drop index concurrently ${client(name)}`;
  // It waits for running transactions without blocking others.
  await client`set lock_timeout = 0`;
  try {
    await client.unsafe(statement);
  } finally {
    await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  }
}

/** Repeats what finds a table in use. @throws the last error after LOCK_ATTEMPTS */
export async function withLockRetries<T>(run: () => PromiseLike<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt >= LOCK_ATTEMPTS) throw error;
      await wait(LOCK_PAUSE_MS);
    }
  }
}
