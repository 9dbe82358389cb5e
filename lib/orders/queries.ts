import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { orderEvents, orders } from "@/db/schema/orders";
import { payments } from "@/db/schema/payments";
import { listBillingAddresses } from "@/lib/accounts/billing/list-billing-addresses";
import { lowerPriceAt, PRICE_ENTRIES, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { productImagePath } from "@/lib/catalog/rules";
import { CODE_OWNER_SQL, CODE_SEEN_SQL, NEEDS_CONSENT_SQL } from "@/lib/delivery/library/queries";
import { MASKED_CODE } from "@/lib/delivery/rules";
import { type GiftJson, selectGift, toGiftView } from "@/lib/orders/gifts/queries";
import {
  deliveredAtSql,
  isRefundOpen,
  isUndelivered,
  type RefundFacts,
  type RefusalJson,
  refusalSql,
  SERVED_UNIT_SQL,
  selectRefunds,
  toOrderRefund,
} from "@/lib/orders/refunds/queries";
import { mustDeliverNow } from "@/lib/orders/returns/queries";
import { withdrawalApplies, withdrawalEnds } from "@/lib/orders/withdrawal/rules";
import type { RefundRequestState } from "@/lib/payments/refunds/contract";
import {
  type CodeRedemption,
  lineRedemption,
  REFUND_DAYS,
  type RefundRule,
  refundDecision,
  toRefundView,
} from "@/lib/payments/refunds/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { pastedEmail } from "@/lib/platform/mail/address";
import { pricePerDay, toDecimal } from "@/lib/platform/money";
import { sellerIdentity } from "@/lib/platform/seller";
import type { ListOrdersInput, OrderDetail, OrderList, OrderProduct, OrderView, Receipt } from "./contract";
import { isDeletable, isGivenAway, isPaid, isPayable, type OrderStatus } from "./rules";

type KeyJson = {
  id: string;
  revealed: string | null;
  seen: boolean;
  needs_consent: boolean;
  redeem_by: string | null;
};

type RequestJson = {
  state: RefundRequestState["state"];
  asked_at: string;
  answer_by: string;
  stated_country: string | null;
  refusal: RefusalJson | null;
};

type Texts = "product_image" | "language";
type Amounts = "price" | "added_price" | "price_per_day" | "total" | "refunded_amount";
type Decisions = "refund" | "refund_request" | "can_refund" | "refund_at_once" | "withdrawable" | "review";

type LineJson = {
  /** the fields that are shown as they are read */
  fields: Omit<OrderProduct, Texts | Amounts | Decisions | "keys">;
  translated: boolean;
  image: string;
  unit_price_cents: number;
  /** of a line that came from the cart, while the order is unpaid */
  added: { at: number; history: PriceEntry[] } | null;
  total_cents: number;
  refunded_cents: number;
  limited_time: boolean;
  reviewed: boolean;
  /** the buyer is a member of the product's merchant */
  own: boolean;
  delivered_at: string | null;
  refund_rule: RefundRule;
  request: RequestJson | null;
  keys: KeyJson[];
  /** all codes that serve or served the line's units */
  codes: CodeRedemption[];
};

type OrderColumn =
  | "order_id"
  | "order_number"
  | "country"
  | "user_id"
  | "status"
  | "send_email"
  | "transaction_id";
type OrderTime = "created_at" | "paid_at" | "hold_ends_at";

type OrderRow = Pick<OrderView, OrderColumn | OrderTime | "payment_error"> &
  RefundFacts & {
    time_zone: string | null;
    subtotal_cents: number;
    discount_cents: number;
    total_cents: number;
    now: string;
    cancel_requested: boolean;
    /** null: no email with codes */
    email_failed: boolean | null;
    gift: GiftJson | null;
    lines: LineJson[];
    total: number;
  };

/** Orders with their lines and delivered keys, in one statement. */
function selectOrders(locale: Locale, where: SQL, page: SQL): Promise<OrderRow[]> {
  return db.execute<OrderRow>(sql`
    select o.id as order_id, o.order_number, o.country, o.time_zone, o.user_id, o.status, o.send_email, o.transaction_id, o.subtotal_cents, o.discount_cents, o.total_cents,
      o.created_at, o.paid_at, o.hold_ends_at, shop_now() as now,
      o.cancel_requested_at is not null as cancel_requested, count(*) over ()::int as total,
      (select p.last_error from payments p where p.order_id = o.id and p.state <> 'canceled') as payment_error,
      (select m.state = 'failed' from mails m where m.order_number = o.order_number and m.event = 'keys'
        order by m.created_at desc, m.id desc limit 1) as email_failed, ${selectRefunds()}, ${selectGift()} as gift,
      (select coalesce(json_agg(json_build_object(
          'fields', json_build_object('order_product_id', l.id, 'product_id', l.product_id, 'vip_id', l.plan_id, 'slug', pr.slug,
            'product_name', coalesce(t.name, translate_product_text(e.name, ${locale})), 'maker', pr.vendor, 'pass_type', l.pass_type, 'duration_days', l.duration_days,
            'quantity', l.quantity, 'refunded_quantity', l.refunded_quantity, 'state', l.state, 'pre_order', l.pre_order,
            'deliver_by', l.deliver_by, 'redeem_by', (select min(k.redeem_by) from keys k where k.order_line_id = l.id and k.state = 'reserved'), 'keep_in_library', l.keep_in_library, 'immediate_delivery', l.immediate_delivery,
            'immediate_consent_at', l.immediate_consent_at, 'consent_source', l.consent->>'source'),
          'translated', t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name, 'image', pr.image, 'unit_price_cents', l.unit_price_cents,
          'added', (select json_build_object('at', extract(epoch from l.cart_at)::float8 * 1000, 'history', ${sql.raw(PRICE_ENTRIES)})
            from plans pl where pl.id = l.plan_id and l.cart_at is not null and o.status in ('pending', 'processingPayment')),
          'total_cents', l.total_cents, 'refunded_cents', l.refunded_cents, 'limited_time', l.deal_id is not null,
          'reviewed', exists (select from reviews r where r.order_id = o.id and r.product_id = l.product_id)
            or exists (select from reviews r where r.user_id = o.user_id and r.product_id = l.product_id and r.state = 'published'),
          'own', exists (select from merchant_members m where m.merchant_id = pr.merchant_id and m.user_id = o.user_id and m.ended_at is null), 'delivered_at', ${deliveredAtSql("l")}, 'refund_rule', l.refund_rule,
          'request', (select json_build_object('state', q.state, 'asked_at', q.created_at, 'answer_by', q.answer_by, 'stated_country', q.stated_country,
              'refusal', ${refusalSql("o.id")})
            from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1),
          'keys', (select coalesce(json_agg(json_build_object('id', k.id, 'revealed', k.first_revealed_at, 'seen', ${CODE_SEEN_SQL},
              'needs_consent', ${NEEDS_CONSENT_SQL}, 'redeem_by', k.redeem_by) order by k.slot), '[]')
            from keys k where k.order_line_id = l.id and k.state = 'assigned' and ${CODE_OWNER_SQL} = o.user_id),
          'codes', (select coalesce(json_agg(json_build_object('redemption', k.redemption,
              'shown', k.first_revealed_at is not null or k.mailed_at is not null)), '[]')
            from keys k where k.order_line_id = l.id and ${SERVED_UNIT_SQL})) order by l.position), '[]')
        from order_lines l join products pr on pr.id = l.product_id
        left join product_texts t on t.product_id = pr.id and t.locale = ${locale}
        left join product_texts e on e.product_id = pr.id and e.locale = 'en'
        where l.order_id = o.id) as lines
    from orders o where ${where} ${page}`);
}

/** The viewer's orders, newest first (`/order/list`, docs/product.md#75-orders-and-payment). */
export async function listOrders(
  viewer: UserViewer,
  { page, size }: ListOrdersInput,
  locale: Locale,
): Promise<OrderList> {
  const where = sql`o.user_id = ${viewer.userId} and o.hidden_at is null`;
  const newest = sql`order by o.created_at desc, o.id limit ${size} offset ${(page - 1) * size}`;
  const rows = await selectOrders(locale, where, newest);
  const total =
    rows[0]?.total ??
    (page > 1 ? await db.$count(orders, sql`user_id = ${viewer.userId} and hidden_at is null`) : 0);
  return { orders: rows.map((row) => toOrderView(row, locale)), total };
}

/**
 * The viewer's paid orders of which something can still be refunded or is still to be delivered, newest first, at most
 * 100: the library shows their refunds and what is not here yet.
 */
export async function listOpenOrders(viewer: UserViewer, locale: Locale): Promise<OrderView[]> {
  const where = sql`o.user_id = ${viewer.userId} and o.status in ('paid', 'processing', 'shipped', 'completed') and exists (
    select from order_lines open_line where open_line.order_id = o.id and (open_line.state in ('reserved', 'waiting') or exists (
      select from keys k where k.order_line_id = open_line.id and k.state = 'assigned'
        and k.assigned_at > shop_now() - make_interval(days => ${REFUND_DAYS + 1}))))`;
  const rows = await selectOrders(locale, where, sql`order by o.created_at desc, o.id limit 100`);
  return rows.map((row) => toOrderView(row, locale));
}

/** One of the viewer's orders, by id or number, with its history; null for an unknown order or another user's. */
export async function findOrder(
  viewer: UserViewer,
  orderId: string,
  locale: Locale,
  ip?: string,
): Promise<OrderDetail | null> {
  const where = sql`(o.id = ${orderId} or o.order_number = ${foldOrderNumber(orderId)}) and o.user_id = ${viewer.userId}`;
  const [row] = await selectOrders(locale, where, sql`limit 1`);
  if (!row) return null;
  const events = await db
    .select({ event: orderEvents.event, status: orderEvents.toStatus, at: orderEvents.createdAt })
    .from(orderEvents)
    .where(eq(orderEvents.orderId, row.order_id))
    .orderBy(orderEvents.id);
  const history = events.map((event) => ({ ...event, at: event.at.toISOString() }));
  const immediateOnly = isPayable(row.status) && (await mustDeliverNow(db, viewer, row.order_id, ip));
  return { ...toOrderView(row, locale), immediate_only: immediateOnly, history };
}

/**
 * Like `findOrder`, for API calls (`/admin/order/detail`, `/order/detail`, docs/product.md#75-orders-and-payment).
 * @throws ShopError order_unknown
 */
export async function getOrder(
  viewer: UserViewer,
  orderId: string,
  locale: Locale,
  ip?: string,
): Promise<OrderDetail> {
  const order = await findOrder(viewer, orderId, locale, ip);
  if (!order) throw new ShopError("order_unknown");
  return order;
}

/** The viewer's newest payable order, to which the cart links; null when there is none. */
export async function findOpenOrder(viewer: UserViewer) {
  const [order] = await db.execute<{ order_id: string; hold_ends_at: string }>(sql`
    select id as order_id, hold_ends_at from orders
    where user_id = ${viewer.userId} and status in ('pending', 'processingPayment') and hold_ends_at > shop_now()
    order by created_at desc limit 1`);
  return order ? { ...order, hold_ends_at: instant(order.hold_ends_at) } : null;
}

/** Where a page of one order leads without its id: to the order that waits for its payment, else to `otherwise`. */
export const toOpenOrder = (otherwise: string) => async (viewer: UserViewer, path: string) => {
  const order = await findOpenOrder(viewer);
  return order ? `${path}?order_id=${order.order_id}` : otherwise;
};

function toOrderView(row: OrderRow, locale: Locale): OrderView {
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
    final_amount: toDecimal(row.total_cents),
    currency: "usd",
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
    dispute_open: row.dispute === "open",
    dispute_lost: row.dispute === "lost",
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

function decideRefund(line: LineJson, { paid_at, dispute, gift }: OrderRow, now: Date) {
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
  const view = toRefundView(decision);
  const refund = isRefunded ? { ...view, refundable: false, amount: 0 } : view;
  return { decision, refund };
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
 * A delivered line whose code was seen, and that is not fully refunded, can be reviewed once, unless its codes are a gift to
 * somebody else. A merchant's members review none of its products.
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

/** Whether the texts of a line may promise the right of withdrawal; `withdrawalDecision` decides what is returned. */
function isWithdrawable(line: LineJson, order: OrderRow, now: Date): boolean {
  if (!withdrawalApplies(order.country, order.time_zone) || line.total_cents === 0) return false;
  if (line.fields.state === "refunded" || order.dispute !== null) return false;
  if (!order.paid_at) return true;
  // The codes of a claimed gift are somebody else's, but the payer's right ends where they were seen.
  const seen = line.keys.length > 0 ? line.keys.map((key) => key.seen) : line.codes.map((code) => code.shown);
  const hasUnseen = seen.length === 0 || seen.includes(false);
  return hasUnseen && now < withdrawalEnds(new Date(order.paid_at));
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
    total: toDecimal(line.total_cents),
    refunded_amount: toDecimal(line.refunded_cents),
    immediate_consent_at: instant(line.fields.immediate_consent_at),
    deliver_by: instant(line.fields.deliver_by),
    redeem_by: instant(line.fields.redeem_by),
    refund,
    refund_request: toRequestView(line.request),
    can_refund: isPaid(status) && refund.refundable && line.request?.state !== "asked",
    refund_at_once: !decision.needsVendorConfirmation,
    withdrawable: isWithdrawable(line, order, now),
    review: reviewState(line, order),
    keys: line.keys.map((key) => ({
      library_id: key.id,
      masked_code: MASKED_CODE,
      revealed_at: instant(key.revealed),
      seen: key.seen,
      needs_consent: key.needs_consent,
      redeem_by: instant(key.redeem_by),
    })),
  };
}

/** The id of the order with this number, or the text itself. Tells nobody whether an order exists. */
export async function resolveOrderId(idOrNumber: string): Promise<string> {
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.orderNumber, foldOrderNumber(idOrNumber)));
  return order?.id ?? idOrNumber.trim();
}

