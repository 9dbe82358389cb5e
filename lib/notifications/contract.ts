import { z } from "zod";
import { ActorFields, EmailAddress, IntParam } from "@/lib/platform/api/fields";
import { MAIL_TOPICS, SUBSCRIPTION_TOPICS } from "./rules";

/** The job that sends one email; lib/notifications/jobs.ts defines it. */
export const SendMail = { name: "send-mail", schema: z.object({ mailId: z.string() }) };

/** An email of the local mailbox, as /dev/mailbox and /dev/mailbox.json show it. */
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

/** Emails on a page of the mailbox, at most and by default. */
export const MAILBOX_SIZE = 100;

/** The query of /dev/mailbox and /dev/mailbox.json. Invalid values count as absent. */
export const MailboxInput = z.object({
  to: z.string().trim().min(1).optional().catch(undefined),
  page: IntParam.min(1).max(1_000_000).catch(1),
  size: IntParam.min(1).max(MAILBOX_SIZE).catch(MAILBOX_SIZE),
});

/** A page of the mailbox: `total` counts all emails, those to `to` if given. */
export type MailboxPage = z.output<typeof MailboxInput> & { mails: MailboxMail[]; total: number };

/** `POST /subscription/create`. The response is the same for every address. */
export const SubscribeInput = z.object({
  email: EmailAddress,
  topic: z.enum(SUBSCRIPTION_TOPICS).default("discounts"),
});
export type SubscribeInput = z.output<typeof SubscribeInput>;

const Token = z.string().min(1).max(2000);
export const ConfirmInput = z.object({ token: Token });
export const SubscriptionView = z.object({ topic: z.enum(SUBSCRIPTION_TOPICS), email: z.string() });
export type SubscriptionView = z.output<typeof SubscriptionView>;

/** `POST /subscription/unsubscribe`: a link's token, or an address that receives such a link. */
export const UnsubscribeInput = z.object({
  token: Token.optional(),
  email: EmailAddress.optional(),
  /** all kinds of bulk email instead of the link's own */
  all: z.boolean().optional(),
  /** one-click unsubscribing of mail programs (RFC 8058) */
  "List-Unsubscribe": z.string().max(40).optional(),
});
export type UnsubscribeInput = z.output<typeof UnsubscribeInput>;
export const UnsubscribeQuery = z.object({ token: Token.optional() });
export const UnsubscribeView = z.object({
  /** `ended`: unsubscribed; `sent`: a link is mailed if the address receives bulk email */
  state: z.enum(["ended", "sent"]),
  topics: z.array(z.enum(MAIL_TOPICS)),
});
export type UnsubscribeView = z.output<typeof UnsubscribeView>;

/** `POST /wait-list/create`. */
export const JoinWaitListInput = z.object({
  user_id: ActorFields.user_id,
  vip_id: IntParam.min(1).max(2_147_483_647),
  email: EmailAddress.optional(),
});
export type JoinWaitListInput = z.output<typeof JoinWaitListInput>;
export const WaitListView = z.object({ wait_list_id: z.string(), vip_id: z.int(), email: z.string() });
export type WaitListView = z.output<typeof WaitListView>;

/** The job that queues one page of subscribers. */
export const SendDiscountAlert = {
  name: "send-discount-alert",
  schema: z.object({ day: z.string(), after: z.string() }),
};
