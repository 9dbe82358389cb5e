import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import { runMigrations } from "graphile-worker";
import postgres from "postgres";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { serializeError } from "@/lib/platform/serialize-error";

/**
 * Brings a database to this version: what the search needs, the job queue's own schema, then ours. Safe to run twice,
 * or at once.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${ADVISORY_LOCKS.migration})`;
    // Documents that are being laid out would take the place of those that a migration writes.
    await client`select pg_advisory_lock(${ADVISORY_LOCKS.catalogImport})`;
    await addExtension(client);
    await runMigrations({ connectionString: databaseUrl });
    await applyMigrations(drizzle(client), {
      migrationsFolder: fileURLToPath(new URL("../db/migrations", import.meta.url)),
    });
  } finally {
    await client.end();
  }
}

/** The search's extension, before anything else asks for rights, so that a refusal is told in a sentence. */
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
  await migrate(env().DATABASE_URL);
  console.log("The database is up to date.");
}
