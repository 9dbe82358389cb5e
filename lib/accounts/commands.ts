import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { type MailRefs, queueMail } from "@/lib/notifications/commands";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SecurityNoticeKind } from "./rules";

export type SecurityNotice = {
  kind: SecurityNoticeKind;
  to: string;
  locale: Locale;
  userId: string;
  /** `provider` of a linked sign-in, the masked `address` of a new e-mail. */
  more?: MailRefs;
};

/** Mails the owner of an account what happened to it, in the transaction in which it happens. */
export async function queueSecurityNotice(
  tx: Tx,
  { kind, to, locale, userId, more }: SecurityNotice,
): Promise<void> {
  await queueMail(tx, {
    event: "account-notice",
    to,
    locale,
    refs: { ...more, kind, userId },
    dedupeKey: `account-notice:${newId("ntc")}`, // each time is told
  });
}

/** The goodbye went out: now the outbox too forgets the address that it, and what was queued before it, went to. */
export async function eraseSentEmailAddresses(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    with goodbye as (
      select to_address, created_at from mails
      where event = 'account-notice' and refs->>'kind' = 'account_deleted' and refs->>'userId' = ${userId})
    update mails m set to_address = 'deleted@deleted.invalid' from goodbye g
    where lower(m.to_address) = lower(g.to_address) and m.created_at <= g.created_at and m.state <> 'queued'`);
}
