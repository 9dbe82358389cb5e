import { inArray, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import { REMIND_BEFORE, REMIND_REDEEM_DAYS, type Reminder } from "@/lib/delivery/rules";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { Locale } from "@/lib/platform/i18n/locales";
import { CODE_OWNER_SQL, frozenLineSql, PASS_STARTED_AT_SQL } from "./key-state-sql";

const BATCH = 200;
const RUN_MS = 60_000;

type DueReminder = {
  lineId: string;
  id: string;
  orderId: string | null;
  reminder: Reminder;
  to: string;
  locale: Locale;
};

/** SQL: the interval between the reminder and the end of a pass of `l.duration_days`; null: no reminder. */
const REMINDER_LEAD = sql.raw(
  `case ${REMIND_BEFORE.map(({ fromDays, days }) => `when l.duration_days >= ${fromDays} then interval '${days} days'`).join(" ")} end`,
);

/** SQL: the durations of plans, each found by the index. */
const DURATIONS = sql`
  with recursive durations(days) as (
    (select duration_days from plans where duration_days is not null order by duration_days limit 1)
    union all
    select (select duration_days from plans where duration_days > d.days order by duration_days limit 1) from durations d
    where d.days is not null)`;

/**
 * SQL: keys that may be due for a reminder, by indexes. A plan never changes its duration, so the durations of plans are those
 * of passes: for each, the passes that began one duration ago, less the time before the end at which the reminder goes out.
 */
const MAY_BE_DUE = sql`
  ${DURATIONS}, ending as (
    select k.id from durations l(duration_days) cross join lateral (
      select id from keys where state = 'assigned' and (reminded_at is null or reminded_at < coalesce(activated_at, first_revealed_at))
        and coalesce(activated_at, first_revealed_at) > shop_now() - make_interval(days => l.duration_days)
        and coalesce(activated_at, first_revealed_at) <= shop_now() - make_interval(days => l.duration_days) + ${REMINDER_LEAD}) k
    where ${REMINDER_LEAD} is not null),
  unrevealed as (
    select id from keys where state = 'assigned' and reminded_at is null and coalesce(activated_at, first_revealed_at) is null
      and redeem_by > shop_now() and redeem_by <= shop_now() + make_interval(days => ${REMIND_REDEEM_DAYS}))
  select id from ending union select id from unrevealed`;

/**
 * Queues reminders of passes that end soon, of unrevealed codes that must be redeemed soon, and of codes that
 * waited for a pass that has ended (docs/product.md#83-delivery), each once, to the owner. Skips locked,
 * disputed and refunded passes and unclaimed gifts. Returns their number.
 */
export async function queuePassReminders(): Promise<number> {
  const deadline = Date.now() + RUN_MS;
  const ids = (
    await db.execute<{ id: string }>(sql`select due.id from (${MAY_BE_DUE}) due order by due.id`)
  ).map((row) => row.id);
  let queued = 0;
  for (let start = 0; start < ids.length && Date.now() <= deadline; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    queued += await transaction((tx) => queueReminders(tx, batch));
  }
  return queued + (await transaction(queueNextReminders));
}

/** A pass that ended in the last day, found by the index of starts. A day, because the job may run late. */
const ENDED_TODAY = sql`
  ${DURATIONS}
  select k.id, k.order_line_id, k.started_at + make_interval(days => d.days) as ended_at, d.days
  from durations d cross join lateral (
    select id, order_line_id, coalesce(activated_at, first_revealed_at) as started_at from keys where state = 'assigned'
      and coalesce(activated_at, first_revealed_at) > shop_now() - make_interval(days => d.days + 1)
      and coalesce(activated_at, first_revealed_at) <= shop_now() - make_interval(days => d.days)) k
  where d.days is not null`;

type NextReminder = Omit<DueReminder, "reminder"> & { endedAt: string };

/**
 * Queues one reminder for each code that waited for a pass of the same product: that pass has ended, and no
 * other runs. Only for codes that belong to the owner and are neither shown nor locked.
 */
async function queueNextReminders(tx: Tx): Promise<number> {
  const due = await tx.execute<NextReminder>(sql`
    with ended as materialized (
      select e.ended_at, ended_line.product_id, coalesce((select case gift.state when 'claimed' then gift.claimed_by
          when 'returned' then ended_order.user_id else '' end from gifts gift where gift.order_id = ended_order.id), ended_order.user_id) as owner
      from (${ENDED_TODAY}) e join order_lines ended_line on ended_line.id = e.order_line_id and ended_line.duration_days = e.days
      join orders ended_order on ended_order.id = ended_line.order_id)
    select distinct on (ended.owner, ended.product_id) k.id, l.id as "lineId", case when claimed.id is null then o.id end as "orderId",
      case when claimed.id is null then o.send_email else u.email end as "to", case when claimed.id is null then o.locale else u.locale end as locale,
      ended.ended_at as "endedAt"
    from ended join users u on u.id = ended.owner and u.deleted_at is null
    join orders o on o.id in (select id from orders where user_id = ended.owner union select order_id from gifts where claimed_by = ended.owner)
    join order_lines l on l.order_id = o.id and l.product_id = ended.product_id and l.duration_days is not null
    join keys k on k.order_line_id = l.id and k.state = 'assigned'
    left join gifts claimed on claimed.order_id = o.id and claimed.state = 'claimed'
    where ${CODE_OWNER_SQL} = ended.owner and ${PASS_STARTED_AT_SQL} is null and not ${frozenLineSql("l")}
      and (k.redeem_by is null or k.redeem_by > shop_now())
      and not exists (select from keys running join order_lines rl on rl.id = running.order_line_id and rl.product_id = ended.product_id
        join orders ro on ro.id = rl.order_id and ro.user_id = ended.owner
        where running.state = 'assigned' and coalesce(running.activated_at, running.first_revealed_at) + make_interval(days => rl.duration_days) > shop_now())
    order by ended.owner, ended.product_id, k.assigned_at, k.id`);
  let queued = 0;
  for (const { id, lineId, orderId, to, locale, endedAt } of due) {
    const mail = await queueMail(tx, {
      event: "pass-ending",
      orderId: orderId ?? undefined,
      to,
      locale,
      refs: { keyId: id, lineId, reminder: "next", endedAt: new Date(endedAt).toISOString() },
      dedupeKey: `pass-ending:next:${id}:${lineId}`,
    });
    if (mail) queued += 1;
  }
  return queued;
}

/**
 * Queues the reminders of those keys that are due. `reminded_at` before the start of the pass belongs to the reminder of the
 * redemption deadline; the reminder of the end is separate.
 */
async function queueReminders(tx: Tx, ids: readonly string[]): Promise<number> {
  const due = await tx.execute<DueReminder>(sql`
    select k.id, l.id as "lineId", case when claimed.id is null then o.id end as "orderId", case when claimed.id is null then o.send_email else u.email end as "to",
      case when claimed.id is null then o.locale else u.locale end as locale, case when ${PASS_STARTED_AT_SQL} is null then 'redeem_by' else 'ends' end as reminder
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    left join gifts claimed on claimed.order_id = o.id and claimed.state = 'claimed'
    join users u on u.id = ${CODE_OWNER_SQL} and u.deleted_at is null
    cross join lateral (select ${PASS_STARTED_AT_SQL} + make_interval(days => l.duration_days) as at) ends
    where k.id in ${ids} and k.state = 'assigned' and not ${frozenLineSql("l")} and (
      (ends.at > shop_now() and ends.at - ${REMINDER_LEAD} <= shop_now() and (k.reminded_at is null or k.reminded_at < ${PASS_STARTED_AT_SQL}))
      or (${PASS_STARTED_AT_SQL} is null and k.reminded_at is null and k.redeem_by > shop_now()
        and k.redeem_by - make_interval(days => ${REMIND_REDEEM_DAYS}) <= shop_now()))
    order by k.id for no key update of k skip locked`);
  for (const { id, lineId, orderId, reminder, to, locale } of due)
    await queueMail(tx, {
      event: "pass-ending",
      orderId: orderId ?? undefined,
      to,
      locale,
      refs: { keyId: id, lineId, reminder },
      // A code that was returned unrevealed may belong to another line by now.
      dedupeKey: `pass-ending:${reminder}:${id}:${lineId}`,
    });
  const keyIds = due.map(({ id }) => id);
  if (keyIds.length > 0) await tx.update(keys).set({ remindedAt: shopNow }).where(inArray(keys.id, keyIds));
  return due.length;
}
