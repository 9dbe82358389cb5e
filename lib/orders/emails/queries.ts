import { and, count, eq, inArray, ne, sql } from "drizzle-orm";
import { client, db, transaction } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import { gifts, orders } from "@/db/schema/orders";
import { refunds } from "@/db/schema/payments";
import type { PassLine } from "@/emails/pass";
import type { MailProps } from "@/emails/render";
import { activationFor } from "@/lib/catalog/product/rules";
import type { Activation } from "@/lib/catalog/rules";
import { decryptKeys, openKeysForEmail } from "@/lib/delivery/library/commands-open";
import { findReplacementKeys } from "@/lib/delivery/replacement/queries";
import { findDisputeState } from "@/lib/orders/disputes/queries";
import { type RefusalJson, refusalSql, requestLeftSql } from "@/lib/orders/refunds/queries";
import { WITHDRAWAL_REASONS, withdrawalApplies } from "@/lib/orders/withdrawal/rules";
import { refundDecision } from "@/lib/payments/refunds/rules";
import type { RefundRequestState } from "@/lib/payments/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";

/** A line with its order's columns. `totalCents`: of the line, after its share of the discount. */
type MailLineRow = Omit<PassLine, "language"> & {
  order_subtotal_cents: number;
  order_discount_cents: number;
  order_total_cents: number;
  hold_ends_at: string;
  paid_at: string | null;
  payable: boolean;
  closed: boolean;
  translated: boolean;
  discount_cents: number;
  refunded_quantity: number;
  refunded_cents: number;
  limited_time: boolean;
  state: string;
  pre_order: boolean;
  releases_at: string | null;
  deliver_by: string | null;
  /** when the last unit was delivered */
  delivered_at: string | null;
  country: string | null;
  time_zone: string | null;
  assigned_units: number;
  activation: Activation;
  /** when the buyer consented to immediate delivery */
  agreed_at: string | null;
};

/** The data of an order's emails, read at send time; retries read the same values. */
export async function readOrderLines(orderId: string, locale: Locale): Promise<MailLineRow[]> {
  return client()<MailLineRow[]>`
    select o.subtotal_cents as order_subtotal_cents, o.discount_cents as order_discount_cents, o.total_cents as order_total_cents,
      o.hold_ends_at, o.paid_at, o.status in ('pending', 'processingPayment') and o.hold_ends_at > shop_now() as payable,
      o.status in ('cancelled', 'refunded') as closed, l.id as "lineId", coalesce(t.name, translate_product_text(e.name, ${locale})) as "productName",
      t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated, p.vendor, l.pass_type as "vipType", l.duration_days as "durationDays", l.quantity,
      l.total_cents as "totalCents", l.discount_cents, l.refunded_quantity, l.refunded_cents, l.deal_id is not null as limited_time,
      l.state, l.pre_order, pl.releases_at,
      l.deliver_by, (select max(unit.delivered_at) from (select min(fk.assigned_at) as delivered_at from (
        select slot, assigned_at from keys where order_line_id = l.id and assigned_at is not null
        union all select slot, assigned_at from returned_keys where order_line_id = l.id) fk group by fk.slot) unit) as delivered_at, o.country, o.time_zone, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as assigned_units,
      coalesce(pl.activation, p.activation) as activation, l.immediate_consent_at as agreed_at
    from orders o join order_lines l on l.order_id = o.id
    join products p on p.id = l.product_id join plans pl on pl.id = l.plan_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where o.id = ${orderId} order by l.position`;
}

export function toPassLine(
  row: Omit<PassLine, "language"> & { translated: boolean },
  locale: Locale,
): PassLine {
  const { lineId, productName, vendor, vipType, durationDays, quantity, totalCents } = row;
  const language = row.translated ? locale : "en";
  return { lineId, productName, vendor, language, vipType, durationDays, quantity, totalCents };
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));

/** An order as its emails list it: line prices before the discount, and the totals; null for a closed order. */
async function readOpenOrder(orderId: string, locale: Locale) {
  const rows = await readOrderLines(orderId, locale);
  const [order] = rows;
  if (!order || order.closed) return null;
  const lines = rows.map((row) => ({
    ...toPassLine(row, locale),
    totalCents: row.totalCents + row.discount_cents,
  }));
  const sums = {
    subtotalCents: order.order_subtotal_cents,
    discountCents: order.order_discount_cents,
    totalCents: order.order_total_cents,
  };
  return { ...order, summary: { orderId, lines, ...sums } };
}

export async function orderPlacedMail(orderId: string, locale: Locale) {
  const order = await readOpenOrder(orderId, locale);
  if (!order?.payable) return null; // paid, closed or expired in the meantime
  return { ...order.summary, payBy: new Date(order.hold_ends_at) };
}

export async function paymentFailedMail(orderId: string, locale: Locale) {
  const order = await readOpenOrder(orderId, locale);
  if (!order || order.paid_at) return null; // paid or closed in the meantime
  return { ...order.summary, holdEndsAt: order.payable ? toDate(order.hold_ends_at) : null };
}

