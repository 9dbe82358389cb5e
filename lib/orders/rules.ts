import { MAX_CART_LINES } from "@/lib/cart/rules";
import type { StockState } from "@/lib/catalog/contract";
import { MAX_QUANTITY } from "@/lib/catalog/rules";
import type { GiftState } from "@/lib/orders/gifts/rules";
import { toCents, toSignedCents } from "@/lib/platform/money";

/** The order statuses (docs/product.md#42-order-status). */
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
  "reopened",
] as const;
export type OrderEvent = (typeof ORDER_EVENTS)[number];

/**
 * The transition table of docs/reliability.md#orders. The database holds the same rows (`order_transitions`) and
 * refuses any other transition; an architecture test compares the two.
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
  ["refunded", "reopened", "shipped"],
];

export function nextStatus(from: OrderStatus, event: OrderEvent): OrderStatus | null {
  return TRANSITIONS.find((row) => row[0] === from && row[1] === event)?.[2] ?? null;
}

/** How long an unpaid order holds its stock, and one with a plan of low stock; the shopper sees the remaining time. */
export const HOLD_MINUTES = 30;
export const LOW_STOCK_HOLD_MINUTES = 15;

/** How long an order of lines with these stock states holds its stock. */
export const holdMinutes = (stockStates: readonly StockState[]): number =>
  stockStates.includes("low") ? LOW_STOCK_HOLD_MINUTES : HOLD_MINUTES;

/**
 * Limits on unpaid orders (docs/product.md#89-unpaid-orders), counted per email identity: orders, and units (a full cart,
 * or one line while the address is unverified).
 */
export const UNPAID_ORDERS_MAX = 5;
export const UNPAID_UNITS_MAX = MAX_CART_LINES * MAX_QUANTITY;
export const UNVERIFIED_UNITS_MAX = MAX_QUANTITY;

/**
 * Limits on further unpaid orders: all of unverified identities, and those of a verified one that has an unpaid order.
 * Units per device and per address group, and the share of a plan's stock that all unpaid orders together may hold.
 */
export const FURTHER_UNITS_PER_DEVICE = 20;
export const FURTHER_UNITS_PER_ADDRESS = 40;
export const HELD_STOCK_SHARE = 0.5;

/** Unpaid orders of a day (cancelled or expired), of an account or an address group, after which a first one is like a further one. */
export const EXEMPTION_ENDS_AFTER = 3;

/** Unpaid orders of a day after which the next order must wait, and for how long: at first, and at most. */
export const PAUSE_AFTER_ORDERS = 5;
export const PAUSE_MINUTES = 15;
export const PAUSE_MINUTES_MAX = 12 * 60;

/** Minutes from the end of the last of so many unpaid orders (cancelled or expired) to the next order; 0: no pause. */
export const pauseMinutes = (unpaidOrders: number): number =>
  unpaidOrders < PAUSE_AFTER_ORDERS
    ? 0
    : Math.min(PAUSE_MINUTES * 2 ** (unpaidOrders - PAUSE_AFTER_ORDERS), PAUSE_MINUTES_MAX);

/** An order that is unpaid for this long is mailed to its buyer as held. */
export const HELD_MAIL_MINUTES = 10;

/**
 * The reminder of an unpaid order is mailed this long before its hold ends, except for holds so short that the email
 * above has just been sent.
 */
export const REMIND_MINUTES = 10;

export const RESENDS_PER_HOUR = 3;

/** The sweeper handles work that has waited longer than this. */
export const SWEEP_AFTER_SECONDS = 120;

export const LINE_STATES = ["reserved", "waiting", "assigned", "released", "refunded"] as const;
export type LineState = (typeof LINE_STATES)[number];

export const isPayable = (status: OrderStatus) => status === "pending" || status === "processingPayment";

export const isPaid = (status: OrderStatus) =>
  status === "paid" || status === "processing" || status === "shipped" || status === "completed";

/** Whether the codes of a line lie in the library until their owner shows them, instead of being mailed. */
export const staysInLibrary = (line: { keep_in_library: boolean; immediate_delivery: boolean | null }) =>
  line.keep_in_library || line.immediate_delivery === false;

/** Why the codes of a line lie in the library: no consent to immediate delivery, or the shopper's choice. null: they are mailed. */
export const whyKept = (line: Parameters<typeof staysInLibrary>[0]): "no_consent" | "by_choice" | null => {
  if (line.immediate_delivery === false) return "no_consent";
  return line.keep_in_library ? "by_choice" : null;
};

