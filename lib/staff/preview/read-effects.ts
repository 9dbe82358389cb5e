import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { PassType } from "@/lib/catalog/rules";
import { COUPON_GIVEN } from "@/lib/coupons/rules";
import type { ProviderCalls } from "@/lib/payments/dry-run-provider";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import type { RecordedJob } from "@/lib/platform/dry-run-scope";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { NEW_PASSWORD_REQUIRED } from "@/lib/staff/customers/rules";
import type { Effect } from "@/lib/staff/preview/contract";
import { CODE_CHANGES, type CodeChange } from "@/lib/staff/preview/rules";
import type { Audited } from "./audited";
import { campaignEffects, couponTerms, type GivenCoupon } from "./campaign-effects";
import { type Before, WRITES } from "./read-before";

/** What the command has done, read in its transaction before the rollback. */
export async function readEffects(
  tx: Tx,
  before: Before,
  { calls, jobs }: { calls: ProviderCalls; jobs: readonly RecordedJob[] },
): Promise<Effect[]> {
  const named = (name: string, field: string) =>
    jobs.flatMap((job) => (job.name === name ? [String(job.payload[field])] : []));
  const [counted] = await tx.execute<{
    waiting_cents: number;
    paid_otherwise_cents: number;
    coupons_returned: number;
    coupons_inserted: number;
    sessions_updated: number;
  }>(sql`
    select (select coalesce(sum(amount_cents), 0)::int from refunds
        where id in ${inList(named("send-refund", "refundId"))} and state = 'pending') as waiting_cents,
      (select -coalesce(sum(amount_cents), 0)::int from ledger_entries
        where id > ${before.ledger_entry} and account = 'other_cash') as paid_otherwise_cents,
      (select count(distinct c.id)::int from order_events e join orders o on o.id = e.order_id
        join coupons c on c.id = o.coupon_id and c.state = 'open' where e.id > ${before.order_event}) as coupons_returned,
      ${WRITES}`);
  const statuses = await tx.execute<Extract<Effect, { kind: "order_status" }>>(sql`
    select 'order_status' as kind, o.order_number, o.status from orders o
    where o.id in (select order_id from order_events where id > ${before.order_event}) order by o.id`);
  const codes = await tx.execute<{ event: CodeChange; count: number }>(sql`
    select event, count(distinct key_id)::int as count from key_events
    where id > ${before.key_event} and event in ${[...CODE_CHANGES]} group by event`);
  const mails = await tx.execute<Extract<Effect, { kind: "email" }>>(sql`
    select 'email' as kind, event, to_address as "to" from mails
    where id in ${inList(named("send-mail", "mailId"))} and state = 'queued' order by created_at, id`);
  const audited = await tx.execute<Audited>(sql`
    select action, subject, detail->'before' as before, detail->'after' as after, (detail->>'products')::int as products,
      case when action = 'campaign_created' then detail->'after' end as terms, (detail->>'jobs')::int as jobs, (detail->>'left_staff_mode')::int as left_staff_mode, (select u.email from users u where u.id = subject) as person,
      case when action in ('product.created', 'product.changed')
        then jsonb_array_length(detail->'changes') + coalesce((detail->>'more')::int, 0) end as fields,
      (select c->>'after' from jsonb_array_elements(detail->'changes') c where action = 'product.changed' and c->>'path' = 'listed') as listed,
      case when action = 'order.cancelled' and detail->'after'->>'status' <> 'cancelled'
        then (select o.order_number from orders o where o.id = subject) end as open_cancellation,
      (select t.name from product_texts t where 'product:' || t.product_id = subject and t.locale = 'en') as product
    from audit_entries where id > ${before.audit_entry} order by id`);
  const given = await tx.execute<GivenCoupon>(sql`
    select amount_cents, percent, max_discount_cents, minimum_cents, first_order_only, expires_at from coupons
    where id in ${inList(audited.flatMap(({ action, subject }) => (action === COUPON_GIVEN ? [subject] : [])))} order by id`);
  const undecided = audited.flatMap(({ open_cancellation: number }) => (number === null ? [] : [number]));
  const countAudited = (action: string) => audited.filter((entry) => entry.action === action).length;
  const { waiting_cents, paid_otherwise_cents, coupons_returned, coupons_inserted, sessions_updated } =
    counted!;
  const count = (kind: CountedKind, n: number): Effect[] => (n > 0 ? [{ kind, count: n }] : []);
  const money = (kind: "money_returned" | "refund_waits" | "paid_otherwise", cents: number): Effect[] =>
    cents > 0 ? [{ kind, amount: toDecimal(cents) }] : [];
  return [
    ...money("money_returned", calls.refundedCents),
    ...money("refund_waits", waiting_cents),
    ...money("paid_otherwise", paid_otherwise_cents),
    ...count("payments_cancelled", calls.cancelledIntents.length),
    ...undecided.map((number) => ({ kind: "cancellation_open" as const, order_number: number })),
    ...statuses.filter(({ order_number }) => !undecided.includes(order_number)),
    ...CODE_CHANGES.flatMap((change) => {
      const changed = codes.find(({ event }) => event === change);
      return changed ? [{ kind: "codes" as const, change, count: changed.count }] : [];
    }),
    ...count("coupons_returned", coupons_returned),
    ...count("coupons_issued", coupons_inserted - before.coupons_inserted),
    ...given.map(couponTerms),
    ...count("coupons_revoked", countAudited("coupon_revoked")),
    ...count("referrals_refused", countAudited("referral_refused")),
    ...audited.flatMap(({ action, jobs }) =>
      action === "jobs.retried" && jobs ? [{ kind: "jobs_retried" as const, count: jobs }] : [],
    ),
    ...(countAudited("replacement.requested") > 0 ? [{ kind: "replacement_asked" as const }] : []),
    ...(countAudited("shop_closed") > 0 ? [{ kind: "shop_closed" as const }] : []),
    ...(countAudited("shop_opened") > 0
      ? [{ kind: "shop_opened" as const, count: await countDueJobs(tx) }]
      : []),
    ...audited.flatMap(campaignEffects),
    ...audited.flatMap(merchantEffects),
    ...audited.flatMap(productEffects),
    ...audited.flatMap(memberEffects),
    ...(await commissionEffects(tx, before)),
    ...(countAudited(NEW_PASSWORD_REQUIRED) > 0 ? [{ kind: "password_removed" as const }] : []),
    // A session that only leaves staff mode is updated too.
    ...(audited.some(({ left_staff_mode }) => left_staff_mode !== null)
      ? []
      : count("sessions_ended", sessions_updated - before.sessions_updated)),
    ...mails,
  ];
}

