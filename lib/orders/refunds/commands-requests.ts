import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { refundTranslator } from "@/emails/translator";
import { quarantineKeys, releaseReservedKeys } from "@/lib/delivery/commands";
import { type MailRefs, queueMail } from "@/lib/notifications/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { isPaid } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/commands";
import { vendorEmail } from "@/lib/orders/vendor-confirmation/queries";
import {
  lineRedemption,
  type RefundDecision,
  refundDecision,
  refundView,
  VENDOR_CONFIRMATION_HOURS,
} from "@/lib/payments/refunds/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import type { RefundRequestState } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { closeAfterRefund, openRefund } from "./commands";
import type { RefundRequestInput, RefundRequestView } from "./contract";
import { findRefundableLine, lockLineCodes, type RefundableLine } from "./queries-requests";

/**
 * Requests the refund of all that is left of one line (`/order/refund/request`,
 * docs/product.md#75-orders-and-payment), by the one refund decision. Provably unused: refunded at once. Otherwise
 * the vendor has 48 hours, and the line's codes are locked until then.
 * @throws ShopError order_unknown (also an unknown line), refund_asked, refund_not_allowed
 */
export async function requestRefund(
  viewer: UserViewer,
  input: RefundRequestInput,
  locale: Locale,
): Promise<RefundRequestView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    const line = order && (await findRefundableLine(tx, order.id, input.order_product_id));
    if (!order || !line) throw new ShopError("order_unknown");
    if (line.request === "asked" || line.request === "approved") throw new ShopError("refund_asked");
    const decision = await decide(tx, order, line, locale);
    const amountCents = Math.min(decision.amountCents, line.capturedCents);
    const request = await writeDown(tx, line.id, viewer.userId, amountCents, decision.asksMaker);
    if (decision.asksMaker) await askMaker(tx, order, line.id, request.id);
    else await giveBack(tx, order, line, amountCents, viewer.userId);
    return {
      order_id: order.id,
      order_product_id: line.id,
      state: decision.asksMaker ? "asked" : "approved",
      refund_amount: toDecimal(amountCents),
      answer_by: decision.asksMaker ? new Date(request.answer_by).toISOString() : null,
    };
  });
}

async function decide(
  tx: Tx,
  order: LockedOrder,
  line: RefundableLine,
  locale: Locale,
): Promise<RefundDecision> {
  const t = refundTranslator(locale);
  const refuse = (reason: string) => new ShopError("refund_not_allowed", { params: { reason } });
  if (order.status === "refunded" || line.state === "refunded") throw refuse(t("gone"));
  if (!isPaid(order.status) || !line.paidAt) throw refuse(t("unpaid"));
  const decision = refundDecision(
    {
      durationDays: line.durationDays,
      paidCents: line.leftCents,
      limitedTime: line.limited,
      paidAt: new Date(line.paidAt),
      redemption: lineRedemption(await lockLineCodes(tx, line)),
      rule: line.rule,
    },
    new Date(line.now),
  );
  if (decision.refundable && line.capturedCents > 0) return decision;
  throw refuse(decision.refundable ? t("gone") : refundSentence(t, refundView(decision), locale));
}

/** Approved by the rule, or open until the vendor's deadline. */
async function writeDown(tx: Tx, lineId: string, userId: string, amountCents: number, open: boolean) {
  const [request] = await tx.execute<{ id: string; answer_by: string }>(sql`
    insert into refund_requests (id, order_line_id, user_id, amount_cents, state, answer_by, decided_at, decided_by)
    values (${newId("rrq")}, ${lineId}, ${userId}, ${amountCents}, ${open ? "asked" : "approved"},
      shop_now() + make_interval(hours => ${open ? VENDOR_CONFIRMATION_HOURS : 0}),
      case when ${open} then null else shop_now() end, ${open ? null : "rule"})
    on conflict do nothing returning id, answer_by`);
  if (!request) throw new ShopError("refund_asked");
  return request;
}

const tell = (tx: Tx, order: LockedOrder, event: "refund-requested" | "refund-refused", refs: MailRefs) =>
  queueMail(tx, {
    event,
    to: order.sendEmail,
    locale: order.locale,
    refs,
    dedupeKey: `${event}:${refs.requestId}`,
  });

