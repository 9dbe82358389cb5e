import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MailProps } from "@/emails/render";
import type { RefundRequestState } from "@/lib/payments/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import { passLine, readOrder } from "./queries";

type RequestRow = {
  order_id: string;
  order_line_id: string;
  amount_cents: number;
  state: RefundRequestState;
  answer_by: string;
};

async function readRequest(requestId: string, locale: Locale) {
  const [request] = await db.execute<RequestRow>(sql`
    select l.order_id, q.order_line_id, q.amount_cents, q.state, q.answer_by
    from refund_requests q join order_lines l on l.id = q.order_line_id where q.id = ${requestId}`);
  if (!request) return null;
  const lines = (await readOrder(request.order_id, locale))
    .filter((row) => row.line_id === request.order_line_id)
    .map((row) => passLine(row, locale));
  return { request, orderId: request.order_id, lines, amountCents: request.amount_cents };
}

export async function refundRequestedMail(
  requestId: string,
  locale: Locale,
): Promise<MailProps["refund-requested"] | null> {
  const found = await readRequest(requestId, locale);
  if (found?.request.state !== "asked") return null; // a decided request has an email of its own
  const { request, ...props } = found;
  return { ...props, answerBy: new Date(request.answer_by) };
}

export async function refundRefusedMail(
  requestId: string,
  note: string,
  locale: Locale,
): Promise<MailProps["refund-refused"] | null> {
  const found = await readRequest(requestId, locale);
  if (!found) return null;
  const { request: _, ...props } = found;
  return { ...props, note, support: supportAddress() };
}

export async function refundFailedMail(refundId: string): Promise<MailProps["refund-failed"] | null> {
  const [refund] = await db.execute<{ order_id: string; amount_cents: number }>(
    sql`select order_id, amount_cents from refunds where id = ${refundId}`,
  );
  if (!refund) return null;
  return { orderId: refund.order_id, amountCents: refund.amount_cents, support: supportAddress() };
}
