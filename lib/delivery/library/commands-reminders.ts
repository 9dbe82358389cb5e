import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { REMIND_BEFORE, REMIND_REDEEM_DAYS, type Reminder } from "@/lib/delivery/rules";
import { queueMail } from "@/lib/notifications/commands";
import type { Locale } from "@/lib/platform/i18n/locales";
import { frozenLineSql, PASS_STARTED_AT_SQL } from "./queries";

const BATCH = 200;
const RUN_MS = 60_000;

type Due = { id: string; reminder: Reminder; to: string; locale: Locale };

/** SQL: how long before its end a pass of `l.duration_days` is announced; null: never. */
const LEAD = sql.raw(
  `case ${REMIND_BEFORE.map(({ fromDays, days }) => `when l.duration_days >= ${fromDays} then interval '${days} days'`).join(" ")} end`,
);

/**
 * Queues reminders of passes that end soon and of unrevealed codes that must be redeemed soon
 * (docs/product.md#83-delivery), once each; not for locked, disputed or refunded ones. Returns their number.
 */
export async function queuePassReminders(): Promise<number> {
  const end = Date.now() + RUN_MS;
  for (let total = 0; ; ) {
    const told = await transaction(remindBatch);
    total += told;
    if (told < BATCH || Date.now() > end) return total;
  }
}

/** A reminder sent before the start concerned the redemption deadline; the end is a separate reminder. */
async function remindBatch(tx: Tx): Promise<number> {
  const due = await tx.execute<Due>(sql`
    select k.id, o.send_email as "to", o.locale, case when ${PASS_STARTED_AT_SQL} is null then 'redeem_by' else 'ends' end as reminder
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    join users u on u.id = o.user_id and u.deleted_at is null
    cross join lateral (select ${PASS_STARTED_AT_SQL} + make_interval(days => l.duration_days) as at) ends
    where k.state = 'assigned' and not ${frozenLineSql("l")} and (
      (ends.at > shop_now() and ends.at - ${LEAD} <= shop_now() and (k.reminded_at is null or k.reminded_at < ${PASS_STARTED_AT_SQL}))
      or (${PASS_STARTED_AT_SQL} is null and k.reminded_at is null and k.redeem_by > shop_now()
        and k.redeem_by - make_interval(days => ${REMIND_REDEEM_DAYS}) <= shop_now()))
    order by k.id limit ${BATCH} for no key update of k skip locked`);
  for (const { id, reminder, to, locale } of due)
    await queueMail(tx, {
      event: "pass-ending",
      to,
      locale,
      refs: { keyId: id, reminder },
      dedupeKey: `pass-ending:${reminder}:${id}`,
    });
  if (due.length > 0)
    await tx.execute(sql`update keys set reminded_at = shop_now() where id in ${due.map(({ id }) => id)}`);
  return due.length;
}
