import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { refundRequests } from "@/db/schema/payments";
import type { MailRefs } from "@/lib/notifications/queue-mail";
import { requeueDroppedMails } from "@/lib/notifications/requeue-mails";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { withdrawAgreedLine } from "@/lib/orders/withdrawal/refund-units";
import type { RefundRequestState } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { requireShownRow, type Shown } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { findRefundableLine, type RefundableLine } from "./find-refundable-line";
import { SERVED_UNIT_SQL } from "./lock-line-codes";
import { requestVersionSql } from "./refund-versions";
import { queueRequestEmail, refundLine } from "./request-refund";

export type RefundRequestDecision = {
  decision: "approved" | "refused";
  /** `vendor`, `deadline` (no answer in time), or the deciding staff member: a user's id, or `staff:mara` from the shell */
  by: string;
  /** Shown to the shopper with a refusal. */
  note?: string;
  /** Approves a refused request: staff overrule the vendor's answer. */
  overrule?: boolean;
  /** Where a person decides: what was shown, in the console unless `sql` says otherwise. */
  shown?: Shown;
};

/**
 * `decided`: by this call. `already`: decided earlier by staff or the vendor, by the deadline or by the bank.
 * `disputed`: nothing is decided while the payment is disputed.
 */
export type RefundRequestResult = { outcome: "decided" | "already" | "disputed"; state: RefundRequestState };

type DecidableRequest = {
  state: RefundRequestState;
  amountCents: number;
  late: boolean;
  userId: string;
  askedBy: string | null;
  statedCountry: string | null;
  at: string;
};

/**
 * Decides a refund request that waits for its vendor; the first decision counts. A refusal marks the codes as used, so
 * that the line cannot be requested again. After the deadline the request is approved regardless of the decision. A
 * dispute of the payment stops every decision (docs/product.md#810-disputes). A withdrawal that states another country
 * than the order's is decided by staff alone, without a deadline. Returns null for an unknown request.
 * @throws ShopError own_refund: the decider requested it, or is the buyer; revision_conflict
 */
export async function decideRefundRequest(
  requestId: string,
  { decision, by, note = "", overrule = false, shown }: RefundRequestDecision,
): Promise<RefundRequestResult | null> {
  return transaction(async (tx) => {
    const [requestLine] = await tx.execute<{ orderId: string; lineId: string }>(sql`
      select l.order_id as "orderId", l.id as "lineId" from refund_requests q join order_lines l on l.id = q.order_line_id
      where q.id = ${requestId}`);
    const order = requestLine && (await lockOrder(tx, requestLine.orderId));
    const line = order && (await findRefundableLine(tx, order.id, requestLine.lineId));
    if (!line) return null;
    const [request] = await tx.execute<DecidableRequest>(sql`
      select state, amount_cents as "amountCents", answer_by <= shop_now() and stated_country is null as late,
        user_id as "userId", asked_by as "askedBy", stated_country as "statedCountry", created_at as at
      from refund_requests where id = ${requestId}`);
    if (!request) return null;
    if (by === request.userId || by === request.askedBy) throw new ShopError("own_refund");
    // Only the newest request can be overruled.
    const overrules =
      overrule && decision === "approved" && request.state === "refused" && line.request === "refused";
    if (line.state === "refunded" || (request.state !== "asked" && !overrules))
      return { outcome: "already", state: request.state };
    if (line.dispute) return { outcome: "disputed", state: request.state };
    if (shown)
      await requireShownRow(tx, shown, {
        version: shown.sql ?? requestVersionSql("q"),
        from: sql`refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
          where q.id = ${requestId}`,
      });
    const late = request.late && !overrules;
    const state = late ? "approved" : decision;
    const decidedBy = late ? "deadline" : by;
    await tx
      .update(refundRequests)
      .set({ state, decidedAt: shopNow, decidedBy })
      .where(eq(refundRequests.id, requestId));
    const amountCents = Math.min(request.amountCents, line.leftCents, line.capturedCents);
    const isWithdrawal = request.statedCountry !== null;
    if (state === "approved" && isWithdrawal)
      await withdrawAgreedLine(tx, order, {
        lineId: line.id,
        statedAt: new Date(request.at),
        actor: decidedBy,
      });
    else if (state === "approved") await refundLine(tx, order, line, amountCents, { actor: decidedBy });
    else await refuseRequest(tx, order, line, { refs: { requestId, note }, keepsCodes: isWithdrawal });
    const detail = { requestId, state, ...(note && { note }) };
    await audit({ actor: decidedBy, action: "refund_request_decided", subject: order.id, detail }, tx);
    return { outcome: decidedBy === by ? "decided" : "already", state };
  });
}

/**
 * Marks the codes of the line that may have been seen as used, replaced ones included, unless no one asked about them.
 * Unrevealed codes stay valid and are mailed if the request stopped their email, and waiting units get keys again.
 */
async function refuseRequest(
  tx: Tx,
  order: LockedOrder,
  line: RefundableLine,
  { refs, keepsCodes }: { refs: MailRefs; keepsCodes: boolean },
) {
  if (!keepsCodes)
    await tx.execute(sql`
    update keys k set redemption = 'redeemed' where k.order_line_id = ${line.id} and ${SERVED_UNIT_SQL}
      and k.redemption = 'unknown' and (k.mailed_at is not null or k.first_revealed_at is not null)`);
  await queueRequestEmail(tx, order, "refund-refused", refs);
  await requeueDroppedMails(tx, "keys", order.id);
  await enqueueAssignWaiting(tx, [line.planId]);
}
