import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { declareQuery, equals, idKey, timeKey, withTimes } from "@/lib/platform/console/declare-query";
import { pageSql, ROW_MARKS, type RowMarks, SCREEN, toPage } from "@/lib/platform/console/query";
import { referralVersionSql } from "@/lib/referrals/rewards/refuse-referral";
import { ConsoleReferral, type ConsoleReferralList, type ConsoleReferralsInput } from "./contract";

/** Reads invitations by state or by time. The ids of an address are found once, and compared on each row. */
const referralListQuery = declareQuery<ConsoleReferralsInput>({
  table: "referrals r",
  columns: "id, inviter_id, friend_id, state, reason, created_at, due_at, decided_at, order_id, coupon_id",
  order: [timeKey("r.created_at"), idKey("r.id")],
  days: true,
  indexes: { state: equals(idKey("r.state")) },
  checks: {
    email: (email) =>
      sql`(select u.id from users u where lower(u.email) = ${email}) in (r.inviter_id, r.friend_id)`,
  },
});

/**
 * A page of invitations, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleReferrals(input: ConsoleReferralsInput): Promise<ConsoleReferralList> {
  const query = referralListQuery(input);
  const rows = await listDb.execute<ConsoleReferral & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as referral_id,
      (select json_build_object('customer_id', u.id, 'email', u.email) from users u where u.id = w.inviter_id) as inviter,
      (select json_build_object('customer_id', u.id, 'email', u.email) from users u where u.id = w.friend_id) as friend,
      w.state, w.reason, w.created_at, w.due_at, w.decided_at,
      (select o.order_number from orders o where o.id = w.order_id) as order_number,
      (select c.code from coupons c where c.id = w.coupon_id) as coupon_code,
      ${referralVersionSql("w")} as version, ${ROW_MARKS}
    from page w order by w.place`);
  return toPage(query, input, SCREEN, rows, withTimes(ConsoleReferral));
}
