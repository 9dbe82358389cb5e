import { z } from "zod";
import { MAIL_CODES, MAIL_EVENTS, MAIL_STATES } from "@/lib/notifications/rules";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, Days, EmailPrefix, listOf, NewestFirst } from "@/lib/platform/console/list";
import { foldOrderNumber } from "@/lib/platform/fold-text";

/** GET /admin/mails: newest first; with `email` by address, then newest first. */
export const ConsoleMailsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  /** the beginning of the recipient's address */
  email: EmailPrefix.optional(),
  state: z.enum(MAIL_STATES).optional(),
  event: z.enum(MAIL_EVENTS).optional(),
  order_number: z.string().overwrite(foldOrderNumber).min(1).max(40).optional(),
  ...Days,
});
export type ConsoleMailsInput = z.output<typeof ConsoleMailsInput>;

/** An email of the outbox. Its text is not kept. */
export const ConsoleMail = z.object({
  mail_id: z.string(),
  event: z.string(),
  /** for an email about codes: how many of them it contains; null: it is not about codes */
  codes: z.enum(MAIL_CODES).nullable(),
  to_address: z.string(),
  locale: z.string(),
  order_number: z.string().nullable(),
  state: z.enum(MAIL_STATES),
  attempts: z.int(),
  last_error: z.string().nullable(),
  created_at: Instant,
  sent_at: Instant.nullable(),
});
export type ConsoleMail = z.output<typeof ConsoleMail>;
export const ConsoleMailList = listOf(ConsoleMail);
export type ConsoleMailList = z.output<typeof ConsoleMailList>;
