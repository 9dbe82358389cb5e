import { statements, type Tx, transaction } from "@/db/client";
import type { PricedCartLine } from "@/lib/cart/cart-lines";
import { lockLinesForOrder } from "@/lib/cart/lock-lines-for-order";
import { type PassUnits, pricePasses } from "@/lib/cart/price-passes";
import { countCouponTry } from "@/lib/coupons/lock-coupon";
import { reserveCoupon } from "@/lib/coupons/reserve-coupon";
import { type LockMode, reserveKeys } from "@/lib/delivery/reserve-keys";
import type { OrderPlaced, PlaceOrderInput } from "@/lib/orders/contract";
import { canDeliverTo, requestEmailVerification } from "@/lib/orders/delivery-options/verify-delivery-email";
import { holdMinutes } from "@/lib/orders/rules";
import { addTax } from "@/lib/orders/tax/add-tax";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { formatPrice, toDecimal } from "@/lib/platform/money";
import { assertStockNotOwed } from "./assert-stock-not-owed";
import { checkHoldLimits, type OrderOrigin } from "./check-hold-limits";
import { claimPurchases, holdsFirstOrderCoupon } from "./claim-purchases";
import { type Buyer, lockBuyerAndIdentity, toBuyer } from "./lock-buyer-and-identity";
import { calculateTotals, priceLines } from "./price-lines";
import { type NewOrder, type Placement, writeOrder } from "./write-order";

/** An open order with less of its hold left is not reused. */
const REUSE_MINUTES = 5;

class StockShortError extends Error {}
/** Thrown to roll back an attempt that lacks only a verified delivery email. */
class EmailUnverifiedError extends Error {}

/**
 * Places an order of cart lines, or of named passes ("Buy now", `passes`) that leaves the cart as it is: server prices, keys, deal units and purchase claims held for 30 minutes (15 when stock
 * is low), in one transaction (`/order/create`, docs/product.md#75-orders-and-payment). First tries without waiting for locked rows;
 * when stock is short, tries again and waits for rows that others may release. For an unverified delivery email the
 * attempt is rolled back first, so that no code is mailed for an order that would fail anyway.
 * @throws ShopError product_unknown, cart_line_unknown, nothing_selected, sold_out, purchase_limit, plan_unavailable,
 * delivery_email_unverified, too_many_codes, email_unverified, first_order_open, total_changed, too_many_requests (coupon codes), and
 * the errors of `checkHoldLimits` and of coupons
 */
export async function placeOrder(
  viewer: UserViewer,
  input: PlaceOrderInput,
  locale: Locale,
  origin: OrderOrigin = {},
): Promise<OrderPlaced> {
  if (input.coupon_code) await countCouponTry(viewer, origin.ip);
  const sendEmail = input.send_email ?? viewer.email;
  const isVerified = await canDeliverTo(viewer, sendEmail);
  for (const mode of ["skip", "wait"] as const) {
    try {
      return await transaction(async (tx) => {
        const request = { ...input, send_email: sendEmail, origin };
        const placed = await attemptOrder(tx, viewer, request, locale, mode);
        if (!isVerified) throw new EmailUnverifiedError();
        return placed;
      });
    } catch (error) {
      if (error instanceof EmailUnverifiedError)
        return requestEmailVerification(viewer, sendEmail, origin.ip);
      if (!(error instanceof StockShortError))
        throw isLockTimeout(error) ? new ShopError("unavailable", { cause: error }) : error;
    }
  }
  throw new ShopError("sold_out");
}

/** A lock timeout (55P03) or deadlock (40P01): it is unknown whether a key is free, so this is not "sold out". */
function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return ["55P03", "40P01"].includes((cause as { code?: string }).code ?? "");
}

async function attemptOrder(
  tx: Tx,
  viewer: UserViewer,
  input: PlaceOrderInput & { send_email: string; origin: OrderOrigin },
  locale: Locale,
  mode: LockMode,
): Promise<OrderPlaced> {
  const buyer = toBuyer(viewer);
  await lockBuyerAndIdentity(tx, buyer);
  const passes = namedPasses(input);
  const { lines: cartLines, now } = passes
    ? await pricePasses(tx, viewer.userId, passes)
    : await lockLinesForOrder(tx, viewer.userId, input.cart_record_ids);
  // Before the stock is checked, because the open order may hold the last code.
  const openOrder =
    passes?.length === cartLines.length ? await findSameOrder(tx, viewer, input, cartLines) : undefined;
  if (openOrder) {
    const { subtotalCents, ...placed } = openOrder;
    assertExpectedTotal(input, subtotalCents, locale);
    return placed;
  }
  assertOrderable(cartLines, input);
  const hold = await checkHoldLimits(tx, buyer, input.origin, cartLines);
  // A free pass needs a verified address before anything is held, or unverified accounts could hold all of them.
  if (!viewer.emailVerified && cartLines.some((line) => line.priceCents === 0))
    throw new ShopError("email_unverified");
  const lines = await priceLines(tx, cartLines);
  const totals = await calculateTotals(tx, viewer, input, lines, locale);
  // A coupon that the shop chose itself only lowers what the buyer agreed to.
  assertExpectedTotal(input, input.coupon_code ? totals.totalCents : totals.subtotalCents, locale);
  // An unpaid first order keeps its coupon price, so no other order may be paid before it
  // (docs/decisions/0014-give-each-person-a-coupon-once.md).
  if (totals.totalCents > 0 && (await holdsFirstOrderCoupon(tx, viewer.userId)))
    throw new ShopError("first_order_open");
  // A coupon that reduces the total to zero needs a verified address too, because a free order cannot be completed
  // without.
  if (!viewer.emailVerified && totals.totalCents === 0) throw new ShopError("email_unverified");
  const order: NewOrder = {
    ...totals,
    id: newId("ord"),
    userId: viewer.userId,
    sendEmail: input.send_email,
    locale,
    timeZone: input.origin.timeZone ?? viewer.timeZone ?? null,
    attribution: input.origin.attribution ?? null,
    now,
    holdEndsAt: new Date(now.getTime() + holdMinutes(lines.map(({ state }) => state)) * 60_000),
  };
  const orderNumber = await writeAndHold(tx, { order, lines, hold }, mode, buyer);
  return {
    order_id: order.id,
    order_number: orderNumber,
    final_amount: toDecimal(taxSettings()?.pricesWithoutTax ? await addTax(tx, order.id) : order.totalCents),
    hold_ends_at: order.holdEndsAt.toISOString(),
  };
}

