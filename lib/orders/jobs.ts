import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db, shopNow, transaction } from "@/db/client";
import { payments, refunds } from "@/db/schema/payments";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { journalKeys } from "@/lib/delivery/journal/journal-keys";
import { hasMailableCodes } from "@/lib/delivery/library/has-mailable-codes";
import { disputedSql } from "@/lib/delivery/library/key-state-sql";
import { markKeysMailed } from "@/lib/delivery/mark-keys-mailed";
import { registerMail } from "@/lib/notifications/jobs";
import { requeueDroppedMails } from "@/lib/notifications/requeue-mails";
import type { MailEvent } from "@/lib/notifications/rules";
import { cancelRequestedOrder, expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import {
  findExpiringOrders,
  findHeldOrders,
  queueExpiryReminder,
  queueHeldMail,
} from "@/lib/orders/cancellation/mail-unpaid-orders";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import { keysMail } from "@/lib/orders/emails/keys-mail";
import { ORDER_MAILS, splitIds } from "@/lib/orders/emails/order-mails";
import { splitKeysMail } from "@/lib/orders/emails/split-keys-mail";
import { updateFraudWarning } from "@/lib/orders/fraud/update-fraud-warning";
import { updateReview } from "@/lib/orders/fraud/update-review";
import { assignPaidOrder, assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { completeDelivered, UNDELIVERED_CODE } from "@/lib/orders/fulfilment/complete-delivered";
import { enqueueAssign, enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { deleteAbandonedGifts, deliverGift, deliverGifts } from "@/lib/orders/gifts/deliver-gifts";
import { giftMail } from "@/lib/orders/gifts/gift-mails";
import { recountDayFigures, updateDayFigures } from "@/lib/orders/insight/update-day-figures";
import { settleAndAssign, settlePayment } from "@/lib/orders/payment/settle-payment";
import { updateRefunds } from "@/lib/orders/payment/update-refunds";
import { deleteOldHolds } from "@/lib/orders/placing/check-hold-limits";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { forgetReturners } from "@/lib/orders/returns/take-back-keys";
import { firstSaleMail } from "@/lib/orders/sales/first-sale-mail";
import { lacksAllSales, recordAllSales, recordMissingSales } from "@/lib/orders/sales/record-missing-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { checkVatIdsAgain } from "@/lib/orders/tax/check-vat-ids-again";
import { remindMerchants } from "@/lib/orders/vendor-confirmation/queue-vendor-confirmation";
import { vendorConfirmationMail } from "@/lib/orders/vendor-confirmation/vendor-confirmation-mail";
import { deleteOldDeclarations } from "@/lib/orders/withdrawal/delete-old-declarations";
import { withdrawalDeclaredMail } from "@/lib/orders/withdrawal/withdrawal-declared-mail";
import { markWebhookProcessed } from "@/lib/payments/store-webhook-event";
import { isShopError } from "@/lib/platform/errors";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import {
  AssignKeys,
  AssignWaitingOrders,
  DeliverGift,
  ReconcileWithProvider,
  SendRefund,
  SettlePayment,
  UpdateDispute,
  UpdateFraudWarning,
  UpdateRefunds,
  UpdateReview,
} from "./contract-jobs";
import { SWEEP_AFTER_SECONDS } from "./rules";

export const settlePaymentJob = defineJob({
  ...SettlePayment,
  pool: "orders",
  run: ({ intentId, eventId }) => settleAndAssign(intentId, eventId),
});

export const updateRefundsJob = defineJob({
  ...UpdateRefunds,
  pool: "orders",
  run: ({ intentId, eventId }) => updateRefunds(intentId, eventId),
});

export const updateDisputeJob = defineJob({
  ...UpdateDispute,
  pool: "orders",
  async run({ disputeId, eventId }) {
    await updateDispute(disputeId);
    await markWebhookProcessed(db, eventId);
  },
});

export const updateFraudWarningJob = defineJob({
  ...UpdateFraudWarning,
  pool: "orders",
  run: ({ warningId, eventId }) => updateFraudWarning(warningId, eventId),
});

export const updateReviewJob = defineJob({
  ...UpdateReview,
  pool: "orders",
  run: ({ reviewId, eventId }) => updateReview(reviewId, eventId),
});

/** Every hour: deletes what the limits on unpaid orders and on units returned unrevealed no longer count. */
export const deleteOldHoldsJob = defineJob({
  name: "delete-old-holds",
  schema: z.unknown(),
  cron: "37 * * * *",
  async run() {
    await deleteOldHolds();
    await forgetReturners();
  },
});

export const deliverGiftJob = defineJob({
  ...DeliverGift,
  run: ({ orderId }) => deliverGift(orderId),
});

/** Every minute: sends the gifts that are due, and returns those that no one claimed. */
export const deliverGiftsJob = defineJob({
  name: "deliver-gifts",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await deliverGifts();
  },
});

/** Every night: deletes the gifts of orders that were never paid. */
export const deleteAbandonedGiftsJob = defineJob({
  name: "delete-abandoned-gifts",
  schema: z.unknown(),
  cron: "41 3 * * *",
  async run() {
    await deleteAbandonedGifts();
  },
});

/** Every night. */
export const deleteOldDeclarationsJob = defineJob({
  name: "delete-old-declarations",
  schema: z.unknown(),
  cron: "43 3 * * *",
  run: deleteOldDeclarations,
});

/** Once a day at a quiet hour: compares the records of the last days with the provider's. */
export const reconcileWithProviderJob = defineJob({
  ...ReconcileWithProvider,
  cron: "23 4 * * *",
  async run() {
    await reconcileWithProvider();
  },
});

/** Every ten minutes: the figures of the running day and the one before, for charts. */
export const updateDayFiguresJob = defineJob({
  name: "update-day-figures",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    await updateDayFigures();
  },
});

/** Every night: counts the figures of the last weeks again. */
export const recountDayFiguresJob = defineJob({
  name: "recount-day-figures",
  schema: z.unknown(),
  cron: "41 3 * * *",
  async run() {
    const differences = await recountDayFigures();
    if (differences.length > 0) log.error({ differences }, "daily figures differ from the recount");
  },
});

/** Every ten minutes: writes all merchant sales if there are none yet, and books those that the ledger lacks. */
export const recordFirstSalesJob = defineJob({
  name: "record-first-sales",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    if (await lacksAllSales()) await recordAllSales();
  },
});