/** Mails the vendor the question with its signed links, and the buyer a confirmation. */
async function askMaker(tx: Tx, order: LockedOrder, lineId: string, requestId: string): Promise<void> {
  await tell(tx, order, "refund-requested", { requestId });
  await queueMail(tx, {
    event: "vendor-confirmation",
    to: await vendorEmail(tx, lineId),
    locale: DEFAULT_LOCALE, // the vendor's language is unknown
    refs: { requestId },
    dedupeKey: `vendor-confirmation:${requestId}`,
  });
}

/** Locks the line's codes for good, releases what it held, and queues the refund. */
async function giveBack(
  tx: Tx,
  order: LockedOrder,
  line: RefundableLine,
  amountCents: number,
  actor: string,
): Promise<void> {
  await releaseReservedKeys(tx, [line.id]);
  await quarantineKeys(tx, line.id, actor);
  await tx.execute(sql`
    update order_lines set state = 'refunded', refunded_quantity = quantity, deliver_by = null,
      refunded_cents = refunded_cents + ${amountCents} where id = ${line.id}`);
  if (amountCents > 0) await openRefund(tx, order, { lineId: line.id, amountCents, reason: "requested" });
  await closeAfterRefund(tx, order, "asked");
  await enqueueAssignWaiting(tx, [line.planId]);
}

export type RefundRequestAnswer = {
  decision: "approved" | "refused";
  /** `deadline`, or the deciding staff member: `staff:mara` */
  by: string;
  /** Shown to the shopper with a refusal. */
  note?: string;
  /** Approves a refused request: staff overrule the vendor. */
  overrule?: boolean;
};

/** `decided`: by this call. `already`: decided before, by staff, the vendor or the deadline. */
export type RefundRequestDecided = { outcome: "decided" | "already"; state: RefundRequestState };

/**
 * Answers a refund request that waits for its vendor; the first answer counts. A refusal marks the code as used, so
 * that the line cannot be requested again; after the deadline it is too late and the shopper is refunded. Returns
 * null when there is no such request.
 */
export async function answerRefundRequest(
  requestId: string,
  { decision, by, note = "", overrule = false }: RefundRequestAnswer,
): Promise<RefundRequestDecided | null> {
  return transaction(async (tx) => {
    const [place] = await tx.execute<{ orderId: string; lineId: string }>(sql`
      select l.order_id as "orderId", l.id as "lineId" from refund_requests q join order_lines l on l.id = q.order_line_id
      where q.id = ${requestId}`);
    const order = place && (await lockOrder(tx, place.orderId));
    const line = order && (await findRefundableLine(tx, order.id, place.lineId));
    if (!line) return null;
    const [request] = await tx.execute<OpenRequest>(sql`
      select state, amount_cents as "amountCents", answer_by <= shop_now() as late from refund_requests where id = ${requestId}`);
    if (!request) return null;
    // Only the newest request can be overruled.
    const again =
      overrule && decision === "approved" && request.state === "refused" && line.request === "refused";
    if (request.state !== "asked" && !again) return { outcome: "already", state: request.state };
    const late = request.late && !again;
    const state = late ? "approved" : decision;
    const decidedBy = late ? "deadline" : by;
    await tx.execute(sql`
      update refund_requests set state = ${state}, decided_at = shop_now(), decided_by = ${decidedBy} where id = ${requestId}`);
    if (state === "approved")
      await giveBack(
        tx,
        order,
        line,
        Math.min(request.amountCents, line.leftCents, line.capturedCents),
        decidedBy,
      );
    else await refuse(tx, order, line, { requestId, note });
    const detail = { requestId, state, ...(note && { note }) };
    await audit({ actor: decidedBy, action: "refund_request_decided", subject: order.id, detail }, tx);
    return { outcome: decidedBy === by ? "decided" : "already", state };
  });
}

type OpenRequest = { state: RefundRequestState; amountCents: number; late: boolean };

/**
 * Marks the codes that may have been seen as used; unrevealed codes stay valid, and waiting units are served again.
 */
async function refuse(tx: Tx, order: LockedOrder, line: RefundableLine, refs: MailRefs): Promise<void> {
  await tx.execute(sql`
    update keys set redemption = 'redeemed' where order_line_id = ${line.id} and state = 'assigned'
      and redemption = 'unknown' and (mailed_at is not null or first_revealed_at is not null)`);
  await tell(tx, order, "refund-refused", refs);
  await enqueueAssignWaiting(tx, [line.planId]);
}

/** The vendor's deadline has passed: the request is approved (docs/product.md#81-refunds). */
export async function approveUnansweredRequests(requestId: string): Promise<void> {
  await answerRefundRequest(requestId, { decision: "approved", by: "deadline" });
}
