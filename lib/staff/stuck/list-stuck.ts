import { type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { SEALED_WITHIN_MINUTES } from "@/lib/delivery/custody/rules";
import { disputedSql, frozenLineSql } from "@/lib/delivery/library/key-state-sql";
import { SendMail } from "@/lib/notifications/contract";
import { describeDifference, type ReconciliationDifference } from "@/lib/payments/rules";
import { MAX_QUEUED, type QueueState } from "@/lib/platform/console/list";
import { rowCount } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { countLivePools } from "@/lib/platform/jobs/worker-liveness";
import { findShopClosure } from "@/lib/platform/shop-closure";
import { AUDIT_SEALED_WITHIN_MINUTES } from "@/lib/staff/rules";
import type { StuckBoard, StuckInput, StuckItem } from "@/lib/staff/stuck/contract";
import {
  COUNTED_KINDS,
  FAILED_MAIL_DAYS,
  RECONCILED_WITHIN_HOURS,
  STUCK_AFTER_MINUTES,
  STUCK_KINDS,
  STUCK_ROWS,
  type StuckKind,
} from "@/lib/staff/stuck/rules";

/** The columns that each statement returns. */
type Found = Pick<StuckItem, "id" | "why"> & { since: string };
/** What the job in the queue adds; null without one. */
type JobState = Pick<StuckItem, "error" | "attempts" | "next_at"> & { key: string | null };
type OfOrder = Found & Pick<StuckItem, "order_number">;
/** A row of any statement. */
type Row = Found & Partial<JobState & Omit<StuckItem, "kind" | "id" | "since" | "why">>;
/** One row by its id, or at most so many of the oldest. */
type Wanted = { id?: string; limit: number; locale: Locale };
type Find = (tx: Db, wanted: Wanted) => Promise<Row[]>;

const STUCK_TIME = sql.raw(`shop_now() - interval '${STUCK_AFTER_MINUTES} minutes'`);
const only = (column: SQL, id: string | undefined) => (id === undefined ? sql`true` : sql`${column} = ${id}`);

/** SQL: the job with this key as `j`, and what its state says. */
const jobOf = (key: SQL) => sql`left join graphile_worker.jobs j on j.key = ${key}`;
const JOB_WHY = sql`case when j.id is null then 'no_job' when j.locked_at is not null then 'running'
    when j.attempts >= j.max_attempts then 'given_up' when j.last_error is not null then 'failing' else 'queued' end as why`;
const JOB_NEXT = sql`case when j.run_at > now() then j.run_at end as next_at, j.key`;
const JOB_STATE = sql`j.last_error as error, j.attempts, ${JOB_NEXT}`;

/** Webhook events that are not processed: a payment that the shop does not know of, or a dispute. */
const findPaymentEvents: Find = (tx, { id, limit }) =>
  tx.execute<OfOrder & JobState & { about: string }>(sql`
    select w.id, w.created_at as since, ${JOB_WHY}, ${JOB_STATE}, o.order_number, w.type as about
    from webhook_events w ${jobOf(sql`w.id`)}
    left join payments p on p.intent_id = w.payload->>'payment_intent' left join orders o on o.id = p.order_id
    where w.processed_at is null and w.created_at < ${STUCK_TIME} and ${only(sql`w.id`, id)} order by w.created_at limit ${rowCount(limit)}`);

/** Paid orders whose codes are not assigned. Those of a disputed payment wait for the bank. */
const findOrders: Find = (tx, { id, limit }) =>
  tx.execute<OfOrder & JobState>(sql`
    select o.id, o.paid_at as since, ${JOB_WHY}, ${JOB_STATE}, o.order_number from orders o ${jobOf(sql`'assign:' || o.id`)}
    where o.status = 'paid' and o.paid_at < ${STUCK_TIME} and ${only(sql`o.id`, id)}
      and not exists (select from disputes d where d.order_id = o.id and d.is_open) order by o.paid_at limit ${rowCount(limit)}`);

type StockRow = OfOrder & JobState & { name: string; type: PassType; days: number | null };

/** Plans with codes in stock for which paid orders wait. */
async function findStock(tx: Db, { id, limit, locale }: Wanted): Promise<Row[]> {
  const rows = await tx.execute<StockRow>(sql`
    select stuck.id, stuck.since, stuck.type, stuck.days, 'stock_unassigned' as why, ${JOB_STATE}, o.order_number,
      coalesce(t.name, translate_product_text(e.name, ${locale})) as name
    from (
      select distinct on (l.plan_id) l.plan_id::text as id, l.order_id, l.product_id, l.pass_type as type, l.duration_days as days,
        greatest(o.paid_at, stock.since) as since
      from order_lines l join orders o on o.id = l.order_id
      cross join lateral (select coalesce((select max(v.created_at) from key_events v
          where v.key_id = k.id and v.event in ('imported', 'released')), k.created_at) as since
        from keys k where k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)} order by k.created_at, k.id limit 1) stock
      where l.state = 'waiting' and o.status = 'processing' and ${only(sql`l.plan_id::text`, id)} and not ${frozenLineSql("l")}
      order by l.plan_id, o.paid_at) stuck
    join orders o on o.id = stuck.order_id ${jobOf(sql`'waiting:' || stuck.id`)}
    left join product_texts t on t.product_id = stuck.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = stuck.product_id and e.locale = 'en'
    where stuck.since < ${STUCK_TIME} order by stuck.since limit ${rowCount(limit)}`);
  return rows.map(({ name, type, days, ...row }) => ({
    ...row,
    about: `${name} · ${passLabel({ pass_type: type, duration_days: days }, locale)}`,
  }));
}

/** Paid orders whose lines should have been refunded, because their codes did not come in time. */
const findOverdue: Find = (tx, { id, limit }) =>
  tx.execute<OfOrder>(sql`
    select o.id, min(l.deliver_by) as since, 'not_refunded' as why, o.order_number
    from order_lines l join orders o on o.id = l.order_id
    where l.state = 'waiting' and l.deliver_by < ${STUCK_TIME} and not ${disputedSql("l")} and ${only(sql`o.id`, id)}
    group by o.id order by 2 limit ${rowCount(limit)}`);

/** Unpaid orders that hold their codes past the end. */
const findHolds: Find = (tx, { id, limit }) =>
  tx.execute<OfOrder>(sql`
    select o.id, o.hold_ends_at as since, o.order_number, case when exists (select from payments p
      where p.order_id = o.id and p.state in ('processing', 'succeeded')) then 'payment_open' else 'not_released' end as why
    from orders o where o.status in ('pending', 'processingPayment') and o.hold_ends_at < ${STUCK_TIME} and ${only(sql`o.id`, id)}
    order by o.hold_ends_at limit ${rowCount(limit)}`);

/** Refunds that were not requested from the provider. Those of a disputed payment wait for the bank. */
const findRefunds: Find = (tx, { id, limit }) =>
  tx.execute<OfOrder & JobState>(sql`
    select r.id, r.created_at as since, ${JOB_WHY}, ${JOB_STATE}, o.order_number
    from refunds r join orders o on o.id = r.order_id ${jobOf(sql`r.id`)}
    where r.state = 'pending' and r.provider_id is null and r.updated_at < ${STUCK_TIME} and ${only(sql`r.id`, id)}
      and not exists (select from disputes d where d.intent_id = coalesce(r.intent_id, o.transaction_id) and d.is_open)
    order by r.updated_at limit ${rowCount(limit)}`);

type MailRow = OfOrder & Pick<StuckItem, "error" | "attempts" | "mail_event" | "about">;

const findQueuedMails: Find = (tx, { id, limit }) =>
  tx.execute<MailRow & Pick<JobState, "next_at" | "key">>(sql`
    select m.id, m.created_at as since, ${JOB_WHY}, ${JOB_NEXT}, m.last_error as error, m.attempts, m.order_number,
      m.event as mail_event, m.to_address as about
    from mails m ${jobOf(sql`m.id`)}
    where m.state = 'queued' and m.created_at < ${STUCK_TIME} and ${only(sql`m.id`, id)} order by m.created_at limit ${rowCount(limit)}`);

const findFailedMails: Find = (tx, { id, limit }) =>
  tx.execute<MailRow>(sql`
    select m.id, m.failed_at as since, 'failed' as why, m.last_error as error, m.attempts, m.order_number,
      m.event as mail_event, m.to_address as about
    from mails m where m.state = 'failed' and m.state <> 'sent' and ${only(sql`m.id`, id)}
      and m.created_at > shop_now() - make_interval(days => ${FAILED_MAIL_DAYS + 1})
      and m.failed_at > shop_now() - make_interval(days => ${FAILED_MAIL_DAYS})
    order by m.created_at limit ${rowCount(limit)}`);

/** Jobs that fail, or that no worker takes; those of emails stand with their emails. The queue counts in real time. */
const findJobs: Find = (tx, { id, limit }) =>
  tx.execute<Found & JobState & { about: string }>(sql`
    select j.id::text as id, least(j.created_at, j.run_at) as since, ${JOB_WHY}, ${JOB_STATE}, j.task_identifier as about
    from graphile_worker.jobs j
    where j.task_identifier <> ${SendMail.name} and ${only(sql`j.id::text`, id)} and j.locked_at is null
      and (j.attempts >= j.max_attempts
        or least(j.created_at, j.run_at) < now() - make_interval(mins => ${STUCK_AFTER_MINUTES})
          and (j.last_error is not null or j.run_at < now() - make_interval(mins => ${STUCK_AFTER_MINUTES})))
    order by j.run_at limit ${rowCount(limit)}`);

type Report = { since: string; late: boolean; differences: ReconciliationDifference[] };

/** What the newest comparison with the provider could not repair, or that there was none for more than a day. */
async function findDifferences(tx: Db, { id, limit }: Wanted): Promise<Row[]> {
  const [report] = await tx.execute<Report>(sql`
    select created_at as since, differences, created_at < shop_now() - make_interval(hours => ${RECONCILED_WITHIN_HOURS}) as late
    from reconciliation_reports order by day desc limit 1`);
  if (!report) return [];
  const { since, late, differences } = report;
  const open = differences
    .filter(({ repaired }) => !repaired)
    .map((difference): Row => {
      const { object, id: about } = difference;
      return {
        id: `${object}:${about}`,
        since,
        why: "differs",
        about,
        error: describeDifference(difference),
      };
    });
  const rows = late ? [...open, { id: "run", since, why: "not_compared" } satisfies Row] : open;
  return rows.filter((row) => id === undefined || row.id === id).slice(0, limit);
}

/** Counts the entries after the newest sealed one that should have a seal; up to a limit, because all may lack one. */
const findUnsealed =
  (entries: string, seals: string, column: string, minutes: number): Find =>
  async (tx, { id }) => {
    const rows = await tx.execute<{ since: string | null; n: number }>(sql`
      select min(at) as since, count(*)::int as n from (
        select created_at as at from ${sql.raw(entries)}
        where id > (select coalesce(max(${sql.raw(column)}), 0) from ${sql.raw(seals)})
          and created_at < shop_now() - make_interval(mins => ${minutes}) order by id limit 1000) unsealed`);
    return rows.flatMap(({ since, n }) =>
      since === null || (id !== undefined && id !== "seals")
        ? []
        : [{ id: "seals", since, why: "unsealed" as const, about: n === 1000 ? "1000+" : String(n) }],
    );
  };

/** No process runs jobs. What is stuck since then says how long. In a closed shop that is meant. */
async function findMissingWorker(tx: Db): Promise<Row[]> {
  if ((await countLivePools()) > 0) return [];
  const closure = await findShopClosure();
  if (closure) return [{ id: "worker", since: closure.since.toISOString(), why: "shop_closed" }];
  const [due] = await tx.execute<{ since: string }>(sql`
    select coalesce(min(run_at), now()) as since from graphile_worker.jobs
    where run_at < now() and locked_at is null and attempts < max_attempts`);
  return [{ id: "worker", since: due!.since, why: "no_worker" }];
}

const FINDERS: Record<StuckKind, Find> = {
  worker: findMissingWorker,
  payment_event: findPaymentEvents,
  order: findOrders,
  stock: findStock,
  overdue: findOverdue,
  hold: findHolds,
  refund: findRefunds,
  mail_queued: findQueuedMails,
  mail_failed: findFailedMails,
  job: findJobs,
  reconciliation: findDifferences,
  audit_seals: findUnsealed("audit_entries", "audit_seals", "entry_id", AUDIT_SEALED_WITHIN_MINUTES),
  custody_seals: findUnsealed("key_events", "custody_seals", "event_id", SEALED_WITHIN_MINUTES),
};

const toItem = (kind: StuckKind, row: Row): StuckItem => ({
  kind,
  id: row.id,
  since: instant(row.since),
  why: row.why,
  error: row.error ?? null,
  attempts: row.attempts ?? null,
  next_at: row.next_at ? instant(row.next_at) : null,
  order_number: row.order_number ?? null,
  about: row.about ?? null,
  mail_event: row.mail_event ?? null,
});

/** One stuck thing; null when it is not stuck (any more). */
export async function findStuckItem(
  tx: Db,
  kind: StuckKind,
  id: string,
  locale: Locale,
): Promise<StuckItem | null> {
  const [row] = await FINDERS[kind](tx, { id, limit: STUCK_ROWS, locale });
  return row ? toItem(kind, row) : null;
}

type FoundKind = { kind: StuckKind; rows: Row[] };

/** What is stuck, kind by kind, at most `limit` of each. A job stands with what it is for. */
async function* findKinds(
  kinds: readonly StuckKind[],
  limit: number,
  locale: Locale,
): AsyncGenerator<FoundKind> {
  const jobKeys = new Set<string>();
  for (const kind of kinds) {
    const found = await FINDERS[kind](db, { limit, locale });
    const rows = kind === "job" ? found.filter(({ key }) => !key || !jobKeys.has(key)) : found;
    for (const { key } of rows) if (key) jobKeys.add(key);
    yield { kind, rows };
  }
}

/**
 * What waits for longer than it should, with since when and why: paid orders, payments, holds, refunds, emails, jobs,
 * differences to the provider, seals, and whether a worker is there at all.
 */
export async function listStuck({ kind: only }: StuckInput, locale: Locale): Promise<StuckBoard> {
  const items: StuckItem[] = [];
  const more: StuckKind[] = [];
  // One more than the board shows, so that it knows of more.
  for await (const { kind, rows } of findKinds(only ? [only] : STUCK_KINDS, STUCK_ROWS + 1, locale)) {
    items.push(...rows.slice(0, STUCK_ROWS).map((row) => toItem(kind, row)));
    if (rows.length > STUCK_ROWS) more.push(kind);
  }
  const [now] = await db.execute<{ at: string }>(sql`select shop_now() as at`);
  return { items, more, checked_at: instant(now!.at) };
}

/**
 * What the board lists, counted up to the number that the Today page shows. Failed emails have a queue of their own, and a closed
 * shop has no worker on purpose.
 */
export async function countStuck({ locale }: { locale: Locale }): Promise<QueueState> {
  const times: string[] = [];
  for await (const { rows } of findKinds(COUNTED_KINDS, MAX_QUEUED, locale))
    for (const { since, why } of rows) if (why !== "shop_closed") times.push(instant(since));
  return { count: Math.min(times.length, MAX_QUEUED), oldest_at: times.sort()[0] ?? null };
}
