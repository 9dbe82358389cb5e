import { fileURLToPath } from "node:url";
import { runMigrations } from "graphile-worker";
import type postgres from "postgres";
import { openSql } from "@/db/connect";
import { openPool } from "@/db/connect-pg";
import { type AddressName, trySessionLock } from "@/db/trials";
import { env } from "@/lib/platform/env";
import { serializeError } from "@/lib/platform/serialize-error";
import { applyFunctions } from "./apply-functions";
import { applyMigrations, withLockRetries } from "./apply-migrations";
import { MIGRATION_NAME, takeMigrationLock } from "./migration-lock";
import { rejectOldDatabase } from "./old-database";

/**
 * Migrates a database to this version: the extension of the search, the schema of the job queue, the tables
 * (db/migrations), then functions and triggers (db/functions). Safe to run twice, or in two processes at once. An error
 * calls the address by `name`.
 */
export async function migrate(databaseUrl: string, name: AddressName = "DATABASE_URL"): Promise<void> {
  await trySessionLock(name, databaseUrl);
  await rejectOldDatabase(databaseUrl);
  const client = openSql(databaseUrl, {
    max: 1,
    max_lifetime: null, // a new connection would not hold the lock
    connection: { application_name: MIGRATION_NAME },
  });
  const queue = openPool(databaseUrl, { max: 2, application_name: MIGRATION_NAME });
  queue.on("error", () => {}).on("connect", (connection) => connection.on("error", () => {}));
  try {
    await takeMigrationLock(client);
    await addExtension(client);
    await runMigrations({ pgPool: queue });
    await applyMigrations(client);
    await withLockRetries(() => applyFunctions(client));
    await withLockRetries(() => client`select create_partitions(3)`);
  } finally {
    await Promise.all([client.end(), queue.end()]);
  }
}

/** Adds pg_trgm. If the user lacks the right, the error explains what to do. */
async function addExtension(client: postgres.Sql): Promise<void> {
  try {
    await client`create extension if not exists pg_trgm`;
  } catch (error) {
    throw new Error(
      `The database needs the extension pg_trgm, and this user may not add it (${serializeError(error).message}): ask its owner to run CREATE EXTENSION pg_trgm.`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { DATABASE_URL, DATABASE_DIRECT_URL } = env();
    await migrate(
      DATABASE_DIRECT_URL,
      DATABASE_DIRECT_URL === DATABASE_URL ? "DATABASE_URL" : "DATABASE_DIRECT_URL",
    );
    console.log("The database is up to date.");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
