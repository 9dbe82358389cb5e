import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Db, db, shopNow, type Tx, transaction } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import type { MailProps } from "@/emails/render";
import { announceDeals, queueDiscountAlerts } from "@/lib/notifications/deals/announce-deals";
import { findDiscountAlert } from "@/lib/notifications/deals/find-discount-alert";
import { acceptsMail } from "@/lib/notifications/subscriptions/opt-outs";
import { awaitsConfirmation, confirmToken } from "@/lib/notifications/subscriptions/subscribe";
import { unsubscribeToken } from "@/lib/notifications/subscriptions/unsubscribe";
import { findWaitListMail } from "@/lib/notifications/wait-list/find-wait-list-mail";
import { notifyWaitList, returnToWaitList } from "@/lib/notifications/wait-list/notify-wait-list";
import { findWishlistMail } from "@/lib/notifications/wishlist/find-wishlist-mail";
import { notifyWishlists, readNews } from "@/lib/notifications/wishlist/notify-wishlists";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { sendMail, UndeliverableEmailError } from "@/lib/platform/mail/send";
import { errorSummary } from "@/lib/platform/serialize-error";
import { SendDiscountAlert, SendMail } from "./contract";
import { deleteOldMails } from "./delete-old-mails";
import type { MailRefs } from "./queue-mail";
import { requeueLostMails, retryDeferredMails } from "./requeue-mails";
import { BULK_MAILS, CONFIRM_DAYS, MAIL_ATTEMPTS, MAIL_EVENTS, type MailEvent } from "./rules";

type MailSource<E extends MailEvent> = {
  /** Loads the template's props from `refs`: equal refs give equal props. null: the email is obsolete and is not sent. */
  load(refs: MailRefs, locale: Locale): Promise<MailProps[E] | null>;
  /** The address for replies, when it is not the support's. */
  replyTo?(refs: MailRefs): Promise<string | undefined>;
  /**
   * Runs once the email was accepted, in the transaction that marks it sent. `props`: what it contained. Safe to repeat.
   */
  afterSent?(refs: MailRefs, tx: Tx, sent: { mail: MailRow; props: MailProps[E] }): Promise<void>;
  /** Runs once the email was dropped as obsolete. */
  afterDropped?(refs: MailRefs): Promise<void>;
};

const sources: { [E in MailEvent]?: MailSource<E> } = {};

/** Each noun registers its emails in its jobs file, because notifications imports no other noun. */
export function registerMail<E extends MailEvent>(event: E, source: MailSource<E>): void {
  if (sources[event]) throw new Error(`the mail ${event} is registered twice`);
  Object.assign(sources, { [event]: source });
}

/** Events without a registered source; their emails could not be sent. */
export const unregisteredMails = (): MailEvent[] => MAIL_EVENTS.filter((event) => !sources[event]);

/** Sends one queued email. Runs at least once; the email's id is the idempotency key. */
export const sendMailJob = defineJob({
  ...SendMail,
  async run({ mailId }) {
    const [mail] = await db.select().from(mails).where(eq(mails.id, mailId));
    if (mail?.state !== "queued") return;
    try {
      await deliver(mail);
    } catch (error) {
      if (await recordFailure(mail, error)) return;
      throw error; // the queue retries with growing pauses
    }
  },
});

/** Every minute: requeues emails without a job, and retries emails after an outage. */
export const sweepMailsJob = defineJob({
  name: "sweep-mails",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    const requeued = await requeueLostMails();
    if (requeued.length > 0) log.warn({ mails: requeued }, "emails without a job requeued");
    const retried = await retryDeferredMails();
    if (retried > 0) log.info({ mails: retried }, "emails that failed during an outage are retried");
  },
});

/** Every minute: notifies the wait-lists of restocked plans. */
export const notifyWaitListJob = defineJob({
  name: "notify-wait-list",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await notifyWaitList();
  },
});

/** Every minute: announces new deals to subscribers. */
export const announceDealsJob = defineJob({
  name: "announce-deals",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await announceDeals();
  },
});

/** Every hour: tells owners of wishlists about price drops and products that are back. */
export const notifyWishlistsJob = defineJob({
  name: "notify-wishlists",
  schema: z.unknown(),
  cron: "13 * * * *",
  async run() {
    await notifyWishlists();
  },
});

export const sendDiscountAlertJob = defineJob({
  ...SendDiscountAlert,
  async run(page) {
    await queueDiscountAlerts(page);
  },
});

registerMail("subscription-confirm", {
  async load({ subscriptionId, asked }) {
    const id = String(subscriptionId);
    const requestedAt = Number(asked);
    return (await awaitsConfirmation(id, requestedAt))
      ? { token: confirmToken(id, requestedAt), days: CONFIRM_DAYS }
      : null;
  },
});
registerMail("unsubscribe-link", {
  load: async ({ email }) => ({ token: unsubscribeToken(String(email), "all") }),
});
registerMail("discount-alert", {
  async load({ subscriptionId }, locale) {
    const deals = await findDiscountAlert(String(subscriptionId), locale);
    return deals && { deals };
  },
});
registerMail("wait-list", {
  async load({ waitListId }, locale) {
    const mail = await findWaitListMail(String(waitListId), locale);
    if (!mail) await returnToWaitList(String(waitListId));
    return mail;
  },
});
registerMail("wishlist", {
  load: ({ userId, news }, locale) => findWishlistMail(String(userId), readNews(String(news)), locale),
});

