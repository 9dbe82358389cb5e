import { countMailbox, hasMailbox, readMailbox, type StoredMail } from "@/lib/platform/mail/mailbox";
import type { MailboxMail, MailboxPage } from "./contract";

const PAGE_SIZE = 100;

/** The newest emails of the local mailbox, of one address when `to` is given; null without a mailbox. */
export async function findMailboxPage(to = ""): Promise<MailboxPage | null> {
  if (!hasMailbox()) return null;
  const mails = (await readMailbox({ to: to || undefined, limit: PAGE_SIZE })).map(toMailboxMail);
  return { mails, total: await countMailbox(), to };
}

/** All stored emails, newest first, of one address when `to` is given; null without a mailbox. */
export async function findMailboxMails(to?: string): Promise<MailboxMail[] | null> {
  return hasMailbox() ? (await readMailbox({ to })).map(toMailboxMail) : null;
}

export async function findMailboxMail(id: string): Promise<MailboxMail | null> {
  const mails = await findMailboxMails();
  return mails?.find((mail) => mail.id === id) ?? null;
}

function toMailboxMail({ id, at, to, subject, text, html, headers, tags }: StoredMail): MailboxMail {
  return { id, at, to, subject, text, html, headers, event: tags.event ?? "", locale: tags.locale ?? "" };
}
