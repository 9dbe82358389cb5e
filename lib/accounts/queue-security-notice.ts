import type { Tx } from "@/db/client";
import { type MailRefs, queueMail } from "@/lib/notifications/queue-mail";
import { newId } from "@/lib/platform/crypto/ids";
import type { SecurityNoticeKind } from "./rules";

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
