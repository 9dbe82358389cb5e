import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { listOrderReplacements } from "@/lib/delivery/console/list-console-replacements";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import type { KeptCodes } from "@/lib/orders/console/rules";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";
import { sumGoodwill } from "@/lib/orders/refunds/give-goodwill";
import { LINE_VERSION } from "@/lib/orders/refunds/refund-versions";
import { isGivenAway, isPayable, whyKept } from "@/lib/orders/rules";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { findOrderForStaff } from "./find-order-for-staff";
import { listOrderRefunds } from "./list-console-refunds";
import {
  listNotes,
  readDisputes,
  readEvents,
  readFacts,
  readKeys,
  readLedger,
  readMails,
  readOtherOrders,
  readPaymentReviews,
  readPayments,
  readRefunds,
  readStaffEvents,
  readWarnings,
} from "./read-order-parts";
import { toTimeline } from "./to-timeline";

/** All `…_at` and `…_by` columns of a row as ISO 8601. */
const withInstants = <Row extends object>(rows: readonly Row[]): Row[] =>
  rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          /_at$|^redeem_by$/.test(name) && typeof value === "string" ? instant(value) : value,
        ]),
      ) as Row,
  );

const inUsd = <Row extends { cents: number }>({ cents, ...row }: Row) => ({
  ...row,
  amount: toDecimal(cents),
});

/** The page of a payment in the dashboard of Stripe; null: in the sandbox, or before there is one. */
function providerUrl(transactionId: string | null): string | null {
  const { PAYMENT_MODE: mode } = env();
  if (transactionId === null || mode === "sandbox") return null;
  return `https://dashboard.stripe.com/${mode === "test" ? "test/" : ""}payments/${encodeURIComponent(transactionId)}`;
}

/**
 * Everything that staff see of an order, by id or number: what waits for a decision, lines with their refund decision, the
 * buyer's other orders, payments, codes by reference, emails, ledger, notes, and one timeline of all of it. `viewer` does not
 * decide their own requests.
 * @throws ShopError order_unknown
 */
export async function getConsoleOrder(
  idOrNumber: string,
  locale: Locale,
  viewer: StaffViewer | null = null,
): Promise<ConsoleOrderDetail> {
  const order = await findOrderForStaff(idOrNumber, locale);
  if (!order) throw new ShopError("order_unknown");
  const { order_id: id } = order;
  const facts = (await readFacts(id))!;
  const lineVersions = await readLineVersions(id);
  const payments = withInstants(await readPayments(id));
  const refunds = withInstants(await readRefunds(id));
  const disputes = withInstants(await readDisputes(id));
  const warnings = withInstants(await readWarnings(id));
  const reviews = withInstants(await readPaymentReviews(id));
  const keys = withInstants(await readKeys(id));
  const mails = withInstants(await readMails(order.order_number));
  const ledger = withInstants(await readLedger(id));
  const notes = withInstants(await listNotes(id));
  const events = await readEvents(id);
  const staffEvents = await readStaffEvents(id, [
    ...order.order_products.map(({ order_product_id }) => order_product_id),
    ...refunds.map(({ refund_id }) => refund_id),
    ...keys.map(({ key_id }) => key_id),
    ...mails.map(({ mail_id }) => mail_id),
    ...disputes.map(({ dispute_id }) => dispute_id),
  ]);
  const { customer_id, email, username, gift, ...rest } = facts;
  const { asked, failed } = await listOrderRefunds(id, locale);
  return {
    order_id: id,
    order_number: order.order_number,
    status: order.status,
    created_at: order.created_at,
    paid_at: order.paid_at,
    hold_ends_at: order.hold_ends_at,
    cancel_requested: isPayable(order.status) && order.cancel_requested,
    customer: {
      customer_id,
      email,
      username,
      other_orders: withInstants(await readOtherOrders(customer_id, id)).map(
        ({ cents, refunded_cents, ...other }) => ({
          ...other,
          final_amount: toDecimal(cents),
          refunded: toDecimal(refunded_cents),
        }),
      ),
    },
    requests: {
      refunds: asked,
      failed_refunds: failed,
      replacements: await listOrderReplacements(viewer, id, locale),
    },
    send_email: order.send_email,
    country: order.country,
    subtotal: order.subtotal,
    discount_amount: order.discount_amount,
    final_amount: order.final_amount,
    goodwill_given: toDecimal(await sumGoodwill(db, id)),
    disputed: order.dispute_open,
    ...rest,
    gift: gift && { ...gift, send_at: instant(gift.send_at), claimed_at: instant(gift.claimed_at) },
    order_products: order.order_products.map((line) => toLine(line, lineVersions)),
    payments: payments.map((payment) => ({
      ...inUsd(payment),
      provider_url: providerUrl(payment.transaction_id),
    })),
    refunds: refunds.map(inUsd),
    disputes: disputes.map(inUsd),
    fraud_warnings: warnings,
    payment_reviews: reviews,
    keys,
    mails,
    ledger: ledger.map(inUsd),
    notes,
    timeline: toTimeline({
      payments,
      refunds,
      disputes,
      warnings,
      reviews,
      mails,
      notes,
      events,
      staffEvents,
      kept: whereKept(order),
    }),
  };
}

/** Where codes are that were not mailed; null: all were, or are to be. */
function whereKept(order: Pick<OrderView, "gift" | "order_products">): KeptCodes | null {
  const reasons = order.order_products.map(whyKept);
  const kept = reasons.filter((reason) => reason !== null);
  if (kept.length === 0) return null;
  if (isGivenAway(order)) return "gift";
  if (kept.length < reasons.length) return "some";
  return kept.includes("no_consent") ? "no_consent" : "by_choice";
}

/** The line without its codes, which only their owner sees, and without what a shopper may do. */
const toLine = (
  { keys, review, can_refund, ...line }: OrderProduct,
  versions: ReadonlyMap<string, string>,
): ConsoleOrderDetail["order_products"][number] => ({
  ...line,
  version: versions.get(line.order_product_id)!,
});

async function readLineVersions(id: string): Promise<Map<string, string>> {
  const rows = await db.execute<{ id: string; version: string }>(sql`
    select l.id, ${LINE_VERSION} as version from order_lines l join orders o on o.id = l.order_id where o.id = ${id}`);
  return new Map(rows.map((row) => [row.id, row.version]));
}
