import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type postgres from "postgres";

/** The statements that the previous release sends, and the newest migration that it brought. */
export type ReleasedStatements = { migration: string; statements: string[] };

export const RELEASE_FILE = join(import.meta.dirname, "previous-release.json.gz");

export const releasedStatements = (): ReleasedStatements =>
  JSON.parse(gunzipSync(readFileSync(RELEASE_FILE)).toString()) as ReleasedStatements;

/** Why a statement with `$1` for its values cannot run, without running it; null: it can. */
export async function explainError(sql: postgres.Sql, text: string): Promise<string | null> {
  try {
    await sql.unsafe(`explain (generic_plan) ${text}`).simple();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
