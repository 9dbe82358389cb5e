import { sql } from "drizzle-orm";
import { client, db, statements, transaction } from "@/db/client";
import type { Activation } from "@/db/schema/catalog";
import type { MailProps } from "@/emails/render";
import { activationFor } from "@/lib/catalog/product/rules-activation";
import type { PassType } from "@/lib/catalog/rules";
import { decryptKeysForEmail } from "@/lib/delivery/library/queries";
import { refundDecision } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

export type MailLineRow = {
  order_id: string;
  subtotal_cents: number;
  discount_cents: number;
  total_cents: number;
  hold_ends_at: string;
  paid_at: string | null;
  payable: boolean;
  ended: boolean;
  line_id: string;
  name: string;
  translated: boolean;
  vendor: string;
  vip_type: PassType;
  duration_days: number | null;
  quantity: number;
  /** paid for the line, after its share of the discount */
  line_cents: number;
  line_discount_cents: number;
  refunded_quantity: number;
  refunded_cents: number;
  limited: boolean;
  state: string;
  pre_order: boolean;
  releases_at: string | null;
  deliver_by: string | null;
  has: number;
  activation: Activation;
  /** when the buyer agreed to immediate delivery */
  agreed_at: string | null;
};

/** The data of an order's emails, read at send time; retries read the same values. */
export async function readOrder(orderId: string, locale: Locale): Promise<MailLineRow[]> {
  return client()<MailLineRow[]>`
    select o.id as order_id, o.subtotal_cents, o.discount_cents, o.total_cents, o.hold_ends_at, o.paid_at,
      o.status in ('pending', 'processingPayment') and o.hold_ends_at > shop_now() as payable,
      o.status in ('cancelled', 'refunded') as ended,
      l.id as line_id, coalesce(t.name, e.name) as name, t.locale is not null as translated, p.vendor, l.pass_type as vip_type, l.duration_days,
      l.quantity, l.total_cents as line_cents, l.discount_cents as line_discount_cents, l.refunded_quantity, l.refunded_cents, l.deal_id is not null as limited, l.state, l.pre_order, pl.releases_at,
      l.deliver_by, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as has,
      coalesce(pl.activation, p.activation) as activation, l.immediate_consent_at as agreed_at
    from orders o join order_lines l on l.order_id = o.id
    join products p on p.id = l.product_id join plans pl on pl.id = l.plan_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where o.id = ${orderId} order by l.position`;
}

export const passLine = (row: MailLineRow, locale: Locale) => ({
  lineId: row.line_id,
  productName: row.name,
  vendor: row.vendor,
  language: row.translated ? locale : ("en" as const),
  vipType: row.vip_type,
  durationDays: row.duration_days,
  quantity: row.quantity,
  totalCents: row.line_cents,
});

/** An order as its emails list it: lines before the discount, and the totals. */
const boughtOrder = (rows: MailLineRow[], order: MailLineRow, locale: Locale) => ({
  lines: rows.map((row) => ({
    ...passLine(row, locale),
    totalCents: row.line_cents + row.line_discount_cents,
  })),
  subtotalCents: order.subtotal_cents,
  discountCents: order.discount_cents,
  totalCents: order.total_cents,
});

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

export async function orderPlacedMail(
  orderId: string,
  locale: Locale,
): Promise<MailProps["order-placed"] | null> {
  const rows = await readOrder(orderId, locale);
  const [order] = rows;
  if (!order || order.ended) return null; // a closed order needs no payment
  return {
    orderId,
    ...boughtOrder(rows, order, locale),
    payBy: order.paid_at ? null : dateOf(order.hold_ends_at),
  };
}

export async function paymentFailedMail(
  orderId: string,
  locale: Locale,
): Promise<MailProps["payment-failed"] | null> {
  const rows = await readOrder(orderId, locale);
  const [order] = rows;
  if (!order || order.ended || order.paid_at) return null; // paid or closed in the meantime
  return {
    orderId,
    ...boughtOrder(rows, order, locale),
    holdEndsAt: order.payable ? dateOf(order.hold_ends_at) : null,
  };
}

export async function orderExpiringMail(
  orderId: string,
  locale: Locale,
): Promise<MailProps["order-expiring"] | null> {
  const rows = await readOrder(orderId, locale);
  const [order] = rows;
  if (!order?.payable) return null; // paid, closed or expired in the meantime
  return {
    orderId,
    ...boughtOrder(rows, order, locale),
    holdEndsAt: new Date(order.hold_ends_at),
  };
}

