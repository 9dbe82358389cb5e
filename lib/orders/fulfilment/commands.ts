import { inArray, sql } from "drizzle-orm";
import { client, db, statements, type Tx, transaction } from "@/db/client";
import { orderLines } from "@/db/schema/orders";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { assignReservedKeys, openReveal, recordReveal, reserveKeys } from "@/lib/delivery/commands";
import type { RevealedKey, RevealKeyInput } from "@/lib/delivery/contract";
import { journalKeys, type Unjournaled } from "@/lib/delivery/journal/commands";
import {
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  disputedSql,
  frozenLineSql,
  mailsCodesSql,
  refundRequestedSql,
} from "@/lib/delivery/library/queries";
import { STOCK_DEADLINE_HOURS } from "@/lib/delivery/rules";
import { takeMailBudget } from "@/lib/notifications/take-mail-budget";
import type { OrderRef } from "@/lib/orders/contract";
import { AssignKeys, AssignWaitingOrders, DeliverGift } from "@/lib/orders/contract-jobs";
import { queueOrderMail } from "@/lib/orders/emails/commands";
import type { ResendView } from "@/lib/orders/refunds/contract";
import { type OrderStatus, RESENDS_PER_HOUR } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/commands";
import { type LockedOrder, lockOrder, transition } from "@/lib/orders/status/commands";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { takeRateLimit } from "@/lib/platform/rate-limit";

type UnfinishedLine = {
  lineId: string;
  planId: number;
  /** units that are neither reserved nor assigned */
  missing: number;
  refundRequested: boolean;
  disputed: boolean;
  mailsCodes: boolean;
};

/**
 * Assigns keys to a paid order: its reserved keys, and stock for the waiting units. A complete order becomes shipped. An
 * incomplete one becomes processing, with a deadline and an email (docs/reliability.md#orders). A disputed order waits for
 * the end of its dispute. Safe to repeat.
 */
export async function assignOrder(tx: Tx, order: LockedOrder): Promise<OrderStatus> {
  if (order.status !== "paid" && order.status !== "processing") return order.status;
  const unfinished = await readUnfinishedLines(tx, order.id);
  if (unfinished.some((line) => line.disputed)) return order.status;
  const hasReserved = await reserveMissingUnits(tx, order.id, unfinished);
  const lines = hasReserved ? await readUnfinishedLines(tx, order.id) : unfinished;
  const lineIds = lines.map((line) => line.lineId);
  const keys = await assignReservedKeys(tx, lineIds);
  const waiting = lines.filter((line) => line.missing > 0);
  const completeIds = lines.filter((line) => line.missing <= 0).map((line) => line.lineId);
  await queueKeysEmail(tx, order, lines, keys);
  if (completeIds.length > 0)
    await tx
      .update(orderLines)
      .set({ state: "assigned", deliverBy: null })
      .where(inArray(orderLines.id, completeIds));
  if (keys.length > 0) await recordSales(tx, order.id);
  if (waiting.length === 0) {
    await transition(tx, order, "assigned");
    // The codes of a gift are never mailed, so most orders need no look.
    if (!lines.some((line) => line.mailsCodes)) await enqueueGift(tx, order.id);
  }
  if (waiting.length > 0 && order.status === "paid") await markLinesWaiting(tx, order, waiting);
  return order.status;
}

function readUnfinishedLines(tx: Tx, orderId: string): Promise<UnfinishedLine[]> {
  return tx.execute<UnfinishedLine>(sql`
    select l.id as "lineId", l.plan_id as "planId",
      l.quantity - count(k.id) filter (where k.state in ('reserved', 'assigned'))::int as missing,
      ${refundRequestedSql("l")} as "refundRequested", ${disputedSql("l")} as disputed, ${mailsCodesSql("l")} as "mailsCodes"
    from order_lines l left join keys k on k.order_line_id = l.id
    where l.order_id = ${orderId} and l.state in ('reserved', 'waiting')
    group by l.id order by l.plan_id, l.id`);
}

