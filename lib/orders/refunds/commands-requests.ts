import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { refundRequests } from "@/db/schema/payments";
import { refundTranslator } from "@/emails/translator";
import { releaseReservedKeys } from "@/lib/delivery/commands";
import type { MailRefs } from "@/lib/notifications/queue-mail";
import { requeueDroppedMails } from "@/lib/notifications/requeue-mails";
import { queueOrderMail } from "@/lib/orders/emails/commands";
import { completeDelivered, enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { takeBackKeys } from "@/lib/orders/returns/commands";
import { isPaid } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/commands";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/commands";
import { queueVendorConfirmation } from "@/lib/orders/vendor-confirmation/commands-mails";
import { withdrawAgreedLine } from "@/lib/orders/withdrawal/commands-units";
import {
  lineRedemption,
  refundDecision,
  toRefundView,
  VENDOR_CONFIRMATION_HOURS,
} from "@/lib/payments/refunds/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import type { RefundRequestState } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import { requireShownRow, type Shown } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { closeAfterRefund, openRefund } from "./commands-books";
import type { RefundRequestInput, RefundRequestView } from "./contract";
import {
  findRefundableLine,
  isUndelivered,
  lockLineCodes,
  type RefundableLine,
  requestVersionSql,
  requireShownLine,
  SERVED_UNIT_SQL,
} from "./queries";

/**
 * Requests the refund of all that is left of one line (`/order/refund/request`,
 * docs/product.md#75-orders-and-payment), by the one refund decision. A line whose codes were never shown is refunded
 * at once. Otherwise the vendor has 48 hours to confirm, and the line's codes are locked until then.
 * @throws ShopError order_unknown (also an unknown line), refund_asked, refund_not_allowed
 */
export const requestRefund = (
  viewer: UserViewer,
  input: RefundRequestInput,
  locale: Locale,
  ip?: string,
): Promise<RefundRequestView> =>
  transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    return requestLine(tx, order, { lineId: input.order_product_id, actor: viewer.userId, locale, ip });
  });

/**
 * The same for the buyer by staff: the same decision, and the same question to the vendor. Who asked does not answer it.
 * @throws ShopError as `requestRefund`, revision_conflict
 */
export const requestRefundByStaff = (
  viewer: StaffViewer,
  { version, ...input }: RefundRequestInput & SeenVersion,
  locale: Locale,
): Promise<RefundRequestView> =>
  transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id);
    const { userId: actor } = viewer;
    const request = { lineId: input.order_product_id, actor, askedBy: actor, locale, shown: { version } };
    const view = await requestLine(tx, order, request);
    const detail = { line: view.order_product_id, amount: view.refund_amount, state: view.state };
    await audit({ actor, action: "refund.requested", subject: view.order_id, detail }, tx);
    return view;
  });

type LineRequest = {
  lineId: string;
  actor: string;
  askedBy?: string;
  shown?: SeenVersion;
  locale: Locale;
  ip?: string;
};

async function requestLine(
  tx: Tx,
  order: LockedOrder | null,
  { lineId, actor, askedBy, shown, locale, ip }: LineRequest,
): Promise<RefundRequestView> {
  const line = order && (await findRefundableLine(tx, order.id, lineId));
  if (!order || !line) throw new ShopError("order_unknown");
  if (line.request === "asked" || line.request === "approved") throw new ShopError("refund_asked");
  const decision = await decide(tx, order, line, locale);
  if (shown) await requireShownLine(tx, shown, line.id);
  const amountCents = Math.min(decision.amountCents, line.capturedCents);
  const { needsVendorConfirmation } = decision;
  const people = { userId: order.userId, askedBy: askedBy ?? null };
  const request = await insertRequest(tx, line.id, people, amountCents, needsVendorConfirmation);
  if (needsVendorConfirmation) {
    await queueRequestEmail(tx, order, "refund-requested", { requestId: request.id });
    await queueVendorConfirmation(tx, request.id);
  } else await refundLine(tx, order, line, amountCents, { actor, ip });
  return {
    order_id: order.id,
    order_product_id: line.id,
    state: needsVendorConfirmation ? "asked" : "approved",
    refund_amount: toDecimal(amountCents),
    answer_by: needsVendorConfirmation ? request.answerBy.toISOString() : null,
  };
}