/** The passes that the order names beside the cart. @throws ShopError invalid_input when it names them in two ways */
function namedPasses({ vip_id, passes, cart_record_ids }: PlaceOrderInput): PassUnits[] | null {
  if ([vip_id, passes, cart_record_ids].filter((named) => named !== undefined).length > 1)
    throw new ShopError("invalid_input");
  return passes ?? (vip_id === undefined ? null : [{ vip_id, quantity: 1 }]);
}

/** Writes the order, then reserves its coupon, purchase claims and keys. Returns the order's number. */
async function writeAndHold(
  tx: Tx,
  { order, lines, hold }: Placement,
  mode: LockMode,
  buyer: Buyer,
): Promise<string> {
  const inStock = lines.filter((line) => !line.preOrder);
  const planIds = inStock.map(({ planId }) => planId);
  const { hasWaitingOrders, orderNumber } = await writeOrder(tx, { order, lines, hold });
  if (order.couponId) await reserveCoupon(tx, order.couponId, order.userId, order.id);
  await claimPurchases(tx, buyer, order.id, lines);
  const short = await reserveKeys(tx, inStock, mode);
  // While this transaction waited for keys, another paid order may have begun to wait for them.
  if (hasWaitingOrders || mode === "wait") await assertStockNotOwed(tx, order.id, planIds);
  if (short.length > 0) throw new StockShortError();
  return orderNumber;
}

/**
 * The buyer's open order of the same passes at the same prices and of nothing else, with at least REUSE_MINUTES of its
 * hold left: a second press of "Buy now" must not hold another code. With `use_best_coupon` its coupon stays as the buyer left
 * it. The order is not locked, because others lock an order
 * before its buyer.
 */
async function findSameOrder(
  tx: Tx,
  { userId }: UserViewer,
  { send_email, coupon_code, use_best_coupon = false }: PlaceOrderInput,
  lines: PricedCartLine[],
): Promise<(OrderPlaced & { subtotalCents: number }) | undefined> {
  if (coupon_code || lines.length === 0) return undefined;
  const [order] = await statements(tx)<
    { id: string; order_number: string; subtotal_cents: number; total_cents: number; hold_ends_at: string }[]
  >`
    select o.id, o.order_number, o.subtotal_cents, o.total_cents, o.hold_ends_at from orders o
    where o.user_id = ${userId} and o.status = 'pending' and o.cancel_requested_at is null
      and (${use_best_coupon} or (o.coupon_id is null and o.discount_cents = 0))
      and o.send_email = ${send_email ?? ""}
      and (select count(*) from order_lines l where l.order_id = o.id) = ${lines.length}
      and not exists (select from unnest(${lines.map(({ planId }) => planId)}::int[], ${lines.map(({ quantity }) => quantity)}::int[],
          ${lines.map(({ priceCents }) => priceCents)}::int[]) as w(plan_id, quantity, cents)
        where not exists (select from order_lines l where l.order_id = o.id and l.plan_id = w.plan_id
          and l.quantity = w.quantity and l.unit_price_cents = w.cents))
      and o.hold_ends_at > shop_now() + make_interval(mins => ${REUSE_MINUTES})
    order by o.hold_ends_at desc limit 1`;
  return (
    order && {
      order_id: order.id,
      order_number: order.order_number,
      final_amount: toDecimal(order.total_cents),
      hold_ends_at: instant(order.hold_ends_at),
      subtotalCents: order.subtotal_cents,
    }
  );
}

/** @throws ShopError product_unknown, cart_line_unknown, nothing_selected, sold_out */
function assertOrderable(lines: PricedCartLine[], input: PlaceOrderInput): void {
  const { cart_record_ids: ids } = input;
  const passes = namedPasses(input);
  if (passes && (lines.length < passes.length || lines.some(({ listed }) => !listed)))
    throw new ShopError("product_unknown");
  if (ids && lines.length < new Set(ids).size) throw new ShopError("cart_line_unknown");
  if (lines.length === 0) throw new ShopError("nothing_selected");
  for (const line of lines) if (line.state === "sold_out") throw new ShopError("sold_out");
}

/**
 * The order must cost what its buyer was shown, when the call says so. The error names the total, so that the buyer can agree
 * to it with the next call.
 * @throws ShopError total_changed
 */
function assertExpectedTotal({ expected_total }: PlaceOrderInput, totalCents: number, locale: Locale): void {
  if (expected_total === undefined || expected_total === toDecimal(totalCents)) return;
  const params = {
    total: formatPrice(totalCents, locale),
    expected: formatPrice(Math.round(expected_total * 100), locale),
  };
  const message = errorMessage("total_changed", locale, params);
  throw new ShopError("total_changed", {
    params,
    issues: [{ path: "expected_total", message, actual: toDecimal(totalCents) }],
  });
}
