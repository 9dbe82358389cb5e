import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import type { MailProps } from "@/emails/render";
import { requestLeftSql } from "@/lib/orders/refunds/refund-versions";
import { type RefusalJson, refusalSql } from "@/lib/orders/refunds/select-refunds";
import type { RefundRequestState } from "@/lib/payments/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import { type MailLineRow, readOrderLines, toPassLine } from "./read-order-lines";

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
  if (request?.state !== "asked") return null; // a decided request has its own email
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
