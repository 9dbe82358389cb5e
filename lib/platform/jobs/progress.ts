import { sql } from "drizzle-orm";
import { type Db, db, shopNow } from "@/db/client";
import { jobProgress } from "@/db/schema/requests";

/** The jobs that read a table piece by piece, and continue where they stopped. */
type ProgressName =
  | "seal-custody"
  | "seal-audit"
  | "sweep-deliveries"
  | "record-missing-sales"
  | "delete-old-mails"
  | "send-transfers"
  | `archive-${string}`;

/** Where a job stopped: the key of a row, as text; null before its first run. */
export async function readProgress(name: ProgressName, within: Db = db): Promise<string | null> {
  const [row] = await within.execute<{ place: string }>(
    sql`select place from job_progress where name = ${name}`,
  );
  return row?.place ?? null;
}

export async function writeProgress(name: ProgressName, place: string, within: Db = db): Promise<void> {
  await within
    .insert(jobProgress)
    .values({ name, place })
    .onConflictDoUpdate({ target: jobProgress.name, set: { place, updatedAt: shopNow } });
}

/** Forgets a place, because the table was read to its end. */
export async function clearProgress(name: ProgressName): Promise<void> {
  await db.execute(sql`delete from job_progress where name = ${name}`);
}