/**
 * Whether the buyer must choose how the codes are delivered: the law asks for a consent to immediate delivery. A free order
 * carries no right of withdrawal.
 */
export const mustChooseDelivery = (order: { withdrawal_applies: boolean; final_amount: number }) =>
  order.withdrawal_applies && order.final_amount > 0;

/** Whether the codes of an order belong to the recipient of a gift, or wait for one. */
export const isGivenAway = (order: { gift: { state: GiftState } | null }) =>
  order.gift !== null && order.gift.state !== "returned";

/** Whether all passes of an order are pre-ordered: it waits for their releases, not for stock. */
export const isPreOrder = (lines: readonly { pre_order: boolean }[]) =>
  lines.length > 0 && lines.every((line) => line.pre_order);

/**
 * What an order's badge says: its status, that it is a pre-order, or what has become of its gift or of a refund that is
 * not paid out yet
 * (docs/product.md#42-order-status).
 */
export function orderBadge({
  status,
  refunds,
  gift,
  order_products,
}: {
  status: OrderStatus;
  refunds: readonly { step: string }[];
  gift: { state: GiftState; email_failed: boolean } | null;
  order_products: readonly { pre_order: boolean }[];
}) {
  if (status === "processing" && isPreOrder(order_products)) return "pre_ordered";
  if (status === "refunded" && refunds.some(({ step }) => step !== "done")) return "refunding";
  const delivered = status === "shipped" || status === "completed";
  if (!delivered || !gift || gift.state === "returned") return status;
  return gift.email_failed ? "gift_failed" : (`gift_${gift.state}` as const);
}

type DeliveredLine = Parameters<typeof staysInLibrary>[0] & { keys: readonly { seen: boolean }[] };

/** Whether codes of a shipped order are on their way by email. Other unrevealed codes are in the library. */
export const awaitsEmail = (order: {
  status: OrderStatus;
  email_failed: boolean;
  order_products: readonly DeliveredLine[];
}) =>
  order.status === "shipped" &&
  !order.email_failed &&
  order.order_products.some((line) => !staysInLibrary(line) && line.keys.some((key) => !key.seen));

/** Orders that their owner may hide (docs/product.md#42-order-status): final, and without an open refund. */
export const isDeletable = (status: OrderStatus, refundOpen: boolean) =>
  !refundOpen && (status === "cancelled" || status === "refunded" || status === "completed");

/**
 * The price of a line before the order's discount, in cents. The discount is a separate row, so that lines, discount
 * and total add up.
 */
export const lineCents = ({ price, quantity }: { price: number; quantity: number }): number =>
  Math.round(price * 100) * quantity;

/**
 * The amounts of a line in cents: price, share of the discount, paid, refunded. Paid less refunded is the amount that
 * `refundDecision` returns.
 */
export function lineSums(line: {
  price: number;
  quantity: number;
  added_tax: number;
  total: number;
  refunded_amount: number;
}) {
  const price = lineCents(line);
  const paid = toCents(line.total);
  const tax = toSignedCents(line.added_tax);
  return { price, discount: price + tax - paid, tax, paid, refunded: toCents(line.refunded_amount) };
}

type RefundableLine = Parameters<typeof staysInLibrary>[0] & {
  can_refund: boolean;
  refund_at_once: boolean;
  refund: { amount: number; until: string | null };
};

/**
 * What showing this code for the first time costs: while no code of the line was seen, its refund is instant; afterwards
 * the vendor confirms first. Amount in USD; null when showing it costs no refund, or when the code is mailed anyway.
 */
export const revealCost = (line: RefundableLine, key: { seen: boolean }) =>
  staysInLibrary(line) && !key.seen && line.can_refund && line.refund_at_once
    ? { amount: line.refund.amount, until: line.refund.until }
    : null;

type RefusedLine = {
  refund: { reason: string };
  refund_request: { refused_by: "vendor" | "shop" | null } | null;
};

/** Whether the codes count as used only because staff refused the refund. Their reason is shown instead. */
export const isRefusedByStaff = ({ refund, refund_request }: RefusedLine): boolean =>
  refund_request?.refused_by === "shop" && refund.reason === "redeemed";

/** Whether a paid line can be cancelled because none of its codes is delivered. */
export const isCancellable = (line: { can_refund: boolean; refund: { reason: string } }): boolean =>
  line.can_refund && line.refund.reason.startsWith("before_delivery");