/** Every night: deletes old emails. */
export const deleteOldMailsJob = defineJob({
  name: "delete-old-mails",
  schema: z.unknown(),
  cron: "37 3 * * *",
  async run() {
    const deleted = await deleteOldMails();
    if (deleted > 0) log.info({ mails: deleted }, "old emails deleted");
  },
});

/** The email is no longer needed, for example because the code was used or the order paid. Not a failure. */
class ObsoleteMailError extends Error {
  override name = "ObsoleteMailError";
}

type MailRow = typeof mails.$inferSelect;

async function deliver(mail: MailRow): Promise<void> {
  const event = MAIL_EVENTS.find((candidate) => candidate === mail.event);
  if (!event) throw new UndeliverableEmailError("unknown email event");
  const locale = isLocale(mail.locale) ? mail.locale : DEFAULT_LOCALE;
  const topic = BULK_MAILS[event];
  const token = topic && unsubscribeToken(mail.toAddress, topic);
  if (topic && !(await acceptsMail(mail.toAddress, topic)))
    throw new ObsoleteMailError("the recipient has unsubscribed");
  const prepared = await prepareMail(event, mail, locale, token);
  await sendMail({
    ...prepared.rendered,
    id: mail.id,
    to: mail.toAddress,
    headers: {
      "Content-Language": locale,
      "Auto-Submitted": "auto-generated",
      "X-Entity-Ref-ID": mail.id,
      ...(token && unsubscribeHeaders(token)),
    },
    replyTo: await sources[event]?.replyTo?.(mail.refs),
    tags: { event, locale },
    idempotencyKey: mail.id,
  });
  const { afterSent } = prepared;
  if (!afterSent) await markSent(db, mail.id);
  else
    await transaction(async (tx) => {
      if (await markSent(tx, mail.id)) await afterSent(tx);
    });
}

/** Returns false when the email was not queued any more. */
async function markSent(tx: Db, mailId: string): Promise<boolean> {
  const rows = await tx
    .update(mails)
    .set({ state: "sent", sentAt: shopNow, lastError: null })
    .where(and(eq(mails.id, mailId), eq(mails.state, "queued")))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/** Headers for one-click unsubscribing (RFC 8058). */
const unsubscribeHeaders = (token: string) => ({
  "List-Unsubscribe": `<${env().APP_URL}/api/v1/subscription/unsubscribe?token=${encodeURIComponent(token)}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/**
 * Loaded with the first email, so that routes that only queue email do not bundle the renderer, and kept: the worker's loader
 * takes half a millisecond for each import().
 */
let renderer: Promise<typeof import("@/emails/render")> | undefined;

/** Renders an email from its references; `afterSent` is the source's, with what the email contains. */
async function prepareMail<E extends MailEvent>(event: E, mail: MailRow, locale: Locale, token?: string) {
  const source: MailSource<E> | undefined = sources[event];
  if (!source) throw new Error(`the mail ${event} is not registered`);
  const props = await source.load(mail.refs, locale);
  if (!props) throw new ObsoleteMailError("the email is no longer needed");
  renderer ??= import("@/emails/render");
  const { renderMail } = await renderer;
  const bulk = token ? { unsubscribePath: `/unsubscribe?token=${encodeURIComponent(token)}` } : undefined;
  const { afterSent } = source;
  const { timeZone, orderNumber } = mail;
  return {
    rendered: await renderMail(event, props, locale, undefined, { bulk, timeZone, orderNumber }),
    afterSent: afterSent && ((tx: Tx) => afterSent(mail.refs, tx, { mail, props })),
  };
}

/** Counts a failure; true when it was the last one and the email is marked failed or dropped. */
async function recordFailure({ id, event, refs }: MailRow, error: unknown): Promise<boolean> {
  const reason = errorSummary(error);
  const isObsolete = error instanceof ObsoleteMailError;
  const isFinal = isObsolete || error instanceof UndeliverableEmailError;
  const finalState = isObsolete ? "dropped" : "failed";
  const [row] = await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      lastError: reason,
      failedAt: shopNow,
      state: sql`case when ${isFinal} or ${mails.attempts} + 1 >= ${MAIL_ATTEMPTS} then ${finalState} else ${mails.state} end`,
    })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")))
    .returning({ state: mails.state });
  if (row?.state !== finalState) return false;
  if (isObsolete) {
    log.info({ mailId: id, event }, "email no longer needed");
    await sources[event as MailEvent]?.afterDropped?.(refs);
  } else log.error({ mailId: id, event, reason }, "email failed permanently");
  return true;
}
