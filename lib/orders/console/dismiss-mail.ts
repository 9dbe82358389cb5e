import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { DismissMailInput, MailDismissed } from "@/lib/notifications/console/contract-again";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

/**
 * Ends a failed email that can never be sent, for a reason that the audit log keeps: it waits in no queue any more.
 * @throws ShopError mail_unknown; revision_conflict: it has not failed, or waits again; note_has_code
 */
export async function dismissMail(
  { userId }: StaffViewer,
  mailId: string,
  { reason }: DismissMailInput,
): Promise<MailDismissed> {
  return transaction(async (tx) => {
    await requireNoCode(tx, reason);
    const [mail] = await tx.execute<{ event: string; state: string; orderId: string | null }>(sql`
      select m.event, m.state, m.refs->>'orderId' as "orderId" from mails m where m.id = ${mailId} for update`);
    if (!mail) throw new ShopError("mail_unknown");
    if (mail.state !== "failed") throw new ShopError("revision_conflict");
    if (mail.orderId) await requireNoCode(tx, reason, { orderId: mail.orderId });
    await tx.execute(sql`update mails set state = 'dropped' where id = ${mailId}`);
    const detail = { event: mail.event, reason };
    await audit({ actor: userId, action: "mail.dismissed", subject: mailId, detail }, tx);
    return { mail_id: mailId, state: "dropped" };
  });
}
