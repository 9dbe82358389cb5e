import { sql } from "drizzle-orm";
import { ACTIVATION_MINUTES, GIFT_REDEEM_DAYS } from "@/lib/delivery/rules";
import { versionSql } from "@/lib/platform/console/query";

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

/** SQL: an early fraud warning about this order is not decided, so its unseen codes are locked. */
export const warnedSql = (order: string) =>
  sql.raw(`exists (select from fraud_warnings w where w.order_id = ${order} and w.decided_at is null)`);

/** SQL: the codes of this order line are locked by a refund request or a dispute. */
export const frozenLineSql = (line: string) => sql`(${refundRequestedSql(line)} or ${disputedSql(line)})`;

/**
 * SQL: the codes of this order line are mailed. Otherwise they stay in the library until their owner reveals
 * them (docs/product.md#83-delivery).
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
 * SQL: the account that owns the codes of an order `o`: its buyer, or the claimer of the gift. No one owns the codes of
 * a gift that waits for its recipient (docs/product.md#819-gifts).
 */
export const CODE_OWNER_SQL = sql.raw(`coalesce((select case gift.state when 'claimed' then gift.claimed_by
  when 'returned' then o.user_id else '' end from gifts gift where gift.order_id = o.id), o.user_id)`);

/** SQL: the code of a key `k` was shown or mailed. */
export const CODE_SEEN_SQL = sql.raw("(k.first_revealed_at is not null or k.mailed_at is not null)");

/** SQL: the code of a key `k` of a line `l` was not seen, and is locked by an early fraud warning. */
export const WARNED_CODE_SQL = sql`(not ${CODE_SEEN_SQL} and ${warnedSql("l.order_id")})`;

/**
 * SQL: the code of a key `k` of a line `l` stays unrevealed by the buyer's choice, so that showing it is the consent.
 * Lines of orders from before the choice existed need none.
 */
export const NEEDS_CONSENT_SQL = sql`(not ${CODE_SEEN_SQL} and l.immediate_delivery is not null and not ${mailsCodesSql("l")})`;

/** SQL: when the pass of a key `k` started: its activation, else its first reveal. */
export const PASS_STARTED_AT_SQL = sql.raw("coalesce(k.activated_at, k.first_revealed_at)");

/** SQL: the activation of a key `k` can no longer be changed. */
export const ACTIVATION_FINAL_SQL = sql.raw(`exists (select from key_events e where e.key_id = k.id
  and e.event = 'activated' and e.created_at <= shop_now() - interval '${ACTIVATION_MINUTES} minutes')`);
