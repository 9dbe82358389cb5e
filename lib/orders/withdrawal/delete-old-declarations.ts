import { sql } from "drizzle-orm";
import { deleteInBatches } from "@/db/retention";
import { withdrawalDeclarations } from "@/db/schema/payments";

/** Deletes declarations of withdrawal whose last words came three years ago; the database refuses any other. */
export async function deleteOldDeclarations(): Promise<void> {
  const before = sql`shop_now() - interval '3 years 1 hour'`;
  await deleteInBatches(
    withdrawalDeclarations,
    sql`declared_at < ${before} and last_at < ${before}`,
    sql`declared_at`,
  );
}