export async function orderExpiringMail(orderId: string, locale: Locale) {
  const order = await readOpenOrder(orderId, locale);
  if (!order?.payable) return null; // paid, closed or expired in the meantime
  return { ...order.summary, holdEndsAt: new Date(order.hold_ends_at) };
}

/** `paymentOpen`: as it was when support cancelled the order, so that a retry says the same. */
export async function orderCancelledMail(orderId: string, paymentOpen: boolean, locale: Locale) {
  const lines = (await readOrderLines(orderId, locale)).map((row) => toPassLine(row, locale));
  return lines.length > 0 ? { orderId, lines, paymentOpen, support: supportAddress() } : null;
}

/**
 * The delivery email: the codes of `keyIds` in plain text, and the number of keys that stay in the library
 * (`keptKeyIds`). `claimed`: for the account that claimed the order as a gift.
 */
export async function keysMail(
  orderId: string,
  keyIds: string[],
  locale: Locale,
  keptKeyIds: string[] = [],
  claimed = false,
) {
  const [rows, mailedKeys, keptCounts, replacementKeys, [gift]] = await Promise.all([
    readOrderLines(orderId, locale),
    decryptOrderKeys(orderId, keyIds),
    countKeptKeys(keptKeyIds),
    findReplacementKeys([...keyIds, ...keptKeyIds]),
    db
      .select({ deliverOn: gifts.deliverOn })
      .from(gifts)
      .where(and(eq(gifts.orderId, orderId), ne(gifts.state, "returned"))),
  ]);
  if (!mailedKeys) return null;
  const passes = rows.flatMap((row) => {
    const codes = mailedKeys.filter((key) => key.lineId === row.lineId);
    const keptInLibrary = keptCounts.get(row.lineId) ?? 0;
    if (codes.length + keptInLibrary === 0) return [];
    const paidAt = toDate(row.paid_at);
    const refundFacts = {
      durationDays: row.durationDays,
      paidCents: row.totalCents - row.refunded_cents,
      limitedTime: row.limited_time,
      paidAt,
      preOrder: row.pre_order,
      deliveredAt: toDate(row.delivered_at),
      redemption: "unknown" as const,
    };
    const { url: redeemUrl, steps } = activationFor(row.activation, locale);
    return {
      ...toPassLine(row, locale),
      codes,
      keptInLibrary,
      redeemUrl,
      steps,
      // As of the payment, so that a retried email states the same.
      refund: refundDecision(refundFacts, paidAt ?? new Date(0)),
    };
  });
  const [order] = rows;
  if (!order || passes.length === 0) return null;
  return {
    orderId,
    totalCents: order.order_total_cents,
    passes,
    reader: claimed ? ("claimer" as const) : gift ? ("giver" as const) : ("owner" as const),
    giftDay: gift ? new Date(`${gift.deliverOn}T00:00:00Z`) : null,
    withdrawal: withdrawalApplies(order.country, order.time_zone),
    agreedAt: toDate(order.agreed_at),
    replacement: [...mailedKeys.map(({ keyId }) => keyId), ...keptKeyIds].every((id) =>
      replacementKeys.includes(id),
    ),
  };
}

/** Counts these keys by line, without refunded ones. */
async function countKeptKeys(keyIds: string[]): Promise<Map<string | null, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .select({ lineId: keys.orderLineId, count: count() })
    .from(keys)
    .where(and(inArray(keys.id, keyIds), eq(keys.state, "assigned")))
    .groupBy(keys.orderLineId);
  return new Map(rows.map((row) => [row.lineId, row.count]));
}

/**
 * Opens the keys after any concurrent change of the order: a refund granted before the first mailing counts the codes as never
 * shown, so they must not be read earlier. Decrypts them once that they are opened is committed.
 */
async function decryptOrderKeys(orderId: string, keyIds: string[]) {
  const opened = await transaction(async (tx) => {
    await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for("share");
    // The email is dropped as a whole, and a dispute that is not lost queues it again (`requeueDroppedMails`).
    if (await findDisputeState(tx, orderId)) return null;
    return openKeysForEmail(tx, orderId, keyIds);
  });
  return opened && decryptKeys(opened);
}

export async function delayMail(orderId: string, locale: Locale) {
  const rows = await readOrderLines(orderId, locale);
  const waiting = rows
    .filter((row) => row.state === "waiting" && row.deliver_by)
    .map((row) => ({
      ...toPassLine(row, locale),
      quantity: row.quantity - row.assigned_units,
      releasesAt: row.pre_order ? toDate(row.releases_at) : null,
      deliverBy: new Date(row.deliver_by!),
    }));
  return waiting.length > 0 ? { orderId, totalCents: rows[0]!.order_total_cents, waiting } : null;
}

type RefundRow = { lineId: string | null } & Pick<
  MailProps["refund"],
  "orderId" | "amountCents" | "cause" | "codesLocked"
