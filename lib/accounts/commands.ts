import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { type MailRefs, queueMail } from "@/lib/notifications/queue-mail";
import { newId } from "@/lib/platform/crypto/ids";
import type { Role, SecurityNoticeKind } from "./rules";

export type SecurityNotice = {
  kind: SecurityNoticeKind;
  to: string;
  locale: string;
  userId: string;
  /** `provider` of a linked sign-in, or the masked `address` of a new email. */
  refs?: MailRefs;
};

/** Queues a security email to the account's owner, in the transaction of the change. */
export async function queueSecurityNotice(tx: Tx, { kind, to, locale, userId, refs: more }: SecurityNotice) {
  await queueMail(tx, {
    event: "account-notice",
    to,
    locale,
    refs: { ...more, kind, userId },
    dedupeKey: `account-notice:${newId("ntc")}`, // every occurrence sends an email
  });
}

/** Sets the role of a live account. Returns whether there is one. */
export async function setRole(tx: Tx, userId: string, role: Role): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ role })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .returning({ id: users.id });
  return changed.length > 0;
}

/** Erases the address from sent emails once the deletion email was sent. */
export async function eraseSentEmailAddresses(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    with deletion_email as (
      select to_address, created_at from mails
      where event = 'account-notice' and refs->>'kind' = 'account_deleted' and refs->>'userId' = ${userId})
    update mails m set to_address = 'deleted@deleted.invalid' from deletion_email d
    where lower(m.to_address) collate "C" = lower(d.to_address) and m.created_at <= d.created_at and m.state <> 'queued'`);
}
