import { z } from "zod";

/** The job that sends one mail of the outbox; it runs in lib/notifications/jobs.ts. */
export const SendMail = { name: "send-mail", schema: z.object({ mailId: z.string() }) };

/** A mail of the local mailbox as /dev/mailbox and /dev/mailbox.json show it. */
export const MailboxMail = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()),
  event: z.string(),
  locale: z.string(),
});
export type MailboxMail = z.output<typeof MailboxMail>;

/** A page of the mailbox: `total` counts all stored mails, `mails` holds the newest. */
export type MailboxPage = { mails: MailboxMail[]; total: number; to: string };
