import type { ConsoleMail } from "@/lib/notifications/console/contract";
import { BULK_MAILS, type MailEvent } from "@/lib/notifications/rules";

/** How often staff can send one email again in an hour. */
export const MAILS_AGAIN_PER_HOUR = 3;

/**
 * Emails that only their recipient requests again: they contain a short-lived code or link. Bulk emails are not sent
 * again either.
 */
const OWN_REQUEST: readonly string[] = [
  "verification-code",
  "subscription-confirm",
  "unsubscribe-link",
] satisfies MailEvent[];

const isRepeatableEvent = (event: string): boolean =>
  !OWN_REQUEST.includes(event) && !Object.hasOwn(BULK_MAILS, event);

/** Whether staff can send this email again. One that waits is sent anyway; one that was dropped was no longer needed. */
export const isRepeatableMail = ({ event, state }: Pick<ConsoleMail, "event" | "state">): boolean =>
  (state === "sent" || state === "failed") && isRepeatableEvent(event);
