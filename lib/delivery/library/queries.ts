import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { activationFor } from "@/lib/catalog/product/rules";
import { type Activation, productImagePath } from "@/lib/catalog/rules";
import type { LibraryItem, LibraryList } from "@/lib/delivery/contract";
import {
  ACTIVATION_MINUTES,
  deviceFromActor,
  GIFT_REDEEM_DAYS,
  MASKED_CODE,
  passEnd,
  type ReplacementState,
} from "@/lib/delivery/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { versionSql } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

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

/** SQL: the refund of this order line is requested and undecided, so its codes are locked. */
export const refundRequestedSql = (line: string) =>
  sql.raw(`exists (select from refund_requests q where q.order_line_id = ${line}.id and q.state = 'asked')`);

/** SQL: the version of a code `k`: its state, and whether it was seen. */
export const KEY_VERSION = versionSql(
  sql`k.id, k.state, k.redemption, k.mailed_at is not null, k.first_revealed_at is not null, k.activated_at is not null`,
);

/** SQL: the payment of this order line is disputed, or its dispute was lost. */
export const disputedSql = (line: string) =>
  sql.raw(`exists (select from disputes d join orders disputed on disputed.id = d.order_id
    where d.order_id = ${line}.order_id and (d.is_open or (d.status = 'lost' and d.intent_id = disputed.transaction_id)))`);

/** SQL: the codes of this order line are locked by a refund request or a dispute. */
export const frozenLineSql = (line: string) => sql`(${refundRequestedSql(line)} or ${disputedSql(line)})`;

/**
 * SQL: the codes of this order line are mailed. Otherwise they lie in the library until their owner shows them
 * (docs/product.md#83-delivery).
 */
export const mailsCodesSql = (line: string) =>
  sql.raw(`(not ${line}.keep_in_library and ${line}.immediate_delivery is not false)`);

/**
 * SQL: until when a code of an order line must be sellable because the line is a gift that is not sent yet: its day and
 * GIFT_REDEEM_DAYS. Followed by the line's id.
 */
export const GIFT_UNTIL_SQL = `select (g.deliver_on + ${GIFT_REDEEM_DAYS})::timestamp at time zone 'UTC' from order_lines given
  join gifts g on g.order_id = given.order_id and g.state = 'scheduled' where given.id =`;

/**
 * SQL: the account that owns the codes of an order `o`: its buyer, or who claimed the gift. Nobody owns the codes of a gift
 * that waits for its recipient (docs/product.md#819-gifts).
 */
export const CODE_OWNER_SQL = sql.raw(`coalesce((select case gift.state when 'claimed' then gift.claimed_by
  when 'returned' then o.user_id else '' end from gifts gift where gift.order_id = o.id), o.user_id)`);

/** SQL: this order line belongs to a gift that did not return to its giver, so its codes are not the buyer's. */
export const giftedSql = (line: string) =>
  sql.raw(
    `exists (select from gifts gift where gift.order_id = ${line}.order_id and gift.state <> 'returned')`,
  );

/** SQL: the code of a key `k` was shown or mailed. */
export const CODE_SEEN_SQL = sql.raw("(k.first_revealed_at is not null or k.mailed_at is not null)");

/**
 * SQL: the code of a key `k` of a line `l` lies unseen by the buyer's choice, so that showing it is the consent. Lines
 * of orders from before the choice existed need none.
 */
export const NEEDS_CONSENT_SQL = sql`(not ${CODE_SEEN_SQL} and l.immediate_delivery is not null and not ${mailsCodesSql("l")})`;

/** SQL: when the pass of a key `k` started: its activation, else its first reveal. */
export const PASS_STARTED_AT_SQL = sql.raw("coalesce(k.activated_at, k.first_revealed_at)");

/** SQL: the activation of a key `k` can no longer be changed. */
export const ACTIVATION_FINAL_SQL = sql.raw(`exists (select from key_events e where e.key_id = k.id
  and e.event = 'activated' and e.created_at <= shop_now() - interval '${ACTIVATION_MINUTES} minutes')`);

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
      k.first_revealed_at, k.activated_at, k.redeem_by, (select gift.claimed_at from gifts gift where gift.order_id = o.id) as gift_claimed_at, ${refundRequestedSql("l")} as refund_asked, ${disputedSql("l")} as disputed,
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

/** SQL: the code of a key `k` of a line `l` may be in an email. */
export const MAILABLE_CODE_SQL = sql`(k.state = 'assigned' and not ${frozenLineSql("l")} and not ${giftedSql("l")} and (${mailsCodesSql("l")} or ${CODE_SEEN_SQL}))`;

/** Whether one of these codes of an order may be in an email now. */
export async function hasMailableCodes(tx: Db, orderId: string, keyIds: string[]): Promise<boolean> {
  if (keyIds.length === 0) return false;
  const mailable = await tx.execute(sql`
    select 1 from keys k join order_lines l on l.id = k.order_line_id
    where k.id in ${keyIds} and l.order_id = ${orderId} and ${MAILABLE_CODE_SQL} limit 1`);
  return mailable.length > 0;
}
