import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import postgres from "postgres";
import { startDatabase } from "@/scripts/database";
import { migrate } from "@/scripts/migrate";
import { generateCatalog } from "./generate-catalog";

/** The folder of the Postgres of the search bench. It is kept, because generating a million products takes minutes. */
const FOLDER = resolve(".data/bench-search");

type Options = { seed?: number; recreate?: boolean; say?: (line: string) => void };

/** Returns the URL of the database `bench_<count>` with that many products, and creates it if it does not exist. */
export async function benchDatabase(
  count: number,
  { seed = 1, recreate = false, say = console.log }: Options = {},
): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const { url: server } = await startDatabase({ dataDir: FOLDER, durable: false, say });
  const name = `bench_${count}`;
  const url = server.replace(/\/passlane$/, `/${name}`);
  if (!recreate && (await isComplete(server, name))) {
    await migrate(url);
    return url;
  }
  await withAdmin(server, async (sql) => {
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.unsafe(`create database ${name}`);
  });
  await migrate(url);
  await generateCatalog({ url, count, seed, say });
  // Written last, so that an interrupted database is created again.
  await withAdmin(server, (sql) => sql.unsafe(`comment on database ${name} is 'complete'`));
  return url;
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