/** Every night: writes sales that are missing of the last weeks. */
export const recordMissingSalesJob = defineJob({
  name: "record-missing-sales",
  schema: z.unknown(),
  cron: "53 3 * * *",
  async run() {
    const orders = await recordMissingSales();
    if (orders > 0) log.warn({ orders }, "missing merchant sales were written");
  },
});

export const assignKeysJob = defineJob({
  ...AssignKeys,
  pool: "orders",
  run: ({ orderId }) => assignPaidOrder(orderId),
});
export const assignWaitingJob = defineJob({
  ...AssignWaitingOrders,
  pool: "orders",
  run: ({ planId }) => assignWaitingOrders(planId),
});
export const sendRefundJob = defineJob({
  ...SendRefund,
  pool: "orders",
  run: ({ refundId, providerId }) => sendRefund(refundId, providerId),
});

/**
 * Every minute: finishes work that waits longer than it should (docs/reliability.md#orders). Each part is independent
 * and limited in time; a part stops when the provider does not respond and continues in the next minute.
 */
export const sweepJob = defineJob({
  name: "sweep-orders",
  pool: "orders",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    for (const part of [
      sweepAssignments,
      sweepDeliveries,
      // Before sweepHolds, which sets `updated_at` of the payments it looks at: otherwise none of them would ever be overdue.
      sweepPayments,
      sweepHolds,
      sweepCancellations,
      sweepReminders,
      sweepHeldMails,
      sweepRequests,
      sweepRefunds,
      startOrderMonth,
    ])
      await part().catch((error: unknown) => log.error({ err: error, part: part.name }, "sweep failed"));
  },
});

const BATCH_SIZE = 200;
const PART_TIMEOUT_MS = 12_000;
/** SQL: what was last touched before this moment is overdue. */
const OVERDUE = sql`shop_now() - make_interval(secs => ${SWEEP_AFTER_SECONDS})`;

/**
 * Processes rows for at most PART_TIMEOUT_MS. `onFailure` moves a failed row to the end of the next batch, so that it
 * does not block the others.
 */
async function processRows<T>(
  rows: T[],
  handle: (row: T) => Promise<unknown>,
  onFailure?: (row: T) => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + PART_TIMEOUT_MS;
  for (const row of rows) {
    if (Date.now() > deadline) return;
    try {
      await handle(row);
    } catch (error) {
      log.warn({ err: error, row }, "sweeping a row failed");
      await onFailure?.(row);
      if (isProviderError(error, "unavailable") || isShopError(error, "provider_unavailable")) return;
    }
  }
}

