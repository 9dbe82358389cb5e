import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** Waits until a statement of this database waits for a lock: one that a transaction of the test holds back. */
export async function untilStatementWaits(): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const waiting = await db.execute(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
    );
    if (waiting.length > 0) return;
    await sleep(10);
  }
  throw new Error("no statement waits for a lock");
}
