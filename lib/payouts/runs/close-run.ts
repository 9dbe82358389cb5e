import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** Closes a sent run when none of its payouts is on its way. */
export const closeRun = async (tx: Tx, runId: string): Promise<void> => {
  await tx.execute(sql`
    update payout_runs r set state = 'closed', ended_at = shop_now() where r.id = ${runId} and r.state = 'sent'
      and not exists (select from payouts p where p.run_id = r.id and p.state in ('draft', 'sent'))`);
};