type CommissionRow = {
  merchant: string | null;
  category: string | null;
  vip_type: PassType | null;
  bps: number;
  fixed_cents: number;
  valid_from: string | null;
  former_bps: number | null;
  former_fixed_cents: number | null;
};

/** Rules of commission that were added, each with the one that counts for the same sales now. */
async function commissionEffects(tx: Tx, before: Before): Promise<Effect[]> {
  const rows = await tx.execute<CommissionRow>(sql`
    select m.name as merchant, r.category, r.pass_type as vip_type, r.bps, r.fixed_cents,
      case when r.valid_from > shop_now() then r.valid_from end as valid_from,
      former.bps as former_bps, former.fixed_cents as former_fixed_cents
    from audit_entries e join commission_rules r on r.id = e.subject left join merchants m on m.id = r.merchant_id
    left join lateral (
      select f.bps, f.fixed_cents from commission_rules f
      where f.id <> r.id and f.merchant_id is not distinct from r.merchant_id and f.category is not distinct from r.category
        and f.pass_type is not distinct from r.pass_type and f.valid_from <= shop_now()
      order by f.valid_from desc, f.created_at desc, f.id desc limit 1) former on true
    where e.id > ${before.audit_entry} and e.action = 'commission.added' order by e.id`);
  const rate = (bps: number, cents: number | null) => ({ percent: bps / 100, fixed: toDecimal(cents ?? 0) });
  return rows.map(({ bps, fixed_cents, former_bps, former_fixed_cents, valid_from, ...sales }) => ({
    kind: "commission",
    ...sales,
    before: former_bps === null ? null : rate(former_bps, former_fixed_cents),
    after: rate(bps, fixed_cents),
    valid_from: instant(valid_from),
  }));
}

/** The jobs that a worker would take now. The queue counts in real time. */
async function countDueJobs(tx: Tx): Promise<number> {
  const [row] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from graphile_worker.jobs
    where locked_at is null and attempts < max_attempts and run_at <= clock_timestamp()`);
  return row!.n;
}

type CountedKind = Exclude<
  Extract<Effect, { count: number }>["kind"],
  "codes" | "product_written" | "jobs_retried" | "shop_opened"
>;

/** What a change of a merchant's state does to its products, from its entry in the audit log. */
function merchantEffects({ action, before, after, products }: Audited): Effect[] {
  if (!action.startsWith("merchant.") || !products) return [];
  if (before === "active") return [{ kind: "products_off", count: products }];
  return after === "active" ? [{ kind: "products_on", count: products }] : [];
}

/** What an edit does to a product, from its entry in the audit log. */
function productEffects({ fields, product, listed }: Audited): Effect[] {
  if (fields === null) return [];
  const others = listed === null ? fields : fields - 1;
  return [
    ...(listed === null
      ? []
      : [{ kind: listed === "true" ? ("products_on" as const) : ("products_off" as const), count: 1 }]),
    ...(others > 0 ? [{ kind: "product_written" as const, product: product ?? "", count: others }] : []),
  ];
}

/** What a change of roles, or of the second factor, does to a staff member, from its entry in the audit log. */
function memberEffects({ before, after, left_staff_mode: left, person }: Audited): Effect[] {
  if (left === null) return [];
  const rolesOf = (value: Audited["before"]) =>
    STAFF_ROLES.filter((role) => Array.isArray(value) && value.includes(role));
  return [
    ...(Array.isArray(after)
      ? [{ kind: "roles" as const, person: person ?? "", before: rolesOf(before), after: rolesOf(after) }]
      : []),
    ...(left > 0 ? [{ kind: "staff_mode_ended" as const, count: left }] : []),
  ];
}

/** An empty list is invalid SQL. No id is empty. */
const inList = (ids: string[]) => (ids.length > 0 ? ids : [""]);
