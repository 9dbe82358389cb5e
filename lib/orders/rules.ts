import { MAX_CART_LINES } from "@/lib/cart/rules";
import { MAX_QUANTITY } from "@/lib/catalog/rules";
import { toCents } from "@/lib/platform/money";

/** The spec's eight statuses (spec §4). */
export const ORDER_STATUSES = [
  "pending",
  "processingPayment",
  "paid",
  "processing",
  "shipped",
  "completed",
  "cancelled",
  "refunded",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_EVENTS = [
  "created",
  "payment_started",
  "payment_failed",
  "payment_verified",
  "free_completed",
  "assigned",
  "stock_short",
  "delivered",
  "cancelled",
  "expired",
  "refunded",
] as const;
export type OrderEvent = (typeof ORDER_EVENTS)[number];

/**
 * The transition table of reliability.md. The database holds the same rows (`order_transitions`) and refuses
 * any other jump; a law test compares the two.
 */
export const TRANSITIONS: readonly (readonly [from: OrderStatus, event: OrderEvent, to: OrderStatus])[] = [
  ["pending", "payment_started", "processingPayment"],
  ["processingPayment", "payment_failed", "pending"],
  ["pending", "payment_verified", "paid"],
  ["processingPayment", "payment_verified", "paid"],
  ["pending", "free_completed", "paid"],
  ["paid", "assigned", "shipped"],
  ["paid", "stock_short", "processing"],
  ["processing", "assigned", "shipped"],
  ["shipped", "delivered", "completed"],
  ["pending", "cancelled", "cancelled"],
  ["processingPayment", "cancelled", "cancelled"],
  ["pending", "expired", "cancelled"],
  ["processingPayment", "expired", "cancelled"],
  ["cancelled", "payment_verified", "paid"],
  ["cancelled", "refunded", "refunded"],
  ["paid", "refunded", "refunded"],
  ["processing", "refunded", "refunded"],
  ["shipped", "refunded", "refunded"],
  ["completed", "refunded", "refunded"],
];

/** Where an event leads from a status, or null where the table has no such row. */
export function nextStatus(from: OrderStatus, event: OrderEvent): OrderStatus | null {
  return TRANSITIONS.find((row) => row[0] === from && row[1] === event)?.[2] ?? null;
}

/** Stock is held this long from creation: the time remaining that the shopper sees. */
export const HOLD_MINUTES = 30;

/** So many units may wait in one buyer's unpaid orders: a full cart. Of a buyer without a proved address: one line. */
export const UNPAID_UNITS_MAX = MAX_CART_LINES * MAX_QUANTITY;
export const UNVERIFIED_UNITS_MAX = MAX_QUANTITY;

/** So long before the end of the hold an order that is not paid is brought back to mind. */
export const REMIND_MINUTES = 10;

/** A mail with the codes goes out again at most so often. */
export const RESENDS_PER_HOUR = 3;

/** What the sweeper finishes: anything that waits for an answer longer than this. */
export const SWEEP_AFTER_SECONDS = 120;

export const LINE_STATES = ["reserved", "waiting", "assigned", "released", "refunded"] as const;
export type LineState = (typeof LINE_STATES)[number];

/** Orders that still owe the shopper a payment, and so count down. */
export const isPayable = (status: OrderStatus) => status === "pending" || status === "processingPayment";

/** Orders whose money is in. */
export const isPaid = (status: OrderStatus) =>
  status === "paid" || status === "processing" || status === "shipped" || status === "completed";

/** What its owner may hide from the list (spec §4): nothing comes of it any more, and no money is on its way back. */
export const isDeletable = (status: OrderStatus, refundOpen: boolean) =>
  !refundOpen && (status === "cancelled" || status === "refunded" || status === "completed");

/**
 * What a line costs before the order's discount, in cents. Lists of lines show this; the discount is a row of its own
 * under them, so that lines, discount and total add up.
 */
export const lineCents = ({ price, quantity }: { price: number; quantity: number }): number =>
  Math.round(price * 100) * quantity;

/**
 * What the payment of a line is made of, in cents: its price less its part of the order's discount, and what of that
 * went back. What is left is what refundDecision gives for it.
 */
export function lineSums(line: { price: number; quantity: number; total: number; refunded_amount: number }) {
  const [price, paid, back] = [lineCents(line), toCents(line.total), toCents(line.refunded_amount)];
  return { price, discount: price - paid, paid, back };
}
