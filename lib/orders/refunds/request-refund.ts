import { sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { refundRequests } from "@/db/schema/payments";
import { refundTranslator } from "@/emails/translator";
import { releaseReservedKeys } from "@/lib/delivery/release-reserved-keys";
import type { MailRefs } from "@/lib/notifications/queue-mail";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { completeDelivered } from "@/lib/orders/fulfilment/complete-delivered";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { takeBackKeys } from "@/lib/orders/returns/take-back-keys";
import { isPaid } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { queueVendorConfirmation } from "@/lib/orders/vendor-confirmation/queue-vendor-confirmation";
import { readWithdrawableLines } from "@/lib/orders/withdrawal/read-withdrawable-lines";
import {
  lineRedemption,
  refundDecision,
  toRefundView,
  VENDOR_CONFIRMATION_HOURS,
} from "@/lib/payments/refunds/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { closeAfterRefund } from "./book-refund";
import type { RefundRequestInput, RefundRequestView } from "./contract";
import { findRefundableLine, isUndelivered, type RefundableLine } from "./find-refundable-line";
import { lockLineCodes } from "./lock-line-codes";
import { openRefund } from "./open-refund";
import { requireShownLine } from "./refund-versions";

/**
 * Requests the refund of all that is left of one line (`/order/refund/request`, docs/product.md#75-orders-and-payment),
 * by the shared refund decision. A line whose codes were never shown is refunded immediately. Otherwise the vendor has
 * 48 hours to confirm, and the line's codes are locked until then.
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

/** What the withdrawal form would give back of a line. */
async function findRight(tx: Tx, lineId: string, orderId: string, locale: Locale) {
  const lines = await readWithdrawableLines(tx, orderId, locale);
  return lines.find(({ id }) => id === lineId)?.right ?? null;
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
  if (decision.refundable) throw notAllowed(t("gone"));
  const right = await findRight(tx, line.id, order.id, locale);
  const sentence = refundSentence(t, toRefundView(decision, right), locale);
  throw notAllowed(right?.state === "open" ? t("by_form", { sentence }) : sentence);
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

export const queueRequestEmail = (
  tx: Tx,
  order: LockedOrder,
  event: "refund-requested" | "refund-refused",
  refs: MailRefs,
) => queueOrderMail(tx, order, event, refs, `${event}:${refs.requestId}`);

/** Takes back the line's codes, releases what it held, and queues the refund, for a reason of its own if need be. */
export async function refundLine(
  tx: Tx,
  order: LockedOrder,
  line: RefundableLine,
  amountCents: number,
  { reason, ...by }: { actor: string; ip?: string; reason?: string },
): Promise<void> {
  await releaseReservedKeys(tx, [line.id]);
  await takeBackKeys(tx, order.id, { lineId: line.id }, by);
  await tx.execute(sql`
    update order_lines set state = 'refunded', refunded_quantity = quantity,
      refunded_cents = refunded_cents + ${amountCents}, deliver_by = null where id = ${line.id}`);
  if (amountCents > 0)
    await openRefund(tx, order, { lineId: line.id, amountCents, reason: reason ?? "requested" });
  await recordSales(tx, order.id);
  await closeAfterRefund(tx, order, reason ?? "asked");
  await completeDelivered(tx, order);
  await enqueueAssignWaiting(tx, [line.planId]);
}
