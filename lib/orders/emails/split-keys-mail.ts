import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import type { MailRefs } from "@/lib/notifications/queue-mail";
import type { Locale } from "@/lib/platform/i18n/locales";
import { queueOrderMail } from "./queue-order-mail";

/**
 * After an email of codes was sent without some of them, because a refund request locked their line: records it with
 * the codes that it contained, and queues one email a line for the others, unless they were only sent again. That email
 * is dropped while the line is locked, and queued again when the request is refused (`requeueDroppedMails`). The order
 * must be locked.
 */
export async function splitKeysMail(
  tx: Tx,
  order: { id: string; sendEmail: string; locale: Locale },
  mail: { id: string; refs: MailRefs },
  { mailedIds, unmailedIds }: { mailedIds: string[]; unmailedIds: string[] },
): Promise<void> {
  const refs = { ...mail.refs, keyIds: mailedIds.join(",") };
  await tx.update(mails).set({ refs }).where(eq(mails.id, mail.id));
  if (mail.refs.again) return;
  const lines = await tx.execute<{ firstKeyId: string; keyIds: string }>(sql`
    select min(id) as "firstKeyId", string_agg(id, ',' order by id) as "keyIds" from keys
    where id in ${unmailedIds} and state = 'assigned' group by order_line_id order by 1`);
  for (const { firstKeyId, keyIds } of lines)
    await queueOrderMail(
      tx,
      order,
      "keys",
      { orderId: order.id, keyIds },
      `keys-rest:${order.id}:${firstKeyId}`,
    );
}
