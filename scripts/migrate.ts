import { fileURLToPath } from "node:url";
import { runMigrations } from "graphile-worker";
import postgres from "postgres";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { serializeError } from "@/lib/platform/serialize-error";
import { applyFunctions } from "./apply-functions";
import { applyMigrations, waitForLock, withLockRetries } from "./apply-migrations";
import { rejectOldDatabase } from "./old-database";

/**
 * Migrates a database to this version: the extension of the search, the schema of the job queue, the tables
 * (db/migrations), then functions and triggers (db/functions). Safe to run twice, or in two processes at once.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  await rejectOldDatabase(databaseUrl);
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await waitForLock(client, ADVISORY_LOCKS.migration);
    await addExtension(client);
    await runMigrations({ connectionString: databaseUrl });
    await applyMigrations(client);
    await withLockRetries(() => applyFunctions(client));
    await withLockRetries(() => client`select create_partitions(3)`);
  } finally {
    await client.end();
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
    await migrate(env().DATABASE_URL);
    console.log("The database is up to date.");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