/**
 * Reserves stock for missing units, except for lines with an open refund request. Returns false when none is missing.
 */
async function reserveMissingUnits(tx: Tx, orderId: string, lines: UnfinishedLine[]): Promise<boolean> {
  const missing = lines
    .filter((line) => line.missing > 0 && !line.refundRequested)
    .map(({ lineId, planId, missing: quantity }) => ({ lineId, planId, quantity }));
  if (missing.length === 0) return false;
  const owedPlanIds = await findPlansOwedToEarlierOrders(tx, orderId);
  const available = missing.filter((line) => !owedPlanIds.includes(line.planId));
  await reserveKeys(tx, available, "skip");
  return true;
}

/** Plans for which an earlier paid order waits that is not locked: their stock goes to that order first. */
async function findPlansOwedToEarlierOrders(tx: Tx, orderId: string): Promise<number[]> {
  const rows = await tx.execute<{ plan_id: number }>(sql`
    select distinct l.plan_id from orders this, order_lines l join orders o on o.id = l.order_id
    where this.id = ${orderId} and l.state = 'waiting' and o.status = 'processing'
      and not ${frozenLineSql("l")} and l.plan_id in (select plan_id from order_lines where order_id = ${orderId})
      and (o.paid_at, o.id) < (this.paid_at, this.id)`);
  return rows.map((row) => row.plan_id);
}

/** Queues the email with the codes; its `kept` reference names the keys that stay in the library. */
async function queueKeysEmail(
  tx: Tx,
  order: LockedOrder,
  lines: UnfinishedLine[],
  keys: { id: string; lineId: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  const sorted = [...keys].sort((a, b) => (a.id < b.id ? -1 : 1));
  const keptLineIds = lines.filter((line) => !line.mailsCodes).map((line) => line.lineId);
  const isKept = ({ lineId }: { lineId: string }) => keptLineIds.includes(lineId);
  const keptKeyIds = sorted.filter(isKept).map(({ id }) => id);
  const mailedKeyIds = sorted.filter((key) => !isKept(key)).map(({ id }) => id);
  const kept = keptKeyIds.length > 0 && { kept: keptKeyIds.join(",") };
  const refs = { orderId: order.id, keyIds: mailedKeyIds.join(","), ...kept };
  await queueOrderMail(tx, order, "keys", refs, `keys:${order.id}:${sorted[0]?.id}`);
}

/** Sets the delivery deadline; the full waiting time counts from now when the release date has passed. */
async function markLinesWaiting(tx: Tx, order: LockedOrder, waiting: UnfinishedLine[]): Promise<void> {
  const deadline = sql`shop_now() + make_interval(hours => ${STOCK_DEADLINE_HOURS})`;
  const ids = waiting.map((line) => line.lineId);
  await tx
    .update(orderLines)
    .set({ state: "waiting", deliverBy: sql`greatest(${orderLines.deliverBy}, ${deadline})` })
    .where(inArray(orderLines.id, ids));
  await transition(tx, order, "stock_short");
  await queueOrderMail(tx, order, "delay", { orderId: order.id }, `delay:${order.id}`);
}

/** Assigns keys after a payment; earlier paid orders of the same plans come first. */
export async function assignPaidOrder(orderId: string): Promise<void> {
  const awaitedPlans = await client()<{ plan_id: number }[]>`
    select distinct l.plan_id from order_lines l join order_lines w on w.plan_id = l.plan_id and w.order_id <> l.order_id
    where l.order_id = ${orderId} and l.state = 'reserved' and w.state = 'waiting'`;
  for (const { plan_id } of awaitedPlans) await assignWaitingOrders(plan_id);
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order) await assignOrder(tx, order);
  });
  await tryJournal({ orderId });
}

