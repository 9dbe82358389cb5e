// A copy of the template database for each worker. Imports nothing that opens the pools of the shop, because a test file may
// replace the driver first (record-statements.ts).
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { inject } from "vitest";
import { waitForDatabase } from "../../db/wait-for-database";
import { getStartTime } from "../../scripts/start/process-start.mjs";

/** The database that workers copy. */
export const TEMPLATE = "passlane_template";

/** This worker's folder for files of the server, such as the local mailbox. */
export function workerDataDir(): string {
  const folder = join(inject("dataDir"), `worker-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Copies the template over this worker's database. Returns its address, which stays the same. */
export async function copyTemplate(): Promise<string> {
  const url = inject("databaseUrl");
  const name = `worker_${process.pid}`;
  await withAdmin(url, async (sql) => {
    const found = await sql<
      { name: string }[]
    >`select datname as name from pg_database where datname like 'worker_%'`;
    const ended = found.filter((row) => !getStartTime(Number(row.name.slice(7))));
    for (const gone of ended)
      await sql.unsafe(`drop database if exists ${gone.name} with (force)`).catch(() => {});
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return url.replace(/\/passlane$/, `/${name}`);
}

export async function withAdmin<R>(url: string, work: (sql: postgres.Sql) => Promise<R>): Promise<R> {
  const sql = postgres(url.replace(/\/passlane$/, "/postgres"), { max: 1, onnotice: () => {} });
  try {
    await waitForDatabase(() => sql`select 1`, { say: console.log });
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
