import { type SQL, sql } from "drizzle-orm";
import { frozenLineSql, warnedSql } from "@/lib/delivery/library/key-state-sql";
import { versionSql } from "@/lib/platform/console/query";

/** Reveals of a code, and approved requests of its owner, are counted up to this number. */
const COUNTED = sql.raw("100");

/** SQL: the version of a request `request` about a code `k` of a line `l`: what staff decide by. */
export const replacementVersionSql = (request: string): SQL<string> => {
  const r = (column: string) => sql.raw(`${request}.${column}`);
  return versionSql(
    sql`${r("id")}, ${r("state")}, ${r("reason")}, ${r("asked_by")}, ${r("user_id")}, k.state, k.redemption`,
    sql`(${frozenLineSql("l")} or ${warnedSql("l.order_id")})`,
    sql`(select count(*) from (select from key_events v where v.key_id = k.id and v.event in ('revealed', 'mailed') limit ${COUNTED}) shown)`,
    sql`(select count(*) from (select from replacement_requests e where e.user_id = ${r("user_id")} and e.state = 'approved'
      limit ${COUNTED}) approved)`,
  );
};
