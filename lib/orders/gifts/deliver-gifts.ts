import { eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { gifts } from "@/db/schema/orders";
import { warnedSql } from "@/lib/delivery/library/key-state-sql";
import { isWithinMailBudget } from "@/lib/notifications/take-mail-budget";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { log } from "@/lib/platform/log";
import { findGift, type GiftJson } from "./find-gift";
import { listCodeIds } from "./record-gift-events";
import { GIFT_RETRY_MINUTES } from "./rules";
import { returnGift } from "./save-gift";
import { sendLink } from "./send-gift-link";

const BATCH = 200;
const RUN_MS = 20_000;

/** SQL: the gift `g` of an order `o` is to be sent, or to be returned. */
const TO_SEND = sql`g.state = 'scheduled' and g.send_at <= shop_now() and o.status in ('shipped', 'completed')`;
const TO_RETURN = sql`g.state = 'sent' and g.claim_until <= shop_now()`;
/** SQL: no dispute of the order is open, and no early fraud warning; else it waits. */
const UNDISPUTED = sql`not exists (select from disputes d where d.order_id = o.id and d.is_open) and not ${warnedSql("o.id")}`;

/**
 * Every minute: sends the gifts whose day has come and whose codes are all delivered, and returns those that no one
 * claimed in time. A disputed order waits.
 */
export async function deliverGifts(): Promise<void> {
  const deadline = Date.now() + RUN_MS;
  for (const [where, handle] of [
    [TO_SEND, sendDueGift],
    [TO_RETURN, returnOverdueGift],
  ] as const) {
    const rows = await db.execute<{ orderId: string }>(sql`
      select o.id as "orderId" from gifts g join orders o on o.id = g.order_id
      where ${where} and ${UNDISPUTED} order by coalesce(g.claim_until, g.send_at) limit ${BATCH}`);
    for (const { orderId } of rows) {
      if (Date.now() > deadline) return;
      await processGift(orderId, where, handle).catch((error: unknown) =>
        log.warn({ err: error, orderId }, "a gift could not be processed"),
      );
    }
  }
}

/** Sends the gift of an order if it is due. */
export const deliverGift = (orderId: string): Promise<void> => processGift(orderId, TO_SEND, sendDueGift);

type GiftStep = (tx: Tx, order: LockedOrder, gift: GiftJson) => Promise<void>;

/** Does nothing when the gift was changed, claimed, refunded or disputed since it was found. */
async function processGift(orderId: string, where: SQL, handle: GiftStep): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const due = await tx.execute(sql`
      select 1 from gifts g join orders o on o.id = g.order_id where o.id = ${orderId} and ${where} and ${UNDISPUTED}`);
    const gift = due.length > 0 ? await findGift(tx, orderId) : null;
    if (order && gift) await handle(tx, order, gift);
  });
}

/** An unpaid gift is deleted this long after its order was cancelled: a late payment may still bring it back until then. */
const ABANDONED_DAYS = 30;

/** Every night: deletes the gifts of cancelled orders, with their recipients' addresses. */
export async function deleteAbandonedGifts(): Promise<void> {
  await db.execute(sql`
    delete from gifts g using orders o where o.id = g.order_id and g.state = 'scheduled' and o.status = 'cancelled'
      and o.cancelled_at < shop_now() - make_interval(days => ${ABANDONED_DAYS})`);
}

/** An email above the limits on emails to unverified addresses waits. */
async function sendDueGift(tx: Tx, order: LockedOrder, gift: GiftJson): Promise<void> {
  const to = gift.recipient_email;
  if (to === null || (await listCodeIds(tx, order.id)).length === 0) return postpone(tx, gift);
  if (!(await isWithinMailBudget(tx, { userId: order.userId }, to))) return postpone(tx, gift);
  await sendLink(tx, order, { id: gift.id, to, first: true }, "shop");
}

const postpone = async (tx: Tx, gift: GiftJson): Promise<void> => {
  const sendAt = sql`shop_now() + make_interval(mins => ${GIFT_RETRY_MINUTES})`;
  await tx.update(gifts).set({ sendAt }).where(eq(gifts.id, gift.id));
};

/** Tells the giver, unless nothing is left of the order or its account is deleted. */
async function returnOverdueGift(tx: Tx, order: LockedOrder, gift: GiftJson): Promise<void> {
  await returnGift(tx, order, gift, "shop");
  const [giver] = await tx.execute<{ deleted: boolean }>(sql`
    select deleted_at is not null as deleted from users where id = ${order.userId}`);
  if (!giver?.deleted && (await listCodeIds(tx, order.id)).length > 0)
    await queueOrderMail(tx, order, "gift-returned", { orderId: order.id }, `gift-returned:${gift.id}`);
}
