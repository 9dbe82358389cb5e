import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import {
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  frozenLineSql,
  mailsCodesSql,
  warnedSql,
} from "@/lib/delivery/library/key-state-sql";
import type { MailSentAgain } from "@/lib/notifications/console/contract-again";
import { isRepeatableMail, MAILS_AGAIN_PER_HOUR } from "@/lib/notifications/console/rules";
import { type MailRefs, queueMail } from "@/lib/notifications/queue-mail";
import { repeatFailedMail } from "@/lib/notifications/repeat-failed-mail";
import { takeRecipientBudget } from "@/lib/notifications/take-mail-budget";
import { findDisputeState } from "@/lib/orders/disputes/find-dispute-state";
import { RESENDS_PER_HOUR } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { type Counter, takeRateLimit } from "@/lib/platform/rate-limit";

const HOUR = 3600;
/** Addresses of deleted accounts (lib/accounts/erasure). */
const ERASED = "@deleted.invalid";

type MailRow = typeof mails.$inferSelect;
/** What is sent again: where to, and the references that its content is read from. */
type Repeat = { to: string; refs: MailRefs };

/**
 * Sends an email again that was sent or has failed. A failed one is queued again; a sent one is written once more,
 * unless such a second one is waiting. One with codes is sent to the owner's present address, and only with codes that
 * were shown or mailed before or whose first email this is; never while they are locked, nor once they were replaced,
 * refunded or given away.
 * @throws ShopError mail_unknown, mail_waiting, mail_not_repeatable, mail_codes_gone, key_frozen, code_unrevealed,
 * gift_disputed, too_many_requests
 */
export async function sendMailAgain({ userId }: StaffViewer, mailId: string): Promise<MailSentAgain> {
  return transaction(async (tx) => {
    const [found] = await tx.execute<{ orderId: string | null }>(sql`
      select coalesce(m.refs->>'orderId', (select o.id from orders o where o.order_number = m.order_number)) as "orderId"
      from mails m where m.id = ${mailId}`);
    if (!found) throw new ShopError("mail_unknown");
    // Locks the order before its email, in the same order as a change of the delivery address.
    const order = found.orderId === null ? null : await lockOrder(tx, found.orderId);
    const [mail] = await tx.select().from(mails).where(eq(mails.id, mailId)).for("update");
    if (!mail) throw new ShopError("mail_unknown");
    if (mail.state === "queued" || (await hasWaitingRepeat(tx, mailId))) throw new ShopError("mail_waiting");
    if (!isRepeatableMail(mail)) throw new ShopError("mail_not_repeatable");
    const repeat = await findRepeat(tx, mail, order);
    if (repeat.to.endsWith(ERASED)) throw new ShopError("mail_not_repeatable");
    await takeBudget(tx, mail, order, repeat.to);
    const id =
      mail.state === "failed"
        ? await repeatFailedMail(tx, mailId, repeat)
        : await copy(tx, mail, order, repeat);
    const detail = { event: mail.event, mail_id: id };
    await audit({ actor: userId, action: "mail.again", subject: mailId, detail }, tx);
    return { mail_id: id, to_address: repeat.to, state: "queued" };
  });
}

/** Whether an earlier press has written this email again, and that one is not sent yet. */
async function hasWaitingRepeat(tx: Tx, mailId: string): Promise<boolean> {
  const [waiting] = await tx.execute(sql`
    select 1 from audit_entries a join mails m on m.id = a.detail->>'mail_id'
    where a.subject = ${mailId} and a.action = 'mail.again' and m.state = 'queued' limit 1`);
  return waiting !== undefined;
}

