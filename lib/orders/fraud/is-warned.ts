import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { warnedSql } from "@/lib/delivery/library/key-state-sql";

/** Whether an early fraud warning about an order is not decided, so that its unseen codes are locked. */
export async function isWarned(tx: Db, orderId: string): Promise<boolean> {
  const [row] = await tx.execute<{ warned: boolean }>(
    sql`select ${warnedSql("o.id")} as warned from orders o where o.id = ${orderId}`,
  );
  return row?.warned ?? false;
}
