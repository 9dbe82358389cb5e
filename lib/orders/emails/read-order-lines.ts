import { client } from "@/db/client";
import type { PassLine } from "@/emails/pass";
import type { Activation } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

/** A line with its order's columns. `totalCents`: of the line, after its share of the discount. */
export type MailLineRow = Omit<PassLine, "language"> & {
  order_subtotal_cents: number;
  order_discount_cents: number;
  order_added_tax_cents: number;
  order_total_cents: number;
  hold_ends_at: string;
  paid_at: string | null;
  payable: boolean;
  closed: boolean;
  translated: boolean;
  discount_cents: number;
  added_tax_cents: number;
  refunded_quantity: number;
  refunded_cents: number;
  limited_time: boolean;
  state: string;
  pre_order: boolean;
  releases_at: string | null;
  deliver_by: string | null;
  /** when the last unit was delivered */
  delivered_at: string | null;
  country: string | null;
  time_zone: string | null;
  assigned_units: number;
  activation: Activation;
  /** when the buyer consented to immediate delivery */
  agreed_at: string | null;
};

/** The data of an order's emails, read at send time; retries read the same values. */
export async function readOrderLines(orderId: string, locale: Locale): Promise<MailLineRow[]> {
  return client()<MailLineRow[]>`
    select o.subtotal_cents as order_subtotal_cents, o.discount_cents as order_discount_cents, o.added_tax_cents as order_added_tax_cents, o.total_cents as order_total_cents,
      o.hold_ends_at, o.paid_at, o.status in ('pending', 'processingPayment') and o.hold_ends_at > shop_now() as payable,
      o.status in ('cancelled', 'refunded') as closed, l.id as "lineId", coalesce(t.name, translate_product_text(e.name, ${locale})) as "productName",
      t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated, p.vendor, l.pass_type as "vipType", l.duration_days as "durationDays", l.quantity,
      l.total_cents as "totalCents", l.discount_cents, l.added_tax_cents, l.refunded_quantity, l.refunded_cents, l.deal_id is not null as limited_time,
      l.state, l.pre_order, pl.releases_at,
      l.deliver_by, (select max(unit.delivered_at) from (select min(fk.assigned_at) as delivered_at from (
        select slot, assigned_at from keys where order_line_id = l.id and assigned_at is not null
        union all select slot, assigned_at from returned_keys where order_line_id = l.id) fk group by fk.slot) unit) as delivered_at, o.country, o.time_zone, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as assigned_units,
      coalesce(pl.activation, p.activation) as activation, l.immediate_consent_at as agreed_at
    from orders o join order_lines l on l.order_id = o.id
    join products p on p.id = l.product_id join plans pl on pl.id = l.plan_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where o.id = ${orderId} order by l.position`;
}

export function toPassLine(
  row: Omit<PassLine, "language"> & { translated: boolean },
  locale: Locale,
): PassLine {
  const { lineId, productName, vendor, vipType, durationDays, quantity, totalCents } = row;
  const language = row.translated ? locale : "en";
  return { lineId, productName, vendor, language, vipType, durationDays, quantity, totalCents };
}

export const toDate = (text: string | null) => (text === null ? null : new Date(text));