/** Starts the next month's order numbers before its first order, whose transaction would block the others. */
async function startOrderMonth(): Promise<void> {
  await db.execute(sql`select start_order_month(shop_now() + interval '2 minutes')`);
}

/** Settles payments whose webhook event has not arrived. */
async function sweepPayments(): Promise<void> {
  const rows = await db.execute<{ intentId: string }>(sql`
    select intent_id as "intentId" from payments where state not in ('succeeded', 'canceled') and intent_id is not null
      and updated_at < ${OVERDUE} order by updated_at limit ${BATCH_SIZE}`);
  await processRows(
    rows,
    (row) => settlePayment(row.intentId),
    (row) => db.update(payments).set({ updatedAt: shopNow }).where(eq(payments.intentId, row.intentId)),
  );
}

const touchPayments = ({ id }: { id: string }) =>
  db.execute(sql`update payments set updated_at = shop_now() where order_id = ${id} and state <> 'canceled'`);

/** Expires unpaid orders whose hold has ended; those with a payment in progress are checked less often. */
async function sweepHolds(): Promise<void> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from orders o where status in ('pending', 'processingPayment') and hold_ends_at <= shop_now()
      and not exists (select 1 from payments p where p.order_id = o.id and p.state in ('processing', 'succeeded')
        and p.updated_at >= ${OVERDUE})
    order by hold_ends_at limit ${BATCH_SIZE}`);
  await processRows(
    rows,
    async (row) => {
      await expireOrder(row.id);
      await touchPayments(row);
    },
    touchPayments,
  );
}

/** Cancels orders whose buyers cancelled during a payment that has failed since. */
async function sweepCancellations(): Promise<void> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from orders o where status = 'pending' and cancel_requested_at is not null
    order by (select max(p.updated_at) from payments p where p.order_id = o.id and p.state <> 'canceled') nulls first
    limit ${BATCH_SIZE}`);
  await processRows(rows, (row) => cancelRequestedOrder(row.id), touchPayments);
}

/** Emails about unpaid orders are found by a query, because most orders are paid before theirs is due. */
async function sweepUnpaid(
  find: (limit: number) => Promise<{ id: string }[]>,
  queue: (orderId: string) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + PART_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const rows = await find(BATCH_SIZE);
    await processRows(rows, (row) => queue(row.id));
    if (rows.length < BATCH_SIZE) return;
  }
}

const sweepReminders = () => sweepUnpaid(findExpiringOrders, queueExpiryReminder);
const sweepHeldMails = () => sweepUnpaid(findHeldOrders, queueHeldMail);

async function sweepAssignments(): Promise<void> {
  const paidOrders = await db.execute<{ id: string }>(sql`
    select id from orders where status = 'paid' and paid_at < ${OVERDUE}
      and not exists (select from disputes d where d.order_id = orders.id and d.is_open) order by paid_at limit ${BATCH_SIZE}`);
  await processRows(paidOrders, (row) => transaction((tx) => enqueueAssign(tx, row.id)));
  const plans = await db.execute<{ plan_id: number }>(sql`
    select distinct l.plan_id from order_lines l where l.state = 'waiting'
      and exists (select 1 from keys k where k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}) limit ${BATCH_SIZE}`);
  const planIds = plans.map((row) => row.plan_id);
  await transaction((tx) => enqueueAssignWaiting(tx, planIds));
  const overdueOrders = await db.execute<{ orderId: string }>(sql`
    select distinct l.order_id as "orderId" from order_lines l
    where l.state = 'waiting' and l.deliver_by <= shop_now() and not ${disputedSql("l")} limit ${BATCH_SIZE}`);
  await processRows(overdueOrders, (row) => refundOverdueLines(row.orderId));
}

/**
 * Shipped orders that one run looks at; the next one continues after them. Codes that stay unrevealed by choice stay
 * for years.
 */
const SHIPPED_AT_ONCE = 1000;

/** Shipped orders whose keys were seen in the library count as delivered, even when their email cannot be sent. */
async function sweepDeliveries(): Promise<void> {
  const after = (await readProgress("sweep-deliveries")) ?? "";
  const rows = await db.execute<{ id: string; delivered: boolean }>(sql`
    select o.id, not exists (
      select 1 from order_lines l join keys k on k.order_line_id = l.id and k.state = 'assigned'
      where l.order_id = o.id and ${sql.raw(UNDELIVERED_CODE)}) as delivered
    from (select id from orders where status = 'shipped' and id > ${after} order by id limit ${SHIPPED_AT_ONCE}) o order by o.id`);
  await processRows(
    rows.filter(({ delivered }) => delivered),
    (row) => transaction(async (tx) => completeDelivered(tx, await lockOrder(tx, row.id))),
  );
  const place = rows.length < SHIPPED_AT_ONCE ? "" : rows.at(-1)!.id;
  if (place !== after) await writeProgress("sweep-deliveries", place);
}

