import { findMail, hasMailbox, readMailbox, type StoredMail } from "@/lib/platform/mail/mailbox";
import { MailboxInput, type MailboxMail, type MailboxPage } from "./contract";

/**
 * A page of the local mailbox, newest first, of one address when the query has `to`; null without a mailbox. Invalid
 * values of the query count as absent.
 */
export async function findMailboxPage(query: Record<string, unknown>): Promise<MailboxPage | null> {
  if (!hasMailbox()) return null;
  const input = MailboxInput.parse(query);
  const { mails, total } = await readMailbox(input);
  return { mails: mails.map(toMailboxMail), total, ...input };
}

/** The emails of `findMailboxPage`; null without a mailbox. */
export async function findMailboxMails(
  to?: string,
  { page, size }: { page?: unknown; size?: unknown } = {},
): Promise<MailboxMail[] | null> {
  return (await findMailboxPage({ to, page, size }))?.mails ?? null;
}

export async function findMailboxMail(id: string): Promise<MailboxMail | null> {
  const mail = hasMailbox() ? await findMail(id) : null; // an email's id is its idempotency key
  return mail && toMailboxMail(mail);
}

function toMailboxMail({ id, at, to, subject, text, html, headers, tags }: StoredMail): MailboxMail {
  return { id, at, to, subject, text, html, headers, event: tags.event ?? "", locale: tags.locale ?? "" };
}
