import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import postgres from "postgres";
import { migrate } from "@/scripts/migrate";
import { startDatabase } from "@/scripts/postgres/database";
import { generateCatalog } from "./generate-catalog";

/** The folder of the Postgres of the search bench. It is kept, because generating a million products takes minutes. */
const FOLDER = resolve(".data/bench-search");

type Say = (line: string) => void;
type Options = { seed?: number; recreate?: boolean; say?: Say };
export type ReusableDatabase = {
  /** The folder of its Postgres. */
  folder: string;
  name: string;
  recreate?: boolean;
  say?: Say;
  fill: (url: string) => Promise<void>;
};

/** Returns the URL of the database `bench_<count>` with that many products, and creates it if it does not exist. */
export async function benchDatabase(
  count: number,
  { seed = 1, recreate = false, say = console.log }: Options = {},
): Promise<string> {
  const fill = (url: string) => generateCatalog({ url, count, seed, say });
  const { url } = await openReusableDatabase({ folder: FOLDER, name: `bench_${count}`, recreate, say, fill });
  return url;
}

/**
 * Opens a generated database, and generates it if it does not exist or if its tables are of an earlier version from which no
 * migration leads here. Its Postgres does not wait for the disk.
 */
export async function openReusableDatabase({
  folder,
  name,
  recreate = false,
  say = console.log,
  fill,
}: ReusableDatabase): Promise<{ url: string; server: string; stop: () => Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const { url: server, stop } = await startDatabase({ dataDir: folder, durable: false, say });
  const url = server.replace(/\/passlane$/, `/${name}`);
  if (!recreate && (await isComplete(server, name)) && (await canMigrate(url, say)))
    return { url, server, stop };
  await withAdmin(server, async (sql) => {
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.unsafe(`create database ${name}`);
  });
  await migrate(url);
  await fill(url);
  // Written last, so that an interrupted database is created again.
  await withAdmin(server, (sql) => sql.unsafe(`comment on database ${name} is 'complete'`));
  return { url, server, stop };
}

async function canMigrate(url: string, say: Say): Promise<boolean> {
  try {
    await migrate(url);
    return true;
  } catch (error) {
    say(`The generated database is created again: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** Whether the database with that many products exists. */
export async function hasBenchDatabase(count: number): Promise<boolean> {
  mkdirSync(FOLDER, { recursive: true });
  const { url } = await startDatabase({ dataDir: FOLDER, durable: false, say: () => {} });
  return isComplete(url, `bench_${count}`);
}

async function isComplete(server: string, name: string): Promise<boolean> {
  const [row] = await withAdmin(
    server,
    (sql) => sql<{ comment: string | null }[]>`
      select shobj_description(oid, 'pg_database') as comment from pg_database where datname = ${name}`,
  );
  return row?.comment === "complete";
}

async function withAdmin<R>(url: string, run: (sql: postgres.Sql) => PromiseLike<R>): Promise<R> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
