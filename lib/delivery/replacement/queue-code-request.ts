import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { REPLACEMENT_REMINDER_HOURS } from "@/lib/delivery/rules";
import { listMerchantRecipients } from "@/lib/notifications/list-merchant-recipients";
import { queueMail } from "@/lib/notifications/queue-mail";

/** Tells the merchant of a code, at its support address and its owners', that a buyer requests a replacement. */
export async function queueCodeRequest(tx: Tx, requestId: string, reminder = false): Promise<void> {
  const [asked] = await tx.execute<{ product: number; people: string[] }>(sql`
    select l.product_id as product, array_remove(array[r.user_id, r.asked_by, o.user_id], null) as people
    from replacement_requests r join keys k on k.id = r.key_id join order_lines l on l.id = k.order_line_id
    join orders o on o.id = l.order_id where r.id = ${requestId}`);
  const recipients = asked ? await listMerchantRecipients(tx, asked.product, asked.people, "questions") : [];
  for (const [index, { to, locale }] of recipients.entries())
    await queueMail(tx, {
      event: "code-request",
      to,
      locale,
      refs: { requestId, ...(reminder && { reminder: 1 }) },
      dedupeKey: [reminder ? "code-reminder" : "code-request", requestId, ...(index ? [index] : [])].join(
        ":",
      ),
    });
}

const BATCH = 200;

/** Reminds merchants once of requests for another code that have waited for a day. */
export async function remindOfCodeRequests(): Promise<void> {
  const due = await db.execute<{ id: string }>(sql`
    select r.id from replacement_requests r
    where r.state = 'asked' and r.created_at <= shop_now() - make_interval(hours => ${REPLACEMENT_REMINDER_HOURS})
      and exists (select from mails m where m.dedupe_key = 'code-request:' || r.id)
      and not exists (select from mails m where m.dedupe_key = 'code-reminder:' || r.id)
    order by r.created_at, r.id limit ${BATCH}`);
  for (const { id } of due) await transaction((tx) => queueCodeRequest(tx, id, true));
}
