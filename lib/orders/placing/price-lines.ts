import type { Tx } from "@/db/client";
import type { PricedCartLine } from "@/lib/cart/cart-lines";
import { findBestCoupon } from "@/lib/coupons/find-best-coupon";
import { lockCouponForOrder } from "@/lib/coupons/lock-coupon";
import type { PlaceOrderInput } from "@/lib/orders/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { splitByLargestRemainder } from "@/lib/platform/money";
import type { OrderOrigin } from "./check-hold-limits";
import { claimDeal } from "./claim-purchases";

/**
 * Claims units of running deals; a line that a deal cannot serve completely gets the regular price. Rows are locked
 * in the order of the plans, so that two orders cannot deadlock; the lines keep their positions of the cart.
 */
export async function priceLines(tx: Tx, lines: PricedCartLine[]): Promise<PricedOrderLine[]> {
  const priced: PricedOrderLine[] = [];
  const positioned = lines.map((line, position) => ({ ...line, position }));
  for (const line of positioned.sort((a, b) => a.planId - b.planId)) {
    const { deal } = line;
    const dealId = deal && (await claimDeal(tx, deal.id, line.quantity)) ? deal.id : null;
    const unitPriceCents = dealId ? line.priceCents : line.regularPriceCents;
    priced.push({ ...line, lineId: newId("line"), dealId, unitPriceCents, discountCents: 0 });
  }
  return priced;
}

type DiscountedLine = Pick<PricedOrderLine, "productId" | "unitPriceCents" | "quantity" | "discountCents">;

/**
 * Locks the coupon that is named, or the best of the account where that is asked for, splits its discount over the lines by
 * largest remainder, and returns the totals. `orderId`: an order that is placed already.
 */
export async function calculateTotals(
  tx: Tx,
  viewer: UserViewer,
  input: Pick<PlaceOrderInput, "coupon_code" | "use_best_coupon"> & { origin: OrderOrigin; orderId?: string },
  lines: DiscountedLine[],
  locale: Locale,
): Promise<OrderTotals> {
  const { origin, orderId } = input;
  const lineTotals = lines.map((line) => line.unitPriceCents * line.quantity);
  const subtotalCents = lineTotals.reduce((sum, total) => sum + total, 0);
  const productIds = lines.map(({ productId }) => productId);
  const best = { productIds, ip: origin.ip };
  const couponCode =
    input.coupon_code ??
    (input.use_best_coupon ? (await findBestCoupon(tx, viewer, subtotalCents, best))?.code : undefined);
  if (!couponCode) return { subtotalCents, discountCents: 0, totalCents: subtotalCents, couponId: null };
  const { couponId, discountCents } = await lockCouponForOrder(tx, viewer, couponCode, subtotalCents, {
    locale,
    origin,
    productIds,
    orderId,
  });
  // A coupon that the minimum charge leaves no room for is not used up.
  if (discountCents === 0) return { subtotalCents, discountCents, totalCents: subtotalCents, couponId: null };
  const shares = splitByLargestRemainder(discountCents, lineTotals);
  for (const [index, line] of lines.entries()) line.discountCents = shares[index] ?? 0;
  return { subtotalCents, discountCents, totalCents: subtotalCents - discountCents, couponId };
}

export type PricedOrderLine = PricedCartLine & {
  lineId: string;
  /** position in the cart, from 0 */
  position: number;
  dealId: string | null;
  unitPriceCents: number;
  /** the line's share of the order's discount */
  discountCents: number;
};

export type OrderTotals = {
  subtotalCents: number;
  discountCents: number;
  totalCents: number;
  couponId: string | null;
};
