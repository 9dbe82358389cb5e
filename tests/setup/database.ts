import type { TestProject } from "vitest/node";
import { startTestDatabase } from "../../scripts/postgres/database";
import { prepareDatabase } from "../../scripts/start/server-process";
import { testEnvironment } from "./environment";
import { isComplete } from "./rounds";
import { TEMPLATE, withAdmin } from "./worker-database";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    dataDir: string;
  }
}

type Shared = { users: number; database: Promise<Awaited<ReturnType<typeof startTestDatabase>>> };
// Vitest calls this once for each project, each time in a new copy of this module.
const holder = globalThis as typeof globalThis & { passlaneTestDatabase?: Shared };

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
  const database = await startTestDatabase("vitest", { inMemory: !isComplete });
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
