import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** Erases the address from sent emails once the deletion email was sent. */
export async function eraseSentEmailAddresses(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    with deletion_email as (
      select to_address, created_at from mails
      where event = 'account-notice' and refs->>'kind' = 'account_deleted' and refs->>'userId' = ${userId})
    update mails m set to_address = 'deleted@deleted.invalid' from deletion_email d
    where lower(m.to_address) collate "C" = lower(d.to_address) and m.created_at <= d.created_at and m.state <> 'queued'`);
}