/** The delivery email of one of the viewer's orders; null when there is no such order. */
export async function findOwnOrder(viewer: UserViewer, orderId: string): Promise<{ email: string } | null> {
  const [order] = await db
    .select({ email: orders.sendEmail })
    .from(orders)
    .where(
      and(
        or(eq(orders.id, orderId), eq(orders.orderNumber, foldOrderNumber(orderId))),
        eq(orders.userId, viewer.userId),
      ),
    );
  return order ?? null;
}

/** Any order, by id or number, for staff; null for an unknown one. */
export async function findOrderForStaff(orderId: string, locale: Locale): Promise<OrderView | null> {
  const where = sql`o.id = coalesce((select id from orders where order_number = ${foldOrderNumber(orderId)}), ${orderId})`;
  const [row] = await selectOrders(locale, where, sql`limit 1`);
  return row ? toOrderView(row, locale) : null;
}

export type StaffOrder = {
  id: string;
  orderNumber: string;
  status: OrderStatus;
  totalCents: number;
  createdAt: string;
  email: string;
  products: string;
  /** the state of the gift and its recipient; null: no gift */
  gift: string | null;
};

/** Orders by number, id, or an email of delivery or account, newest first, at most 50; for staff. */
export async function findOrdersForStaff(text: string): Promise<StaffOrder[]> {
  const number = foldOrderNumber(text);
  const email = pastedEmail(text);
  return db.execute<StaffOrder>(sql`
    select o.id, o.order_number as "orderNumber", o.status, o.total_cents as "totalCents", o.created_at as "createdAt",
      u.email, (select string_agg(p.slug || ' × ' || l.quantity, ', ' order by l.position)
        from order_lines l join products p on p.id = l.product_id where l.order_id = o.id) as products,
      (select g.state || coalesce(' to ' || coalesce(c.email, g.recipient_email), '') from gifts g left join users c on c.id = g.claimed_by
        where g.order_id = o.id) as gift
    from orders o join users u on u.id = o.user_id
    where o.id = ${number} or o.order_number = ${number} or lower(o.send_email) = ${email} or lower(u.email) = ${email}
    order by o.created_at desc limit 50`);
}

/** The receipt of one of the viewer's orders; null for an unknown or unpaid order. */
export async function findReceipt(
  viewer: UserViewer,
  orderId: string,
  locale: Locale,
): Promise<Receipt | null> {
  const order = await findOrder(viewer, orderId, locale);
  if (!order?.paid_at) return null;
  const [{ addresses }, [payment]] = await Promise.all([
    listBillingAddresses(viewer),
    db
      .select({ method: payments.method })
      .from(payments)
      .where(and(eq(payments.orderId, order.order_id), eq(payments.state, "succeeded")))
      .limit(1),
  ]);
  return { order, addresses, method: payment?.method ?? null, seller: sellerIdentity() };
}
