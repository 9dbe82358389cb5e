import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { decodeCursor, encodeCursor, ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue, rowCount, versionSql } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import type { ApprovalList, ApprovalsInput, ApprovalView } from "@/lib/staff/approvals/contract";

const MAX_LISTED = 200;

/** SQL: whether an approval still waits: in time, and requested by someone who still has a role for it. */
const IS_OPEN = sql`(a.state = 'asked' and a.expires_at > shop_now() and may_decide_approval(a, a.asked_by))`;

/**
 * SQL: what an open approval `a` would change, as it is now. What an import or an export would do is measured when the person
 * who asked runs it; of a campaign that is made, its action checks that there is none.
 */
const ABOUT = sql.raw(`case when a.state <> 'asked' then null
  when a.kind in ('grant_admin', 'grant_roles', 'remove_admin') then (
    select to_jsonb(m.roles) from staff_members m where m.user_id = a.payload->>'user_id' and m.ended_at is null)
  when a.kind = 'reset_factor' then (
    select jsonb_build_array(m.roles, (select f.id from second_factors f
      where f.user_id = m.user_id and f.confirmed_at is not null and f.ended_at is null))
    from staff_members m where m.user_id = a.payload->>'user_id' and m.ended_at is null)
  when a.kind = 'goodwill' then (
    select jsonb_build_array(o.status, l.state, l.refunded_cents) from order_lines l join orders o on o.id = l.order_id
    where l.id = a.payload->>'lineId')
  when a.kind = 'campaign_budget' then (
    select jsonb_build_array(c.enabled, c.free, c.monthly_budget_cents, c.daily_budget_cents, c.minimum_cents)
    from campaigns c where c.id = a.payload->>'campaign')
  when a.kind = 'commission' then (select jsonb_build_array(count(*), max(r.created_at)) from commission_rules r)
  when a.kind = 'payout_run' then (
    select jsonb_build_array(r.state, (select count(*) from payouts p where p.run_id = r.id and p.state = 'draft'),
      (select sum(p.cents) from payouts p where p.run_id = r.id and p.state = 'draft'))
    from payout_runs r where r.id = a.payload->>'run_id')
  when a.kind = 'write_off' then (
    select jsonb_build_array((select m.state from merchants m where m.id = a.payload->>'merchant_id'), sum(e.amount_cents))
    from ledger_entries e where e.merchant_id = a.payload->>'merchant_id' and e.account = 'merchant_payable')
  when a.kind = 'change_prices' then (
    select to_jsonb(p.revision) from products p where p.id = (a.payload->>'product_id')::int)
  when a.kind = 'change_products' then (
    select jsonb_agg(p.revision order by p.id) from products p
    where p.id in (select id::int from jsonb_array_elements_text(a.payload->'product_ids') id))
  when a.kind = 'end_merchant' then (
    select jsonb_build_array(m.state, m.name, m.trust, (select count(*) from products p where p.merchant_id = m.id and p.listed))
    from merchants m where m.id = a.payload->>'merchant_id') end`);

/** SQL: the version of an approval `a`: the request, and what it would change as it is now. */
export const APPROVAL_VERSION = versionSql(sql`a.id, a.kind, a.state, a.payload`, ABOUT);

const decidableBy = (userId: string) => sql`(can_decide_approval(a, ${userId})
  or (a.asked_by = ${userId} and may_decide_approval(a, ${userId}) and a.concerns is distinct from ${userId} and not has_other_decider(a)))`;

/**
 * The approvals that the viewer requested or may decide: the open ones, oldest first, or all of them, newest first.
 * @throws ShopError cursor_invalid
 */
export async function listApprovals(
  { userId }: StaffViewer,
  state: ApprovalsInput["state"],
  cursor?: string,
): Promise<ApprovalList> {
  const isOpen = state === "open";
  const [at, id] = decodeCursor(cursor, { state }, [TIME_PATTERN, ID_PATTERN]) ?? [];
  const place = sql`(${at ?? null}::timestamptz, ${id ?? null}::text)`;
  const rest = isOpen ? sql`(a.created_at, a.id) > ${place}` : sql`(a.created_at, a.id) < ${place}`;
  const rows = await db.execute<ApprovalView & { place: string }>(sql`
    select a.id as approval_id, a.kind, a.subject, case when a.state = 'asked' and not ${IS_OPEN} then 'expired' else a.state end as state,
      q.email as asked_by, d.email as decided_by, a.created_at as asked_at, a.decided_at, a.expires_at, a.alone, a.note, ${APPROVAL_VERSION} as version,
      ${IS_OPEN} and ${decidableBy(userId)} as decidable,
      to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
    from approvals a join users q on q.id = a.asked_by left join users d on d.id = a.decided_by
    where (a.asked_by = ${userId} or may_decide_approval(a, ${userId})) and ${isOpen ? IS_OPEN : sql`true`} and ${at ? rest : sql`true`}
    order by ${isOpen ? sql`a.created_at, a.id` : sql`a.created_at desc, a.id desc`} limit ${rowCount(MAX_LISTED + 1)}`);
  const shown = rows.slice(0, MAX_LISTED);
  const last = rows.length > MAX_LISTED ? shown.at(-1) : undefined;
  return {
    items: shown.map(({ place: _, ...item }) => ({
      ...item,
      asked_at: instant(item.asked_at),
      decided_at: instant(item.decided_at),
      expires_at: instant(item.expires_at),
    })),
    total: shown.length,
    next_cursor: last ? encodeCursor({ state }, [last.place, last.approval_id]) : null,
  };
}

/** Approvals to look at at most for the count of those that the viewer may decide. */
const COUNTED_APPROVALS = sql.raw("500");

/** Approvals that the viewer may decide now, the oldest first. */
export const countApprovals = ({ userId }: StaffViewer): Promise<QueueState> =>
  countQueue(sql`
    select a.created_at as at
    from (select * from approvals where state = 'asked' order by created_at, id limit ${COUNTED_APPROVALS}) o
    join approvals a on a.id = o.id
    where ${IS_OPEN} and ${decidableBy(userId)} order by a.created_at`);
