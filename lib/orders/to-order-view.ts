import { lowerPriceAt } from "@/lib/catalog/pricing/rules-history";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { productImagePath } from "@/lib/catalog/rules";
import { MASKED_CODE, passEnd } from "@/lib/delivery/rules";
import { toGiftView } from "@/lib/orders/gifts/find-gift";
import { isUndelivered } from "@/lib/orders/refunds/find-refundable-line";
import { isRefundOpen, toOrderRefund } from "@/lib/orders/refunds/select-refunds";
import { rightOf, withdrawalApplies } from "@/lib/orders/withdrawal/rules";
import type { RefundRequestState } from "@/lib/payments/refunds/contract";
import { lineRedemption, refundDecision, toRefundView } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { pricePerDay, toDecimal } from "@/lib/platform/money";
import type { OrderProduct, OrderView } from "./contract";
import { isDeletable, isGivenAway, isPaid, isPayable, staysInLibrary } from "./rules";
import type { LineJson, OrderRow, RequestJson } from "./select-orders";

export function toOrderView(row: OrderRow, locale: Locale): OrderView {
  const now = new Date(row.now);
  const secondsLeft = Math.max(0, Math.floor((new Date(row.hold_ends_at).getTime() - now.getTime()) / 1000));
  const awaitsPayment = isPayable(row.status);
  return {
    order_id: row.order_id,
    order_number: row.order_number,
    user_id: row.user_id,
    status: row.status,
    send_email: row.send_email,
    email_failed: row.email_failed === true && isPaid(row.status),
    transaction_id: row.transaction_id,
    subtotal: toDecimal(row.subtotal_cents),
    discount_amount: toDecimal(row.discount_cents),
    added_tax: toDecimal(row.added_tax_cents),
    final_amount: toDecimal(row.total_cents),
    currency: "usd",
    coupon: row.coupon && { coupon_code: row.coupon.code, title: row.coupon.title[locale] },
    created_at: instant(row.created_at),
    paid_at: instant(row.paid_at),
    hold_ends_at: instant(row.hold_ends_at),
    seconds_left: awaitsPayment ? secondsLeft : 0,
    server_time: now.toISOString(),
    country: row.country,
    withdrawal_applies: withdrawalApplies(row.country, row.time_zone),
    can_pay: awaitsPayment && secondsLeft > 0 && !row.cancel_requested,
    can_cancel: awaitsPayment && !row.cancel_requested,
    can_delete: isDeletable(row.status, isRefundOpen(row)),
    cancel_requested: row.cancel_requested,
    payment_error: row.status === "pending" ? row.payment_error : null,
    open_payment: row.open_payment,
    dispute_open: row.dispute === "open",
    dispute_lost: row.dispute === "lost",
    payment_checked: row.payment_checked,
    gift: row.gift && toGiftView(row.gift, { status: row.status, disputed: row.dispute !== null }),
    refunds: row.refunds.map(toOrderRefund),
    order_products: row.lines.map((line) => toOrderProduct(line, row, now, locale)),
  };
}

function toAddedPrice({ added, unit_price_cents }: LineJson): number | null {
  const cents = added && lowerPriceAt(added.history, added.at, unit_price_cents);
  return cents === null ? null : toDecimal(cents);
}

/** Price per day of one unit before the discount, as in the cart; null for free and lifetime passes. */
function toPricePerDay({ unit_price_cents, fields }: LineJson): number | null {
  const cents = unit_price_cents === 0 ? null : pricePerDay(unit_price_cents, fields.duration_days);
  return cents === null ? null : toDecimal(cents);
}

