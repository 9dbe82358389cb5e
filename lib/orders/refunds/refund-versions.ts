import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { requireShownRow, versionSql } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";

/**
 * SQL: what is left of the money of an order, in cents: what its payments received, less its refunds (also those on
 * their way) and lost disputes; at least 0.
 */
export const capturedCentsSql = (orderId: string): SQL =>
  sql.raw(`greatest(0,
    (select -coalesce(sum(e.amount_cents), 0) from ledger_entries e where e.order_id = ${orderId} and e.account = 'sales')
    - (select coalesce(sum(taken.amount_cents), 0) from refunds taken
        where taken.order_id = ${orderId} and taken.state not in ('failed', 'cancelled'))
    - (select coalesce(sum(d.amount_cents), 0) from disputes d where d.order_id = ${orderId} and d.status = 'lost'))::int`);

/** SQL: what a request `request` that waits for a decision returns of its line if it is approved now, in cents. */
export const requestLeftSql = (request: string, line: string): SQL =>
  sql`least(${sql.raw(`${request}.amount_cents, ${line}.total_cents - ${line}.refunded_cents`)}, ${capturedCentsSql(`${line}.order_id`)})::int`;

/** SQL: the codes of a line `l`, those of them that were shown or mailed, and whether a dispute of its order `o` is open. */
export const CODES_SQL = sql`(select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned')`;
export const CODES_SEEN_SQL = sql`(select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned'
    and (k.mailed_at is not null or k.first_revealed_at is not null))`;
export const DISPUTED_SQL = sql`exists (select from disputes d where d.order_id = o.id and d.is_open)`;

/** SQL: the version of a refund request `request` of a line `l` of an order `o`: what staff are shown of it. */
export const requestVersionSql = (request: string): SQL<string> =>
  versionSql(
    sql.raw(
      `${request}.id, ${request}.state, ${request}.asked_by, ${request}.stated_country, o.country, l.state`,
    ),
    requestLeftSql(request, "l"),
    CODES_SQL,
    CODES_SEEN_SQL,
    DISPUTED_SQL,
  );

/** SQL: the version of a paid line `l` of an order `o`: what decides about its refund. */
export const LINE_VERSION = versionSql(
  sql`l.id, l.state, l.refunded_cents, o.status, o.country`,
  sql`(select q.state from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1)`,
  CODES_SQL,
  CODES_SEEN_SQL,
  DISPUTED_SQL,
);

/** SQL: what staff pay of a failed refund `refund` by other means, in cents. */
export const failedLeftSql = (refund: string): SQL =>
  sql`least(${sql.raw(`${refund}.amount_cents`)}, ${capturedCentsSql(`${refund}.order_id`)})::int`;

/** SQL: the version of a failed refund `refund` of an order `o`. */
export const failedVersionSql = (refund: string): SQL<string> =>
  versionSql(
    sql.raw(`${refund}.id, ${refund}.state, ${refund}.updated_at`),
    failedLeftSql(refund),
    DISPUTED_SQL,
  );

/** @throws ShopError revision_conflict: a line of a locked order is not as it was shown */
export const requireShownLine = (tx: Tx, seen: SeenVersion, lineId: string): Promise<void> =>
  requireShownRow(tx, seen, {
    version: LINE_VERSION,
    from: sql`order_lines l join orders o on o.id = l.order_id where l.id = ${lineId}`,
  });
