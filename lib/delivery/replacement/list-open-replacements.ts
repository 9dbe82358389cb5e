import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { frozenLineSql } from "@/lib/delivery/library/key-state-sql";
import { versionSql } from "@/lib/platform/console/query";

export type OpenReplacement = {
  id: string;
  keyId: string;
  orderId: string;
  email: string;
  product: string;
  plan: string;
  reason: string;
  /** How often the code was shown or mailed. */
  shown: number;
  stock: number;
  askedAt: string;
  version: string;
};

/** Showings of a code, and approved requests of its owner, are counted to this number. */
const COUNTED = sql.raw("100");

/** SQL: the version of a request `request` about a code `k` of a line `l`: what staff decide by. */
export const replacementVersionSql = (request: string): SQL<string> => {
  const r = (column: string) => sql.raw(`${request}.${column}`);
  return versionSql(
    sql`${r("id")}, ${r("state")}, ${r("reason")}, ${r("asked_by")}, ${r("user_id")}, k.state, k.redemption`,
    frozenLineSql("l"),
    sql`(select count(*) from (select from key_events v where v.key_id = k.id and v.event in ('revealed', 'mailed') limit ${COUNTED}) shown)`,
    sql`(select count(*) from (select from replacement_requests e where e.user_id = ${r("user_id")} and e.state = 'approved'
      limit ${COUNTED}) approved)`,
  );
};

/** Open replacement requests, oldest first; for staff. */
export const listOpenReplacements = (): Promise<OpenReplacement[]> =>
  db.execute<OpenReplacement>(sql`
    select r.id, r.key_id as "keyId", l.order_id as "orderId", u.email, p.slug as product,
      l.pass_type || coalesce(':' || l.duration_days, '') as plan, r.reason, r.created_at as "askedAt",
      ${replacementVersionSql("r")} as version,
      (select count(*)::int from key_events e where e.key_id = r.key_id and e.event in ('revealed', 'mailed')) as shown,
      (select count(*)::int from keys k where k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}) as stock
    from replacement_requests r join keys k on k.id = r.key_id join order_lines l on l.id = k.order_line_id
    join products p on p.id = l.product_id join users u on u.id = r.user_id
    where r.state = 'asked' order by r.created_at, r.id`);