function decideRefund(line: LineJson, order: OrderRow, now: Date) {
  const { paid_at, dispute, gift } = order;
  const isRefunded = line.fields.state === "refunded";
  const decision = refundDecision(
    {
      durationDays: line.fields.duration_days,
      paidCents: isRefunded ? line.total_cents : line.total_cents - line.refunded_cents,
      limitedTime: line.limited_time,
      paidAt: paid_at ? new Date(paid_at) : null,
      preOrder: line.fields.pre_order,
      undelivered: isUndelivered({ state: line.fields.state, deliveredAt: line.delivered_at }),
      deliveredAt: line.delivered_at ? new Date(line.delivered_at) : null,
      disputed: dispute !== null,
      giftClaimed: gift?.state === "claimed",
      redemption: lineRedemption(line.codes),
      rule: line.refund_rule,
    },
    now,
  );
  if (isRefunded)
    return {
      decision,
      refund: { ...toRefundView(decision, null), refundable: false, amount: 0, reason: "gone" as const },
    };
  return { decision, refund: toRefundView(decision, toRight(line, order, now)) };
}

const toRequestView = (request: RequestJson | null): RefundRequestState | null =>
  request && {
    state: request.state,
    asked_at: instant(request.asked_at),
    answer_by: request.state === "asked" ? instant(request.answer_by) : null,
    stated_country: request.stated_country,
    refused_by: request.refusal?.by ?? null,
    refusal_reason: request.refusal?.reason ?? null,
  };

/**
 * A delivered line whose code was seen, and that is not fully refunded, can be reviewed once, unless its codes are a
 * gift to someone else. A merchant's members review none of its products.
 */
function reviewState(line: LineJson, { status, gift }: OrderRow): OrderProduct["review"] {
  if (line.reviewed) return "written";
  if (isGivenAway({ gift }) && line.keys.length === 0) return "none";
  const delivered = status === "shipped" || status === "completed";
  const isSeen = line.keys.some((key) => key.seen) || line.codes.some((code) => code.shown);
  const isReviewable =
    delivered && isSeen && !line.own && line.fields.refunded_quantity < line.fields.quantity;
  return isReviewable ? "open" : "none";
}

/** The statutory right of a line, by the facts that the withdrawal form reads. */
function toRight(line: LineJson, order: OrderRow, now: Date) {
  const { fields } = line;
  const shown = line.units.filter((unit) => unit.shown).length;
  return rightOf(
    {
      paidAt: order.paid_at && isPaid(order.status) ? new Date(order.paid_at) : null,
      totalCents: line.total_cents,
      leftCents: line.total_cents - line.refunded_cents,
      leftUnits: fields.quantity - fields.refunded_quantity,
      applies: withdrawalApplies(order.country, order.time_zone),
      shown,
      unrevealed: line.units.length - shown,
      chosen: fields.immediate_delivery !== null,
      consented: fields.immediate_consent_at !== null,
      disputed: order.dispute !== null,
      emailed: fields.immediate_delivery === true && !staysInLibrary(fields),
    },
    now,
  );
}

function toOrderProduct(line: LineJson, order: OrderRow, now: Date, locale: Locale) {
  const { status } = order;
  const { decision, refund } = decideRefund(line, order, now);
  return {
    ...line.fields,
    vip_type: passLabel(line.fields, locale),
    product_image: productImagePath(line.fields.product_id, line.image),
    language: line.translated ? locale : "en",
    price: toDecimal(line.unit_price_cents),
    added_price: toAddedPrice(line),
    price_per_day: toPricePerDay(line),
    added_tax: toDecimal(line.added_tax_cents),
    total: toDecimal(line.total_cents),
    refunded_amount: toDecimal(line.refunded_cents),
    immediate_consent_at: instant(line.fields.immediate_consent_at),
    deliver_by: instant(line.fields.deliver_by),
    redeem_by: instant(line.fields.redeem_by),
    refund,
    refund_request: toRequestView(line.request),
    can_refund: isPaid(status) && refund.refundable && line.request?.state !== "asked",
    refund_at_once: !decision.needsVendorConfirmation,
    withdrawable: refund.right?.state === "open",
    review: reviewState(line, order),
    keys: line.keys.map((key) => ({
      library_id: key.id,
      masked_code: MASKED_CODE,
      revealed_at: instant(key.revealed),
      activated_at: instant(key.activated),
      ends_at: passEnd(key.activated ?? key.revealed, line.fields.duration_days)?.toISOString() ?? null,
      seen: key.seen,
      needs_consent: key.needs_consent,
      redeem_by: instant(key.redeem_by),
    })),
  };
}