async function copy(tx: Tx, mail: MailRow, order: LockedOrder | null, { to, refs }: Repeat): Promise<string> {
  const [earlier] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from audit_entries where subject = ${mail.id} and action = 'mail.again'`);
  const { event, locale, timeZone, orderNumber } = mail;
  const id = await queueMail(tx, {
    event: event as Parameters<typeof queueMail>[1]["event"],
    to,
    locale,
    // An email about a gift does not name the order of its giver.
    ...(orderNumber && order && { orderId: order.id }),
    ...(timeZone && { timeZone }),
    refs,
    dedupeKey: `again:${mail.id}:${earlier!.n + 1}`,
  });
  // The row of the email is locked and its repeats are counted, so the key is new.
  if (!id) throw new Error(`the email ${mail.id} was repeated at the same time`);
  return id;
}

async function findRepeat(tx: Tx, mail: MailRow, order: LockedOrder | null): Promise<Repeat> {
  if (mail.event === "keys") return findCodes(tx, mail, order);
  if (mail.event === "gift") return findGift(tx, mail, order);
  return { to: await presentAddress(tx, mail, order), refs: mail.refs };
}

/** What went to an address that the order had before goes to its present one, as what waited at the change does. */
async function presentAddress(
  tx: Tx,
  { event, toAddress, orderNumber }: MailRow,
  order: LockedOrder | null,
): Promise<string> {
  if (!order || orderNumber === null || event === "email-changed") return toAddress;
  const [left] = await tx.execute(sql`
    select 1 from mails where order_number = ${orderNumber} and event = 'email-changed'
      and lower(to_address) = lower(${toAddress}) limit 1`);
  return left ? order.sendEmail : toAddress;
}

type CodeRow = { id: string; sendable: boolean; owner: string | null };

/** The codes of an email that can be mailed now, to their owner. */
async function findCodes(tx: Tx, mail: MailRow, order: LockedOrder | null): Promise<Repeat> {
  if (!order) throw new ShopError("mail_not_repeatable");
  const split = (ids: unknown) =>
    String(ids ?? "")
      .split(",")
      .filter(Boolean);
  const [mailed, kept] = [split(mail.refs.keyIds), split(mail.refs.kept)];
  const rows = await tx.execute<CodeRow & { assigned: boolean; usable: boolean }>(sql`
    select k.id, k.state = 'assigned' as assigned, k.state = 'assigned' and not ${frozenLineSql("l")} and not ${warnedSql("o.id")} as usable, ${CODE_SEEN_SQL} or ${mailsCodesSql("l")} as sendable,
      (select u.email from users u where u.id = ${CODE_OWNER_SQL} and u.id <> o.user_id) as owner
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where o.id = ${order.id} and k.id = any(${sql.param([...mailed, ...kept])}::text[])
      and ${CODE_OWNER_SQL} <> '' order by k.id`);
  const usable = rows.filter((row) => row.usable);
  if (!rows.some(({ assigned }) => assigned)) throw new ShopError("mail_codes_gone");
  if (usable.length === 0 || (await findDisputeState(tx, order.id))) throw new ShopError("key_frozen");
  const ids = (from: readonly string[]) => usable.filter(({ id }) => from.includes(id));
  const sendable = ids(mailed).filter((row) => row.sendable);
  if (sendable.length === 0 && kept.length === 0) throw new ShopError("code_unrevealed");
  const list = (keys: readonly { id: string }[]) => keys.map(({ id }) => id).join(",");
  const keptNow = list(ids(kept));
  const { again, kept: _kept, ...refs } = mail.refs;
  const isFirst = mail.state === "failed" && again === undefined;
  return {
    to: usable[0]!.owner ?? order.sendEmail,
    refs: {
      ...refs,
      keyIds: list(sendable),
      ...(keptNow && { kept: keptNow }),
      // The first email of its codes stays the first one.
      ...(!isFirst && { again: 1 }),
    },
  };
}

/** The email with the link of a gift, while the gift waits for the same recipient. */
async function findGift(tx: Tx, mail: MailRow, order: LockedOrder | null): Promise<Repeat> {
  if (order && (await findDisputeState(tx, order.id))) throw new ShopError("gift_disputed");
  const [gift] = await tx.execute<{ to: string }>(sql`
    select recipient_email as "to" from gifts where id = ${String(mail.refs.giftId)} and serial = ${Number(mail.refs.serial)}
      and state = 'sent' and lower(recipient_email) = lower(${mail.toAddress}) and claim_until > shop_now()`);
  if (!gift) throw new ShopError("mail_not_repeatable");
  // The secret that verifies the address stands in the first email alone.
  const { first: _, ...refs } = mail.refs;
  return { to: gift.to, refs };
}

/** Limits on repeats: of this email, of an order's codes together with its buyer's own requests, and of the mailbox. */
async function takeBudget(tx: Tx, mail: MailRow, order: LockedOrder | null, to: string): Promise<void> {
  const counters: Counter[] = [
    { name: "mail-again", who: mail.id, limit: MAILS_AGAIN_PER_HOUR, seconds: HOUR },
  ];
  if (mail.event === "keys" && order)
    counters.push({ name: "order-resend", who: order.id, limit: RESENDS_PER_HOUR, seconds: HOUR });
  await takeRateLimit(counters, { within: tx });
  const [verified] = await tx.execute(
    sql`select 1 from users where lower(email) = lower(${to}) and email_verified_at is not null`,
  );
  if (!verified) await takeRecipientBudget(tx, to, "too_many_requests");
}