>;

export async function refundMail(refundId: string, locale: Locale) {
  const [refund] = await db.execute<RefundRow>(sql`
    select f.order_id as "orderId", f.order_line_id as "lineId", f.amount_cents as "amountCents", f.reason as cause,
      exists (select from order_lines l where l.order_id = f.order_id and (f.order_line_id is null or l.id = f.order_line_id)
        and (exists (select from keys k where k.order_line_id = l.id and k.state = 'quarantined')
          or exists (select from returned_keys r where r.order_line_id = l.id))) as "codesLocked"
    from refunds f where f.id = ${refundId}`);
  if (!refund) return null;
  const { orderId, lineId, amountCents, cause, codesLocked } = refund;
  const rows = await readOrderLines(orderId, locale);
  const isWholeOrder = rows.reduce((sum, row) => sum + row.totalCents, 0) === amountCents;
  const lines =
    lineId === null
      ? (isWholeOrder ? rows : []).map((row) => toPassLine(row, locale)) // another amount belongs to no line
      : rows.filter((row) => row.lineId === lineId).map((row) => toRefundedLine(row, amountCents, locale));
  return { orderId, cause, lines, amountCents, codesLocked };
}

/** A partly refunded line: the refunded units and amount. */
const toRefundedLine = (row: MailLineRow, amountCents: number, locale: Locale) => ({
  ...toPassLine(row, locale),
  quantity: amountCents < row.totalCents && row.refunded_quantity > 0 ? row.refunded_quantity : row.quantity,
  totalCents: amountCents,
});

type RequestRow = {
  order_id: string;
  order_line_id: string;
  amount_cents: number;
  state: RefundRequestState;
  answer_by: string;
  refusal: RefusalJson | null;
};

async function readRefundRequest(requestId: string, locale: Locale) {
  const [request] = await db.execute<RequestRow>(sql`
    select l.order_id, q.order_line_id,
      case when q.state = 'asked' then ${requestLeftSql("q", "l")} else q.amount_cents end as amount_cents, q.state, q.answer_by, ${refusalSql("l.order_id")} as refusal
    from refund_requests q join order_lines l on l.id = q.order_line_id where q.id = ${requestId}`);
  if (!request) return null;
  const lines = (await readOrderLines(request.order_id, locale))
    .filter((row) => row.lineId === request.order_line_id)
    .map((row) => toPassLine(row, locale));
  const props = { orderId: request.order_id, lines, amountCents: request.amount_cents };
  const { state, refusal } = request;
  return { state, refusal, answerBy: new Date(request.answer_by), props };
}

export async function refundRequestedMail(requestId: string, locale: Locale) {
  const request = await readRefundRequest(requestId, locale);
  if (request?.state !== "asked") return null; // a decided request has an email of its own
  return { ...request.props, answerBy: request.answerBy };
}

export async function refundRefusedMail(requestId: string, note: string, locale: Locale) {
  const request = await readRefundRequest(requestId, locale);
  const refusedBy = request?.refusal?.by ?? "shop";
  return request && { ...request.props, refusedBy, note, support: supportAddress() };
}

export async function refundFailedMail(refundId: string) {
  const [refund] = await db
    .select({ orderId: refunds.orderId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(eq(refunds.id, refundId));
  return refund ? { ...refund, support: supportAddress() } : null;
}

type WithdrawalRow = {
  order_id: string;
  refunded_cents: number;
  refused: { order_product_id: string; reason: string }[];
  created_at: string;
  refunds: Record<string, number> | null;
};

/** The recorded result of a withdrawal: what is refunded and what is not. */
export async function withdrawalMail(withdrawalId: string, lineIds: string[], locale: Locale) {
  const [row] = await db.execute<WithdrawalRow>(sql`
    select w.order_id, w.refunded_cents, w.refused, w.created_at,
      (select json_object_agg(distinct r.order_line_id, r.amount_cents) from refunds r
        where r.order_id = w.order_id and r.reason = 'withdrawn' and r.order_line_id is not null) as refunds
    from withdrawals w where w.id = ${withdrawalId}`);
  if (!row) return null;
  const lines = (await readOrderLines(row.order_id, locale)).map((line) => toPassLine(line, locale));
  const lineById = new Map(lines.map((line) => [line.lineId, line]));
  return {
    orderId: row.order_id,
    at: new Date(row.created_at),
    lines: lines
      .filter((line) => lineIds.includes(line.lineId))
      .map((line) => ({ ...line, totalCents: row.refunds?.[line.lineId] ?? 0 })),
    amountCents: row.refunded_cents,
    kept: row.refused.flatMap(({ order_product_id, reason }) => {
      const line = lineById.get(order_product_id);
      const knownReason = WITHDRAWAL_REASONS.find((known) => known === reason);
      return line && knownReason && knownReason !== "open" ? [{ line, reason: knownReason }] : [];
    }),
    support: supportAddress(),
  };
}
