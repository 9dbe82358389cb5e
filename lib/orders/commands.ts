import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { lockLinesForOrder, type PricedLine } from "@/lib/cart/queries";
import { holdCoupon, takeCoupon } from "@/lib/coupons/commands";
import { reserveKeys, type TakeMode } from "@/lib/delivery/commands";
import { STOCK_DEADLINE_HOURS } from "@/lib/delivery/rules";
import { ShopError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n";
import { newId } from "@/lib/id";
import { formatPrice, splitByLargestRemainder, toDecimal } from "@/lib/money";
import { LEAST_CHARGE_CENTS } from "@/lib/payments/rules";
import { REFUND_DAYS, refundDecision } from "@/lib/payments/rules-refund";
import type { UserViewer } from "@/lib/session";
import { claimDeal, claimPurchases, lockBuyer, refuseOwedStock } from "./commands-claims";
import { requireDeliverableEmail } from "./commands-email";
import { tellPlaced } from "./commands-reminder";
import type { OrderPlaced, PlaceOrderInput } from "./contract";
import { HOLD_MINUTES } from "./rules";

type PricedOrderLine = PricedLine & {
  lineId: string;
  dealId: string | null;
  unitPriceCents: number;
  /** This line's part of the order's discount. */
  discountCents: number;
};

/** What an order comes to, in cents. */
type Sum = { subtotalCents: number; discountCents: number; totalCents: number; couponId: string | null };

class StockShort extends Error {}

/**
 * Makes an order of chosen cart lines: prices from the server, keys, deal units and purchase claims held for 30
 * minutes, all in one transaction (spec §7 `/order/create`). Tried first without waiting for rivals; when that is
 * short, once more standing in line for the rows that rivals may give back.
 * @throws ShopError cart_line_unknown, nothing_selected, sold_out, purchase_limit, plan_unavailable,
 *   delivery_email_unverified, email_unverified, amount_too_small, and what a coupon is refused for
 */
export async function placeOrder(
  viewer: UserViewer,
  input: PlaceOrderInput,
  locale: Locale,
): Promise<OrderPlaced> {
  const sendEmail = input.send_email ?? viewer.email;
  await requireDeliverableEmail(viewer, sendEmail);
  for (const mode of ["skip", "wait"] as const) {
    try {
      return await db.transaction((tx) =>
        placeOnce(tx, viewer, { ...input, send_email: sendEmail }, locale, mode),
      );
    } catch (error) {
      if (!(error instanceof StockShort))
        throw waitedTooLong(error) ? new ShopError("unavailable", { cause: error }) : error;
    }
  }
  throw new ShopError("sold_out");
}

/** A lock timeout (55P03) or a deadlock (40P01): nobody knows yet whether a key is free, so it is not "sold out". */
function waitedTooLong(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return ["55P03", "40P01"].includes((cause as { code?: string }).code ?? "");
}

async function placeOnce(
  tx: Tx,
  viewer: UserViewer,
  input: PlaceOrderInput & { send_email: string },
  locale: Locale,
  mode: TakeMode,
): Promise<OrderPlaced> {
  await lockBuyer(tx, viewer.userId);
  const chosen = await lockLinesForOrder(tx, viewer.userId, input.cart_record_ids);
  refuseUnfit(chosen, input.cart_record_ids);
  // A gift needs a proved address before anything is held, or throw-away accounts could hold all of them.
  if (!viewer.emailVerified && chosen.some((line) => line.priceCents === 0))
    throw new ShopError("email_unverified");
  const lines = await priceLines(tx, chosen);
  const sum = await sumUp(tx, viewer, input.coupon_code, lines, locale);
  const { totalCents, couponId } = sum;
  refuseUnchargeable(totalCents, locale);
  // Nor does a coupon that leaves nothing to pay make a gift without one: it could not be completed.
  if (!viewer.emailVerified && totalCents === 0) throw new ShopError("email_unverified");
  const orderId = newId("ord");
  const [order] = await tx.execute<{ hold_ends_at: string; created_at: string }>(sql`
    insert into orders (id, user_id, send_email, locale, subtotal_cents, discount_cents, total_cents, coupon_id, hold_ends_at)
    values (${orderId}, ${viewer.userId}, ${input.send_email}, ${locale}, ${sum.subtotalCents}, ${sum.discountCents},
      ${totalCents}, ${couponId}, shop_now() + make_interval(mins => ${HOLD_MINUTES}))
    returning hold_ends_at, created_at`);
  if (couponId) await holdCoupon(tx, couponId, viewer.userId, orderId);
  await insertLines(tx, orderId, lines, new Date(order!.created_at));
  await claimPurchases(tx, viewer.userId, orderId, lines);
  const held = lines.filter((line) => !line.preOrder);
  await refuseOwedStock(tx, held);
  const short = await reserveKeys(
    tx,
    held.map(({ lineId, planId, quantity }) => ({ lineId, planId, quantity })),
    mode,
  );
  if (short.length > 0) throw new StockShort();
  await tx.execute(sql`delete from cart_lines where id in ${chosen.map((line) => line.cartId)}`);
  await tx.execute(
    sql`insert into order_events (order_id, event, to_status) values (${orderId}, 'created', 'pending')`,
  );
  const holdEndsAt = new Date(order!.hold_ends_at);
  if (totalCents > 0) await tellPlaced(tx, { orderId, to: input.send_email, locale, holdEndsAt });
  return { order_id: orderId, final_amount: toDecimal(totalCents), hold_ends_at: holdEndsAt.toISOString() };
}

function refuseUnfit(lines: PricedLine[], ids: string[] | undefined): void {
  if (ids && lines.length < new Set(ids).size) throw new ShopError("cart_line_unknown");
  if (lines.length === 0) throw new ShopError("nothing_selected");
  for (const line of lines) if (line.state === "sold_out") throw new ShopError("sold_out");
}

/** Nobody could pay it: said before anything is held (docs/decisions/0045). Nothing to pay is another matter. */
function refuseUnchargeable(totalCents: number, locale: Locale): void {
  if (totalCents === 0 || totalCents >= LEAST_CHARGE_CENTS) return;
  throw new ShopError("amount_too_small", { params: { minimum: formatPrice(LEAST_CHARGE_CENTS, locale) } });
}

/** Claims the units of running deals; a deal that cannot serve the whole line leaves it at the regular price. */
async function priceLines(tx: Tx, lines: PricedLine[]): Promise<PricedOrderLine[]> {
  const priced: PricedOrderLine[] = [];
  for (const line of [...lines].sort((a, b) => a.planId - b.planId)) {
    const claimed = line.deal !== null && (await claimDeal(tx, line.deal.id, line.quantity));
    const dealId = claimed ? (line.deal?.id ?? null) : null;
    const unitPriceCents = dealId ? line.priceCents : line.regularPriceCents;
    priced.push({ ...line, lineId: newId("line"), dealId, unitPriceCents, discountCents: 0 });
  }
  return priced;
}

/** Adds up, takes the coupon and writes each line's part of its discount into the lines (largest remainder). */
async function sumUp(
  tx: Tx,
  viewer: UserViewer,
  couponCode: string | undefined,
  lines: PricedOrderLine[],
  locale: Locale,
): Promise<Sum> {
  const totals = lines.map((line) => line.unitPriceCents * line.quantity);
  const subtotalCents = totals.reduce((sum, total) => sum + total, 0);
  if (!couponCode) return { subtotalCents, discountCents: 0, totalCents: subtotalCents, couponId: null };
  const { couponId, discountCents } = await takeCoupon(tx, viewer, couponCode, subtotalCents, locale);
  const parts = splitByLargestRemainder(discountCents, totals);
  for (const [index, line] of lines.entries()) line.discountCents = parts[index] ?? 0;
  return { subtotalCents, discountCents, totalCents: subtotalCents - discountCents, couponId };
}

async function insertLines(tx: Tx, orderId: string, lines: PricedOrderLine[], now: Date): Promise<void> {
  for (const [position, line] of lines.entries()) {
    const totalCents = line.unitPriceCents * line.quantity - line.discountCents;
    const facts = {
      durationDays: line.durationDays,
      paidCents: totalCents,
      limitedTime: line.dealId !== null,
      paidAt: null,
    };
    const { refundable, reason } = refundDecision({ ...facts, redemption: "unknown" }, now);
    const rule = JSON.stringify({ days: REFUND_DAYS, refundable, reason });
    // A pre-order waits for its release, then as long as any line that waits for stock.
    const deliverBy =
      line.preOrder && line.releasesAt
        ? new Date(line.releasesAt.getTime() + STOCK_DEADLINE_HOURS * 3_600_000)
        : null;
    await tx.execute(sql`
      insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, discount_cents, total_cents,
        pass_type, duration_days, deal_id, pre_order, refund_rule, state, deliver_by)
      values (${line.lineId}, ${orderId}, ${line.productId}, ${line.planId}, ${position}, ${line.quantity},
        ${line.unitPriceCents}, ${line.discountCents}, ${totalCents}, ${line.passType}, ${line.durationDays}, ${line.dealId}, ${line.preOrder},
        ${rule}::jsonb, 'reserved', ${deliverBy?.toISOString() ?? null})`);
  }
}
