import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { startTestDatabase } from "../../scripts/database";
import { getStartTime } from "../../scripts/process-lock";
import { prepareDatabase } from "../../scripts/server-process";
import { testEnvironment } from "./environment";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    dataDir: string;
  }
}

type Shared = { users: number; database: Promise<Awaited<ReturnType<typeof startTestDatabase>>> };
// Vitest calls this once for each project, each time in a new copy of this module.
const holder = globalThis as typeof globalThis & { passlaneTestDatabase?: Shared };

const TEMPLATE = "passlane_template";

/** Vitest's global setup: a throw-away Postgres with our schema, and a template of it that workers copy. */
export default async function setup(project: TestProject) {
  holder.passlaneTestDatabase ??= { users: 0, database: prepare() };
  const shared = holder.passlaneTestDatabase;
  shared.users++;
  const database = await shared.database;
  process.env.DATABASE_URL = database.url;
  project.provide("databaseUrl", database.url);
  project.provide("dataDir", database.dataDir);
  return async () => {
    if (--shared.users > 0) return;
    holder.passlaneTestDatabase = undefined;
    await database.stop();
  };
}

async function prepare() {
  const database = await startTestDatabase("vitest");
  try {
    const env = {
      ...process.env,
      ...testEnvironment,
      DATABASE_URL: database.url,
      DATA_DIR: database.dataDir,
    };
    await prepareDatabase(env, { catalog: false });
    await withAdmin(database.url, (sql) => sql.unsafe(`create database ${TEMPLATE} template passlane`));
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

let own: Promise<string> | undefined;

/** The address of this worker's database, copied from the template at the first call. */
export function workerDatabaseUrl(): Promise<string> {
  own ??= copyTemplate();
  return own;
}

/** This worker's folder for files of the server, such as the local mailbox. */
export function workerDataDir(): string {
  const folder = join(inject("dataDir"), `worker-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function copyTemplate() {
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

async function withAdmin<R>(url: string, work: (sql: postgres.Sql) => Promise<R>): Promise<R> {
  const sql = postgres(url.replace(/\/passlane$/, "/postgres"), { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
