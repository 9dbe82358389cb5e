import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { PRICE_ENTRIES, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import {
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  NEEDS_CONSENT_SQL,
  warnedSql,
} from "@/lib/delivery/library/key-state-sql";
import { type GiftJson, selectGift } from "@/lib/orders/gifts/find-gift";
import { deliveredAtSql } from "@/lib/orders/refunds/find-refundable-line";
import { lineUnitsSql, SERVED_UNIT_SQL } from "@/lib/orders/refunds/lock-line-codes";
import {
  type RefundFacts,
  type RefusalJson,
  refusalSql,
  selectRefunds,
} from "@/lib/orders/refunds/select-refunds";
import type { RefundRequestState } from "@/lib/payments/refunds/contract";
import type { CodeRedemption, RefundRule } from "@/lib/payments/refunds/rules";
import { REDIRECT_METHODS } from "@/lib/payments/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { OrderProduct, OrderView } from "./contract";

type KeyJson = {
  id: string;
  revealed: string | null;
  activated: string | null;
  seen: boolean;
  needs_consent: boolean;
  redeem_by: string | null;
};

export type RequestJson = {
  state: RefundRequestState["state"];
  asked_at: string;
  answer_by: string;
  stated_country: string | null;
  refusal: RefusalJson | null;
};

type Texts = "product_image" | "language";
type Amounts = "price" | "added_tax" | "added_price" | "price_per_day" | "total" | "refunded_amount";
type Decisions = "refund" | "refund_request" | "can_refund" | "refund_at_once" | "withdrawable" | "review";

export type LineJson = {
  /** the fields that are shown as they are read */
  fields: Omit<OrderProduct, Texts | Amounts | Decisions | "keys">;
  translated: boolean;
  image: string;
  unit_price_cents: number;
  /** of a line that came from the cart, while the order is unpaid */
  added: { at: number; history: PriceEntry[] } | null;
  total_cents: number;
  added_tax_cents: number;
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
  /** what the withdrawal form counts: the units' current codes */
  units: { shown: boolean }[];
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

export type OrderRow = Pick<OrderView, OrderColumn | OrderTime | "payment_error"> &
  RefundFacts & {
    time_zone: string | null;
    subtotal_cents: number;
    discount_cents: number;
    added_tax_cents: number;
    total_cents: number;
    now: string;
    cancel_requested: boolean;
    /** null: no email with codes */
    email_failed: boolean | null;
    payment_checked: boolean;
    open_payment: OrderView["open_payment"];
    gift: GiftJson | null;
    coupon: { code: string; title: Record<Locale, string> } | null;
    lines: LineJson[];
    total: number;
  };

/** Orders with their lines and delivered keys, in one statement. */
export function selectOrders(locale: Locale, where: SQL, page: SQL): Promise<OrderRow[]> {
  return db.execute<OrderRow>(sql`
    select o.id as order_id, o.order_number, o.country, o.time_zone, o.user_id, o.status, o.send_email, o.transaction_id, o.subtotal_cents, o.discount_cents, o.added_tax_cents, o.total_cents,
      o.created_at, o.paid_at, o.hold_ends_at, shop_now() as now,
      o.cancel_requested_at is not null as cancel_requested, count(*) over ()::int as total,
      (select p.last_error from payments p where p.order_id = o.id and p.state <> 'canceled') as payment_error,
      ${warnedSql("o.id")} as payment_checked,
      (select json_build_object('method', p.method, 'state', case p.state when 'processing' then 'processing' else 'redirected' end)
        from payments p where p.order_id = o.id and o.status in ('pending', 'processingPayment')
          and p.state in ('requires_action', 'processing') and p.method in (${sql.join(
            REDIRECT_METHODS.map((method) => sql`${method}`),
            sql`, `,
          )})) as open_payment,
      (select m.state = 'failed' from mails m where m.order_number = o.order_number and m.event = 'keys'
        order by m.created_at desc, m.id desc limit 1) as email_failed, ${selectRefunds()}, ${selectGift()} as gift,
      (select json_build_object('code', c.code, 'title', g.title) from coupons c join campaigns g on g.id = c.campaign_id
        where c.id = o.coupon_id) as coupon,
      (select coalesce(json_agg(json_build_object(
          'fields', json_build_object('order_product_id', l.id, 'product_id', l.product_id, 'vip_id', l.plan_id, 'slug', pr.slug,
            'product_name', coalesce(t.name, translate_product_text(e.name, ${locale})), 'maker', pr.vendor, 'pass_type', l.pass_type, 'duration_days', l.duration_days,
            'quantity', l.quantity, 'refunded_quantity', l.refunded_quantity, 'state', l.state, 'pre_order', l.pre_order,
            'deliver_by', l.deliver_by, 'redeem_by', (select min(k.redeem_by) from keys k where k.order_line_id = l.id and k.state = 'reserved'), 'keep_in_library', l.keep_in_library, 'immediate_delivery', l.immediate_delivery,
            'immediate_consent_at', l.immediate_consent_at, 'consent_source', l.consent->>'source'),
          'translated', t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name, 'image', pr.image, 'unit_price_cents', l.unit_price_cents,
          'added', (select json_build_object('at', extract(epoch from l.cart_at)::float8 * 1000, 'history', ${sql.raw(PRICE_ENTRIES)})
            from plans pl where pl.id = l.plan_id and l.cart_at is not null and o.status in ('pending', 'processingPayment')),
          'total_cents', l.total_cents, 'added_tax_cents', l.added_tax_cents, 'refunded_cents', l.refunded_cents, 'limited_time', l.deal_id is not null,
          'reviewed', exists (select from reviews r where r.order_id = o.id and r.product_id = l.product_id)
            or exists (select from reviews r where r.user_id = o.user_id and r.product_id = l.product_id and r.state = 'published'),
          'own', exists (select from merchant_members m where m.merchant_id = pr.merchant_id and m.user_id = o.user_id and m.ended_at is null), 'delivered_at', ${deliveredAtSql("l")}, 'refund_rule', l.refund_rule,
          'request', (select json_build_object('state', q.state, 'asked_at', q.created_at, 'answer_by', q.answer_by, 'stated_country', q.stated_country,
              'refusal', ${refusalSql("o.id")})
            from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1),
          'keys', (select coalesce(json_agg(json_build_object('id', k.id, 'revealed', k.first_revealed_at, 'activated', k.activated_at, 'seen', ${CODE_SEEN_SQL},
              'needs_consent', ${NEEDS_CONSENT_SQL}, 'redeem_by', k.redeem_by) order by k.slot), '[]')
            from keys k where k.order_line_id = l.id and k.state = 'assigned' and ${CODE_OWNER_SQL} = o.user_id),
          'codes', (select coalesce(json_agg(json_build_object('redemption', k.redemption,
              'shown', k.first_revealed_at is not null or k.mailed_at is not null)), '[]')
            from keys k where k.order_line_id = l.id and ${SERVED_UNIT_SQL}),
          'units', ${lineUnitsSql(sql`o.id`)}) order by l.position), '[]')
        from order_lines l join products pr on pr.id = l.product_id
        left join product_texts t on t.product_id = pr.id and t.locale = ${locale}
        left join product_texts e on e.product_id = pr.id and e.locale = 'en'
        where l.order_id = o.id) as lines
    from orders o where ${where} ${page}`);
}
