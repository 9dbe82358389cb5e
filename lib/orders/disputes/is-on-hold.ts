import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { warnedSql } from "@/lib/delivery/library/key-state-sql";
import { disputeStateSql } from "./find-dispute-state";

/** Whether a dispute, unless it was won, or an undecided fraud warning stops the delivery of an order's unseen codes. */
export async function isOnHold(tx: Db, orderId: string): Promise<boolean> {
  const [order] = await tx.execute<{ held: boolean }>(sql`
    select ${disputeStateSql("o")} is not null or ${warnedSql("o.id")} as held from orders o where o.id = ${orderId}`);
  return order?.held ?? false;
}
