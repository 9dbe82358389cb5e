import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { activationFor } from "@/lib/catalog/product/rules";
import { type Activation, productImagePath } from "@/lib/catalog/rules";
import type { LibraryItem, LibraryList } from "@/lib/delivery/contract";
import { deviceFromActor, MASKED_CODE, passEnd, type ReplacementState } from "@/lib/delivery/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import {
  ACTIVATION_FINAL_SQL,
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  disputedSql,
  NEEDS_CONSENT_SQL,
  PASS_STARTED_AT_SQL,
  refundRequestedSql,
  WARNED_CODE_SQL,
} from "./key-state-sql";

type Computed =
  | "product_image"
  | "price"
  | "vip_type"
  | "language"
  | "masked_code"
  | "revealed_at"
  | "ends_at";
type LibraryRow = Omit<LibraryItem, Computed | "reveals" | "replacement" | "activation"> & {
  translated: boolean;
  image: string;
  first_revealed_at: string | null;
  price_cents: number | null;
  reveals: { event: "revealed" | "mailed"; actor: string; at: string }[];
  replacement: {
    state: ReplacementState;
    asked_by_staff: boolean;
    asked_at: string;
    decided_at: string | null;
  } | null;
  activation: Activation;
  now: string;
};

const REVEALS = sql`(select coalesce(json_agg(e order by e.id desc), '[]') from (
  select id, event, actor, created_at as at from key_events
  where key_id = k.id and event in ('revealed', 'mailed') order by id desc limit 50) e)`;

/**
 * SQL: the newest replacement request. It is shown with the old code while open or refused, with the new code once
 * approved.
 */
const REPLACEMENT = sql`(select json_build_object('state', r.state, 'asked_by_staff', r.asked_by is not null, 'asked_at', r.created_at, 'decided_at', r.decided_at)
  from replacement_requests r where r.key_id = k.id or r.new_key_id = k.id order by r.created_at desc, r.id desc limit 1)`;

/**
 * The viewer's passes, bought or claimed as gifts (docs/product.md#31-fields-in-calls): soonest end first, expired ones last; otherwise the
 * newest order first, in the order of its lines.
 */
export async function listLibrary(viewer: UserViewer, locale: Locale): Promise<LibraryList> {
  const rows = await db.execute<LibraryRow>(sql`
    select k.id as library_id, case when o.user_id = ${viewer.userId} then o.id end as order_id, k.order_line_id as order_product_id, p.id as product_id, l.plan_id as vip_id,
      l.unit_price_cents > 0 as can_buy_again, case when o.user_id = ${viewer.userId} then l.unit_price_cents end as price_cents, p.slug, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name,
      t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated, p.image, p.vendor as maker, l.pass_type, l.duration_days, k.assigned_at,
      k.first_revealed_at, k.activated_at, k.redeem_by, (select gift.claimed_at from gifts gift where gift.order_id = o.id) as gift_claimed_at, ${refundRequestedSql("l")} as refund_asked, ${disputedSql("l")} as disputed, ${WARNED_CODE_SQL} as payment_checked,
      ${CODE_SEEN_SQL} as seen, ${NEEDS_CONSENT_SQL} as needs_consent, ${CODE_SEEN_SQL} and not ${ACTIVATION_FINAL_SQL} as can_activate, ${REVEALS} as reveals, ${REPLACEMENT} as replacement, coalesce(pl.activation, p.activation) as activation, shop_now() as now
    from keys k
    join order_lines l on l.id = k.order_line_id
    join orders o on o.id = l.order_id
    join products p on p.id = l.product_id
    join plans pl on pl.id = l.plan_id
    cross join lateral (select ${PASS_STARTED_AT_SQL} + make_interval(days => l.duration_days) as at) ends
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where o.id in (select id from orders where user_id = ${viewer.userId} union select order_id from gifts where claimed_by = ${viewer.userId})
      and ${CODE_OWNER_SQL} = ${viewer.userId} and k.state = 'assigned'
    order by coalesce(ends.at <= shop_now(), false), case when ends.at <= shop_now() then null else ends.at end nulls last,
      ends.at desc, o.created_at desc, o.id, l.position, k.slot
    limit 500`);
  const items = rows.map((row) => toLibraryItem(row, locale));
  return { items, total: items.length, server_time: instant(rows[0]?.now ?? new Date().toISOString()) };
}

function toLibraryItem(row: LibraryRow, locale: Locale): LibraryItem {
  const { translated, image, first_revealed_at, now, price_cents, ...item } = row;
  return {
    ...item,
    price: price_cents === null ? null : toDecimal(price_cents),
    vip_type: passLabel(item, locale),
    product_image: productImagePath(row.product_id, image),
    language: translated ? locale : "en",
    masked_code: MASKED_CODE,
    assigned_at: instant(row.assigned_at),
    revealed_at: instant(first_revealed_at),
    redeem_by: instant(row.redeem_by),
    activated_at: instant(row.activated_at),
    gift_claimed_at: instant(row.gift_claimed_at),
    ends_at: passEnd(row.activated_at ?? first_revealed_at, row.duration_days)?.toISOString() ?? null,
    reveals: row.reveals.map(({ event, actor, at }) => ({
      at: instant(at),
      way: event === "mailed" ? "mailed" : "shown",
      device: event === "mailed" ? null : deviceFromActor(actor),
    })),
    replacement: row.replacement && {
      state: row.replacement.state,
      asked_by_staff: row.replacement.asked_by_staff,
      asked_at: instant(row.replacement.asked_at),
      decided_at: instant(row.replacement.decided_at),
    },
    activation: activationFor(row.activation, locale),
  };
}
