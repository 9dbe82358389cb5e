import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueueMail } from "./queue-mail";

/**
 * Sends the queued emails of an order to its new delivery address, because their codes must not reach the old one. Each
 * gets a new id, because the provider may have stored the old id with the old address, and would reject another.
 */
export async function readdressQueuedMails(
  tx: Tx,
  { orderId, from, to }: { orderId: string; from: string; to: string },
): Promise<void> {
  const queued = await tx.execute<{ id: string }>(sql`
    select m.id from mails m join orders o on o.id = ${orderId}
    where m.state = 'queued' and m.to_address = ${from} and m.event <> 'email-changed'
      and (m.order_number = o.order_number or m.refs->>'orderId' = o.id) for update of m`);
  for (const { id } of queued) {
    const newMailId = newId("mail");
    await tx.execute(sql`update mails set id = ${newMailId}, to_address = ${to} where id = ${id}`);
    await enqueueMail(tx, newMailId);
  }
}
