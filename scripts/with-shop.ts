import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { closeDatabase } from "@/db/client";
import { startDatabase } from "./database";
import { migrate } from "./migrate";
import { loadSecrets } from "./secrets";

/**
 * Runs a command against the shop that `npm start` would serve: the configured one, or the demo in this folder, whose
 * database is started for it when it does not run. Sets the exit code to what `run` gives, or to 1 when it throws.
 */
export async function withShop(run: () => Promise<number>): Promise<void> {
  let stop = async () => {};
  try {
    for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
    stop = await openDemo();
    process.exitCode = await run();
  } catch (error) {
    // A failed statement carries its values, keys among them: only what the database or the system says is shown.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    console.error(`Stopped: ${cause instanceof Error ? cause.message : cause}`);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
    await stop();
  }
}

async function openDemo(): Promise<() => Promise<void>> {
  if (process.env.APP_MODE === "production" || process.env.DATABASE_URL) return async () => {};
  const dataDir = resolve(process.env.DATA_DIR || ".data");
  Object.assign(process.env, loadSecrets(dataDir), { DATA_DIR: dataDir });
  const database = await startDatabase({ dataDir: realpathSync(dataDir), say: () => {} });
  process.env.DATABASE_URL = database.url;
  await migrate(database.url);
  return database.reused ? async () => {} : database.stop;
}

export type ImportArguments = { file: string; preview: boolean };

/** FILE and --preview; undefined when they are something else. A path counts from where npm was called. */
export function importArguments(args: string[]): ImportArguments | undefined {
  const [file, ...more] = args.filter((arg) => arg !== "--preview");
  if (!file || more.length > 0 || file.startsWith("-")) return undefined;
  return { file: resolve(process.env.INIT_CWD ?? ".", file), preview: args.includes("--preview") };
}
