import { fileURLToPath } from "node:url";
import { runMigrations } from "graphile-worker";
import type postgres from "postgres";
import { openSql } from "@/db/connect";
import { openPool } from "@/db/connect-pg";
import { waitForDatabase } from "@/db/wait-for-database";
import { importTaxRates } from "@/lib/payments/tax/import-tax-rates";
import { env } from "@/lib/platform/env";
import { serializeError } from "@/lib/platform/serialize-error";
import { rejectDemoDatabase } from "@/lib/staff/demo/reject-demo-database";
import { applyFunctions } from "./postgres/apply-functions";
import { applyMigrations, LOCK_TIMEOUT_MS, withLockRetries } from "./postgres/apply-migrations";
import { MIGRATION_NAME, takeMigrationLock } from "./postgres/migration-lock";
import { rejectOldDatabase } from "./postgres/old-database";
import { startOrExit } from "./start/start-or-exit";

/** Relative to the folder of this file, or of the compiled one in a release. */
const folder = (name: string) => fileURLToPath(new URL(`../db/${name}`, import.meta.url));

/**
 * Migrates a database to this version: the extension of the search, the schema of the job queue, the tables
 * (db/migrations), functions and triggers (db/functions), then the rates of taxes. Safe to run twice, or in two processes at once. Waits
 * for a database that does not answer. Returns how many of each were applied.
 */
export async function migrate(databaseUrl: string): Promise<{ migrations: number; functions: number }> {
  await rejectOldDatabase(databaseUrl);
  const client = openSql(databaseUrl, {
    max: 1,
    max_lifetime: null, // a new connection would not hold the lock
    connection: { application_name: MIGRATION_NAME, lock_timeout: LOCK_TIMEOUT_MS },
  });
  const queue = openPool(databaseUrl, {
    max: 2,
    application_name: MIGRATION_NAME,
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
  });
  queue.on("error", () => {}).on("connect", (connection) => connection.on("error", () => {}));
  try {
    await waitForDatabase(() => takeMigrationLock(client), { say: console.log });
    await addExtension(client);
    await withLockRetries(() => runMigrations({ pgPool: queue }));
    const migrations = await applyMigrations(client, folder("migrations"));
    const functions = await withLockRetries(() => applyFunctions(client, folder("functions")));
    await withLockRetries(() => client`select create_partitions(3)`);
    await importTaxRates(client);
    return { migrations, functions: functions.length };
  } finally {
    await Promise.all([client.end(), queue.end()]);
  }
}

/** Adds pg_trgm. If the user lacks the right, the error explains what to do. */
async function addExtension(client: postgres.Sql): Promise<void> {
  try {
    await withLockRetries(() => client`create extension if not exists pg_trgm`);
  } catch (error) {
    throw new Error(
      `The database needs the extension pg_trgm, and this user may not add it (${serializeError(error).message}): ask its owner to run CREATE EXTENSION pg_trgm.`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { migrations, functions } = await startOrExit(async () => {
    const { DATABASE_DIRECT_URL } = env();
    await rejectDemoDatabase(DATABASE_DIRECT_URL, env(), console.log);
    return migrate(DATABASE_DIRECT_URL);
  });
  console.log(`The database is up to date. Applied: migrations ${migrations}, functions ${functions}.`);
}
