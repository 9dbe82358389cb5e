import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueueMail, type MailRefs } from "./queue-mail";

/**
 * Lets a failed email wait again, with the attempts of a new one. For another address it gets a new id, because the
 * provider may have stored the old id with the old address. Returns its id.
 */
export async function repeatFailedMail(
  tx: Tx,
  mailId: string,
  { to, refs }: { to: string; refs: MailRefs },
): Promise<string> {
  const newMailId = newId("mail");
  const [mail] = await tx.execute<{ id: string }>(sql`
    update mails set id = case when to_address = ${to} then id else ${newMailId} end, to_address = ${to},
      refs = ${JSON.stringify(refs)}::jsonb, state = 'queued', attempts = 0, last_error = null, failed_at = null
    where id = ${mailId} and state = 'failed' returning id`);
  if (!mail) throw new Error(`the email ${mailId} has not failed`);
  await enqueueMail(tx, mail.id);
  return mail.id;
}