/** Assigns new stock of a plan to the waiting orders, first paid first. */
export async function assignWaitingOrders(planId: number): Promise<void> {
  const orders = await db.execute<{ id: string }>(sql`
    select o.id from orders o where o.status = 'processing'
      and exists (select from order_lines l where l.order_id = o.id and l.plan_id = ${planId} and l.state = 'waiting')
    order by o.paid_at, o.id`);
  for (const { id } of orders) {
    const hasStockLeft = await transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.waitingPlan}, ${planId})`);
      const order = await lockOrder(tx, id);
      if (order) await assignOrder(tx, order);
      const sellableKeys = await tx.execute(sql`
        select 1 from keys k where k.plan_id = ${planId} and ${sql.raw(SELLABLE_KEY)} limit 1`);
      return sellableKeys.length > 0;
    });
    await tryJournal({ orderId: id });
    if (!hasStockLeft) return;
  }
}

/**
 * Queues the assignment of new stock, in the transaction that adds it; one job per plan, with a lower
 * priority than the jobs of new payments.
 */
export async function enqueueAssignWaiting(tx: Tx, planIds: number[]): Promise<void> {
  // In the order of ids, because a job's row is locked until the commit.
  for (const planId of [...new Set(planIds)].sort((a, b) => a - b))
    await enqueue(tx, AssignWaitingOrders, { planId }, { jobKey: `waiting:${planId}`, priority: 10 });
}

/** Queues the email of a gift whose day has come; on a later day the job of every minute sends it. */
export async function enqueueGift(tx: Tx, orderId: string): Promise<void> {
  const due = await tx.execute(sql`
    select 1 from gifts where order_id = ${orderId} and state = 'scheduled' and send_at <= shop_now()`);
  if (due.length > 0) await enqueue(tx, DeliverGift, { orderId }, { jobKey: `gift:${orderId}` });
}

export async function enqueueAssign(tx: Tx, orderId: string): Promise<void> {
  await enqueue(tx, AssignKeys, { orderId }, { jobKey: `assign:${orderId}` });
}

/**
 * The codes of an order that may be mailed again: shown or mailed before to `ownerId`, neither refunded nor locked.
 * @throws ShopError key_unknown when nothing was delivered to the owner, code_unseen when no code was seen, key_frozen when
 * everything is locked
 */
async function findResendableKeys(tx: Tx, orderId: string, ownerId: string): Promise<string[]> {
  const keys = await tx.execute<{ id: string; assigned: boolean; seen: boolean; frozen: boolean }>(sql`
    select k.id, k.state = 'assigned' as assigned, ${CODE_SEEN_SQL} as seen, ${frozenLineSql("l")} as frozen
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where o.id = ${orderId} and ${CODE_OWNER_SQL} = ${ownerId} and k.state in ('assigned', 'quarantined') order by k.id`);
  const seen = keys.filter((key) => key.seen);
  const keyIds = seen.filter((key) => key.assigned && !key.frozen).map(({ id }) => id);
  if (keyIds.length > 0) return keyIds;
  if (seen.length > 0) throw new ShopError("key_frozen");
  throw new ShopError(keys.some((key) => key.assigned) ? "code_unseen" : "key_unknown");
}

/** Queues the email of these codes again, at most three times an hour. @throws ShopError too_many_requests */
async function queueResend(tx: Tx, order: LockedOrder, keyIds: string[]): Promise<ResendView> {
  const resends = { name: "order-resend", who: order.id, limit: RESENDS_PER_HOUR, seconds: 3600 };
  await takeRateLimit([resends], { within: tx });
  const refs = { orderId: order.id, keyIds: keyIds.join(","), again: 1 };
  await queueOrderMail(tx, order, "keys", refs, `keys-again:${newId("again")}`);
  return { order_id: order.id, send_email: order.sendEmail, sent: keyIds.length };
}

/**
 * Mails the codes of an order that were shown or mailed before again to the same address, at most three times an hour
 * (`/order/resend`, docs/product.md#75-orders-and-payment). Refunded codes and those with an open refund request are not
 * sent, nor codes of a gift.
 * @throws ShopError order_unknown, key_unknown when nothing was delivered to the buyer, code_unseen when no code was seen, key_frozen
 * when everything is locked, too_many_requests
 */
export async function resendKeys(viewer: UserViewer, input: OrderRef, ip?: string): Promise<ResendView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const keyIds = await findResendableKeys(tx, order.id, viewer.userId);
    const resent = await queueResend(tx, order, keyIds);
    if (!viewer.emailVerified) await takeMailBudget(tx, { userId: viewer.userId, ip }, order.sendEmail);
    return resent;
  });
}

/**
 * The same by staff for the buyer, to the order's delivery address.
 * @throws ShopError as `resendKeys`
 */
export async function resendKeysByStaff(viewer: StaffViewer, orderId: string): Promise<ResendView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new ShopError("order_unknown");
    const keyIds = await findResendableKeys(tx, order.id, order.userId);
    const resent = await queueResend(tx, order, keyIds);
    const detail = { sent: resent.sent, to: resent.send_email };
    await audit({ actor: viewer.userId, action: "order.resent", subject: order.id, detail }, tx);
    return resent;
  });
}

/**
 * Writes what was assigned to the journal at once. If that fails, the email and the page of the codes try it again before
 * they show one, and so does a job every minute.
 */
async function tryJournal(which: Unjournaled): Promise<void> {
  await journalKeys(which).catch((error: unknown) =>
    log.error({ err: error, ...which }, "the journal of assignments cannot be written: codes are held back"),
  );
}

/**
 * Shows a code to its owner (`/library/reveal`, docs/product.md#83-delivery), and completes the order with its last
 * unseen code. `locale`: the language in which the owner was asked for the consent.
 * @throws ShopError key_unknown, key_frozen, code_held_back while the journal cannot be written
 */
export async function revealKey(
  viewer: UserViewer,
  { library_id }: RevealKeyInput,
  locale: Locale = viewer.locale,
): Promise<RevealedKey> {
  await tryJournal({ keyIds: [library_id], ownerId: viewer.userId });
  const recorded = await transaction(async (tx) => {
    // Locks the order before its key, in the same order as a withdrawal.
    const [key] = await tx.execute<{ order_id: string }>(sql`
      select o.id as order_id from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
      where k.id = ${library_id} and ${CODE_OWNER_SQL} = ${viewer.userId}`);
    const order = key ? await lockOrder(tx, key.order_id) : null;
    const revealed = await recordReveal(tx, viewer, library_id, locale);
    await completeDelivered(tx, order);
    return revealed;
  });
  // After the commit, so that a process which is killed here leaves no code that was decrypted without a record of it.
  return openReveal(recorded);
}

/**
 * SQL: the code of a key `k` of a line `l` was neither mailed nor shown. In an order from before the delivery choice
 * existed, a code kept in the library counts as delivered.
 */
export const UNDELIVERED_CODE =
  "k.mailed_at is null and k.first_revealed_at is null and not (l.immediate_delivery is null and l.keep_in_library)";

/** Completes a shipped order whose codes were all mailed or shown. The order must be locked. */
export async function completeDelivered(tx: Tx, order: LockedOrder | null): Promise<void> {
  if (order?.status === "shipped" && !(await hasUndeliveredCodes(tx, order.id)))
    await transition(tx, order, "delivered");
}

async function hasUndeliveredCodes(tx: Tx, orderId: string): Promise<boolean> {
  const query = statements(tx);
  const undelivered = await query`
    select 1 from order_lines l join keys k on k.order_line_id = l.id and k.state = 'assigned'
    where l.order_id = ${orderId} and ${query.unsafe(UNDELIVERED_CODE)} limit 1`;
  return undelivered.length > 0;
}