async function decide(tx: Tx, order: LockedOrder, line: RefundableLine, locale: Locale) {
  const t = refundTranslator(locale);
  const notAllowed = (reason: string) => new ShopError("refund_not_allowed", { params: { reason } });
  if (order.status === "refunded" || line.state === "refunded") throw notAllowed(t("gone"));
  if (!isPaid(order.status) || !line.paidAt) throw notAllowed(t("unpaid"));
  const decision = refundDecision(
    {
      ...line,
      paidCents: line.leftCents,
      paidAt: new Date(line.paidAt),
      deliveredAt: line.deliveredAt ? new Date(line.deliveredAt) : null,
      undelivered: isUndelivered(line),
      disputed: line.dispute !== null,
      redemption: lineRedemption(await lockLineCodes(tx, line)),
    },
    new Date(line.now),
  );
  if (decision.refundable && line.capturedCents > 0) return decision;
  throw notAllowed(decision.refundable ? t("gone") : refundSentence(t, toRefundView(decision), locale));
}

/** Stores the request: approved by the rule, or open until the vendor's deadline. */
async function insertRequest(
  tx: Tx,
  lineId: string,
  people: { userId: string; askedBy: string | null },
  amountCents: number,
  open: boolean,
) {
  const [request] = await tx
    .insert(refundRequests)
    .values({
      id: newId("rrq"),
      orderLineId: lineId,
      ...people,
      amountCents,
      ...(open
        ? { state: "asked", answerBy: sql`shop_now() + make_interval(hours => ${VENDOR_CONFIRMATION_HOURS})` }
        : { state: "approved", answerBy: shopNow, decidedAt: shopNow, decidedBy: "rule" }),
    })
    .onConflictDoNothing()
    .returning({ id: refundRequests.id, answerBy: refundRequests.answerBy });
  if (!request) throw new ShopError("refund_asked");
  return request;
}

const queueRequestEmail = (
  tx: Tx,
  order: LockedOrder,
  event: "refund-requested" | "refund-refused",
  refs: MailRefs,
) => queueOrderMail(tx, order, event, refs, `${event}:${refs.requestId}`);

/** Takes back the line's codes, releases what it held, and queues the refund. */
async function refundLine(
  tx: Tx,
  order: LockedOrder,
  line: RefundableLine,
  amountCents: number,
  by: { actor: string; ip?: string },
): Promise<void> {
  await releaseReservedKeys(tx, [line.id]);
  await takeBackKeys(tx, order.id, { lineId: line.id }, by);
  await tx.execute(sql`
    update order_lines set state = 'refunded', refunded_quantity = quantity,
      refunded_cents = refunded_cents + ${amountCents}, deliver_by = null where id = ${line.id}`);
  if (amountCents > 0) await openRefund(tx, order, { lineId: line.id, amountCents, reason: "requested" });
  await recordSales(tx, order.id);
  await closeAfterRefund(tx, order, "asked");
  await completeDelivered(tx, order);
  await enqueueAssignWaiting(tx, [line.planId]);
}

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
 * that the line cannot be requested again. After the deadline the request is approved whatever the decision. A dispute
 * of the payment stops every decision (docs/product.md#810-disputes). A withdrawal by somebody who states another country than
 * the order's is decided by staff alone, without a deadline. Returns null for an unknown request.
 * @throws ShopError own_refund: the person who decides has asked, or is the buyer; revision_conflict
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
 * Marks the codes of the line that may have been seen as used, replaced ones included, unless nobody asked about them. Unrevealed codes stay valid and
 * are mailed if the request stopped their email, and waiting units get keys again.
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
