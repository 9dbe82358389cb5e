import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  daysSql,
  isValue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { referralVersionSql } from "@/lib/referrals/rewards/refuse-referral";
import type { ConsoleReferral, ConsoleReferralList, ConsoleReferralsInput } from "./contract";

const BY_TIME: readonly SortKey[] = [
  { value: sql`r.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`r.id`, type: "text", pattern: ID_PATTERN },
];

const STATE: SortKey = { value: sql`r.state`, type: "text", pattern: ID_PATTERN };

/** Reads invitations by state or by time. The ids of an address are found once, and compared on each row. */
function referralListQuery({ state, email, ...days }: ConsoleReferralsInput): ConsoleListQuery {
  const indexed: SQL[] = [];
  if (state) indexed.push(isValue(STATE, state));
  indexed.push(...daysSql(sql`r.created_at`, days));
  const account = sql`(select u.id from users u where lower(u.email) = ${email ?? null})`;
  return {
    from: sql`referrals r`,
    alias: sql`r`,
    columns: sql.raw(
      "r.id, r.inviter_id, r.friend_id, r.state, r.reason, r.created_at, r.due_at, r.decided_at, r.order_id, r.coupon_id",
    ),
    indexed,
    filters: email === undefined ? [] : [sql`${account} in (r.inviter_id, r.friend_id)`],
    walked: WALKED_ROWS,
    sort: state ? [STATE, ...BY_TIME] : BY_TIME,
    at: sql`r.created_at`,
  };
}

type Row = Omit<ConsoleReferral, "created_at" | "due_at" | "decided_at"> & {
  created_at: string;
  due_at: string | null;
  decided_at: string | null;
};

/**
 * A page of invitations, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleReferrals(input: ConsoleReferralsInput): Promise<ConsoleReferralList> {
  const query = referralListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as referral_id,
      (select json_build_object('customer_id', u.id, 'email', u.email) from users u where u.id = w.inviter_id) as inviter,
      (select json_build_object('customer_id', u.id, 'email', u.email) from users u where u.id = w.friend_id) as friend,
      w.state, w.reason, w.created_at, w.due_at, w.decided_at,
      (select o.order_number from orders o where o.id = w.order_id) as order_number,
      (select c.code from coupons c where c.id = w.coupon_id) as coupon_code,
      ${referralVersionSql("w")} as version, ${ROW_MARKS}
    from page w order by w.place`);
  return toPage(query, input, SCREEN, rows, (row) => ({
    ...row,
    created_at: instant(row.created_at),
    due_at: instant(row.due_at),
    decided_at: instant(row.decided_at),
  }));
}
