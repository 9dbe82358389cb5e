import { and, eq, ne, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { assertCouponUsable, previewPublicCode, requireOthersProducts } from "@/lib/coupons/check-coupon";
import { findCoupon } from "@/lib/coupons/find-coupon";
import { countCouponTry } from "@/lib/coupons/lock-coupon";
import { releaseCoupon, reserveCoupon } from "@/lib/coupons/reserve-coupon";
import type { ChangeCouponInput, CouponChanged } from "@/lib/orders/contract";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { addTax } from "@/lib/orders/tax/add-tax";
import { closePayments } from "@/lib/payments/close-payments";
import { REFUND_DAYS, refundBeforePayment } from "@/lib/payments/refunds/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { OrderOrigin } from "./check-hold-limits";
import { lockBuyerAndIdentity, toBuyer } from "./lock-buyer-and-identity";
import { calculateTotals, type OrderTotals, type PricedOrderLine } from "./price-lines";

type OrderLine = Pick<
  PricedOrderLine,
  "lineId" | "productId" | "quantity" | "unitPriceCents" | "dealId" | "discountCents" | "durationDays"
>;

/**
 * Puts another coupon on an unpaid order, or takes it off (`/order/coupon`, docs/product.md#85-coupons). A payment that was
 * opened for the other total is closed first, and the buyer's page opens another.
 * @throws ShopError order_unknown, order_not_payable, first_order_open, provider_unavailable, too_many_requests, and the errors
 * of coupons
 */
export async function changeCoupon(
  viewer: UserViewer,
  { order_id: orderId, coupon_code }: ChangeCouponInput,
  locale: Locale,
  origin: OrderOrigin = {},
): Promise<CouponChanged> {
  if (coupon_code) await countCouponTry(viewer, origin.ip);
  await requireOpen(viewer, orderId);
  // Before the payment is closed, so that a code that does not apply changes nothing.
  if (coupon_code) await requireUsable(viewer, { orderId, code: coupon_code, ip: origin.ip }, locale);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if ((await closePayments(orderId)) === "may_still_succeed") break;
    const totals = await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId, viewer.userId);
      if (order?.status !== "pending" || order.holdExpired || order.cancelRequested) return null;
      const live = and(eq(payments.orderId, orderId), ne(payments.state, "canceled"));
      if ((await tx.$count(payments, live)) > 0) return "payment opened";
      await lockBuyerAndIdentity(tx, toBuyer(viewer));
      return repriceOrder(tx, viewer, { orderId, coupon_code, origin }, locale);
    });
    if (!totals) break;
    if (totals !== "payment opened")
      return {
        order_id: orderId,
        discount_amount: toDecimal(totals.discountCents),
        final_amount: toDecimal(totals.totalCents),
      };
  }
  throw new ShopError("order_not_payable");
}

async function requireOpen({ userId }: UserViewer, orderId: string): Promise<void> {
  const [order] = await db.execute<{ open: boolean }>(sql`
    select status = 'pending' and hold_ends_at > shop_now() and cancel_requested_at is null as open
    from orders where id = ${orderId} and user_id = ${userId} and hidden_at is null`);
  if (!order) throw new ShopError("order_unknown");
  if (!order.open) throw new ShopError("order_not_payable");
}

async function requireUsable(
  viewer: UserViewer,
  { orderId, code, ip }: { orderId: string; code: string; ip: string | undefined },
  locale: Locale,
): Promise<void> {
  const lines = await readLines(db, orderId);
  const subtotalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
  const { coupon: existing, campaign } = await findCoupon(db, viewer, code);
  // The order's own coupon is held by the order itself.
  if (existing?.orderId === orderId) return;
  const coupon = existing ?? (await previewPublicCode(db, viewer, campaign, locale));
  await assertCouponUsable(db, viewer, coupon, subtotalCents, locale, orderId);
  const productIds = lines.map(({ productId }) => productId);
  await requireOthersProducts(db, viewer, productIds, ip);
}

const readLines = (tx: Pick<Tx, "execute">, orderId: string): Promise<OrderLine[]> =>
  tx.execute<OrderLine>(sql`
    select id as "lineId", product_id as "productId", quantity, unit_price_cents as "unitPriceCents", deal_id as "dealId",
      duration_days as "durationDays", 0 as "discountCents"
    from order_lines where order_id = ${orderId} order by position`);

async function repriceOrder(
  tx: Tx,
  viewer: UserViewer,
  input: { orderId: string; coupon_code: string | undefined; origin: OrderOrigin },
  locale: Locale,
): Promise<OrderTotals> {
  const { orderId } = input;
  await releaseCoupon(tx, orderId);
  const lines = await readLines(tx, orderId);
  const totals = await calculateTotals(tx, viewer, input, lines, locale);
  // A free order cannot be completed without a verified address.
  if (totals.totalCents === 0 && !viewer.emailVerified) throw new ShopError("email_unverified");
  if (totals.couponId) await reserveCoupon(tx, totals.couponId, viewer.userId, orderId);
  await tx.execute(sql`
    update orders set coupon_id = ${totals.couponId}, discount_cents = ${totals.discountCents},
      total_cents = ${totals.totalCents}, added_tax_cents = 0 where id = ${orderId}`);
  const now = new Date();
  for (const line of lines) {
    const totalCents = line.unitPriceCents * line.quantity - line.discountCents;
    const pass = {
      durationDays: line.durationDays,
      limitedTime: line.dealId !== null,
      paidCents: totalCents,
    };
    const { refundable, reason } = refundBeforePayment(pass, now);
    await tx.execute(sql`
      update order_lines set discount_cents = ${line.discountCents}, total_cents = ${totalCents}, added_tax_cents = 0,
        refund_rule = ${JSON.stringify({ days: REFUND_DAYS, refundable, reason })}::jsonb where id = ${line.lineId}`);
  }
  return { ...totals, totalCents: await addTax(tx, orderId) };
}