/**
 * The delivery email: exactly the keys named in its references, in plain text; of those kept in the library their
 * number.
 */
export async function keysMail(
  orderId: string,
  keyIds: string[],
  locale: Locale,
  kept: string[] = [],
): Promise<MailProps["keys"] | null> {
  const [rows, keys, waiting] = await Promise.all([
    readOrder(orderId, locale),
    openKeysOf(orderId, keyIds),
    countKept(kept),
  ]);
  const passes = rows.flatMap((row) => {
    const codes = keys
      .filter((key) => key.lineId === row.line_id)
      .map(({ code, redeemBy }) => ({ code, redeemBy }));
    const keptInLibrary = waiting.get(row.line_id) ?? 0;
    if (codes.length + keptInLibrary === 0) return [];
    const paidAt = dateOf(row.paid_at);
    const facts = {
      durationDays: row.duration_days,
      paidCents: row.line_cents - row.refunded_cents,
      limitedTime: row.limited,
      paidAt,
    };
    const guide = activationFor(row.activation, locale);
    return {
      ...passLine(row, locale),
      codes,
      keptInLibrary,
      redeemUrl: guide.url,
      steps: guide.steps,
      // As of the payment, so that a late email says the same.
      refund: refundDecision({ ...facts, redemption: "unknown" }, paidAt ?? new Date(0)),
    };
  });
  return passes.length > 0 ? { orderId, passes, agreedAt: dateOf(rows[0]!.agreed_at) } : null;
}

/** How many of these keys stay in the library, by line, without refunded ones. */
async function countKept(keyIds: string[]): Promise<Map<string, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db.execute<{ line_id: string; n: number }>(sql`
    select order_line_id as line_id, count(*)::int as n from keys where id in ${keyIds} and state = 'assigned' group by 1`);
  return new Map(rows.map((row) => [row.line_id, row.n]));
}

/**
 * Waits for a concurrent change of the order: a refund granted before the first mailing counts the codes as never
 * shown, so this must not read them earlier.
 */
const openKeysOf = (orderId: string, keyIds: string[]) =>
  transaction(async (tx) => {
    await statements(tx)`select 1 from orders where id = ${orderId} for share`;
    return decryptKeysForEmail(tx, keyIds);
  });

export async function delayMail(orderId: string, locale: Locale): Promise<MailProps["delay"] | null> {
  const rows = (await readOrder(orderId, locale)).filter((row) => row.state === "waiting" && row.deliver_by);
  const waiting = rows.map((row) => ({
    ...passLine(row, locale),
    quantity: row.quantity - row.has,
    releasesAt: row.pre_order ? dateOf(row.releases_at) : null,
    deliverBy: new Date(row.deliver_by!),
  }));
  return waiting.length > 0 ? { orderId, waiting } : null;
}

type RefundRow = {
  order_id: string;
  order_line_id: string | null;
  amount_cents: number;
  reason: MailProps["refund"]["cause"];
};

export async function refundMail(refundId: string, locale: Locale): Promise<MailProps["refund"] | null> {
  const [refund] = await db.execute<RefundRow>(
    sql`select order_id, order_line_id, amount_cents, reason from refunds where id = ${refundId}`,
  );
  if (!refund) return null;
  const rows = await readOrder(refund.order_id, locale);
  const whole = rows.reduce((sum, row) => sum + row.line_cents, 0) === refund.amount_cents;
  const lines =
    refund.order_line_id === null
      ? rows.filter(() => whole).map((row) => passLine(row, locale)) // an amount that matches no line
      : rows
          .filter((row) => row.line_id === refund.order_line_id)
          .map((row) => refundedLine(row, refund, locale));
  return { orderId: refund.order_id, cause: refund.reason, lines, amountCents: refund.amount_cents };
}

/** A partly refunded line: the refunded units and amount. */
const refundedLine = (row: MailLineRow, { amount_cents }: RefundRow, locale: Locale) => ({
  ...passLine(row, locale),
  quantity: amount_cents < row.line_cents && row.refunded_quantity > 0 ? row.refunded_quantity : row.quantity,
  totalCents: amount_cents,
});