/** Approves refund requests whose vendor did not answer in time, unless the payment is disputed; reminds merchants before. */
async function sweepRequests(): Promise<void> {
  const rows = await db.execute<{ id: string }>(sql`
    select q.id from refund_requests q join order_lines l on l.id = q.order_line_id
    where q.state = 'asked' and q.stated_country is null and q.answer_by <= shop_now() and not ${disputedSql("l")} order by q.answer_by limit ${BATCH_SIZE}`);
  await processRows(rows, (row) => decideRefundRequest(row.id, { decision: "approved", by: "deadline" }));
  await remindMerchants(BATCH_SIZE);
}

/** Sends or checks overdue refunds. An unsent one of a disputed payment waits for the end of the dispute. */
async function sweepRefunds(): Promise<void> {
  const rows = await db.execute<{ id: string }>(sql`
    select r.id from refunds r join orders o on o.id = r.order_id
    where r.state in ('pending', 'submitted') and r.updated_at < ${OVERDUE}
      and not (r.provider_id is null and exists (select from disputes d
        where d.intent_id = coalesce(r.intent_id, o.transaction_id) and d.is_open))
    order by r.updated_at limit ${BATCH_SIZE}`);
  await processRows(
    rows,
    (row) => sendRefund(row.id),
    // A call without an answer has set the time of the next attempt.
    (row) =>
      db
        .update(refunds)
        .set({ updatedAt: sql`greatest(${refunds.updatedAt}, shop_now())` })
        .where(eq(refunds.id, row.id)),
  );
}

registerMail("keys", {
  async load({ orderId, keyIds, kept, claimed }, locale) {
    // Without its line in the journal no code is mailed; the queue tries again.
    await journalKeys({ keyIds: [...splitIds(keyIds), ...splitIds(kept)] });
    return keysMail(String(orderId), splitIds(keyIds), locale, splitIds(kept), Boolean(claimed));
  },
  async afterSent({ orderId, keyIds }, tx, { mail, props }) {
    // Locks the order before its keys, in the same order as a refund.
    const order = await lockOrder(tx, String(orderId));
    const mailedIds = props.passes.flatMap((pass) => pass.codes.map((code) => code.keyId));
    const unmailedIds = splitIds(keyIds).filter((id) => !mailedIds.includes(id));
    await markKeysMailed(tx, mailedIds);
    if (order && unmailedIds.length > 0) await splitKeysMail(tx, order, mail, { mailedIds, unmailedIds });
    await completeDelivered(tx, order);
  },
  // What locked the codes may have ended between reading and dropping the email.
  afterDropped: ({ orderId, keyIds }) =>
    transaction(async (tx) => {
      const order = await lockOrder(tx, String(orderId));
      if (order && (await hasMailableCodes(tx, order.id, splitIds(keyIds))))
        await requeueDroppedMails(tx, "keys", order.id);
    }),
});
for (const event of Object.keys(ORDER_MAILS) as (keyof typeof ORDER_MAILS)[])
  registerMail<MailEvent>(event, { load: ORDER_MAILS[event] });
registerMail("withdrawal-declared", {
  load: ({ declarationId, nth }) => withdrawalDeclaredMail(String(declarationId), Number(nth)),
});
registerMail("first-sale", {
  load: ({ lineId }, locale) => firstSaleMail(String(lineId), locale),
});

registerMail("vendor-confirmation", {
  load: ({ requestId, reminder }, locale) =>
    vendorConfirmationMail(String(requestId), Boolean(reminder), locale),
});
registerMail("gift", {
  load: ({ giftId, serial, first }, locale) =>
    giftMail(String(giftId), Number(serial), locale, Boolean(first)),
});

/** Once an hour: asks again about VAT ids that could not be checked. */
export const checkVatIdsJob = defineJob({
  name: "check-vat-ids",
  schema: z.unknown(),
  cron: "23 * * * *",
  async run() {
    const known = await checkVatIdsAgain();
    if (known > 0) log.info({ known }, "VAT ids checked again");
  },
});
