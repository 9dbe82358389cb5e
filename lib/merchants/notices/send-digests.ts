import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import type { MailProps } from "@/emails/render";
import { wantsNoticeSql } from "@/lib/notifications/list-merchant-recipients";
import { queueMail } from "@/lib/notifications/queue-mail";
import { rowCount } from "@/lib/platform/console/query";

const PAGE = 200;

/** SQL: the start of a UTC day, or of the next one. */
const startOf = (day: string, after: 0 | 1) =>
  sql`((${day}::date + ${after}::int)::timestamp at time zone 'UTC')`;

/** SQL: the sales of a merchant `m` on a UTC day as `s`, and its open requests as `q`. */
const dayOf = (day: string) => sql`
  cross join lateral (select coalesce(sum(units), 0)::int as units, coalesce(sum(net_cents), 0)::int as cents
    from merchant_sales where merchant_id = m.id and sold_at >= ${startOf(day, 0)} and sold_at < ${startOf(day, 1)}) s
  cross join lateral (select count(*)::int as open, min(answer_by) as next from (select answer_by from refund_requests
    where merchant_id = m.id and state = 'asked' and stated_country is null order by answer_by limit 100) r) q`;

/**
 * Queues yesterday's digest (UTC) of each merchant with sales or open requests, to its people who chose it. Repeating
 * it queues nothing.
 */
export async function sendDigests(): Promise<void> {
  const [clock] = await db.execute<{ day: string }>(
    sql`select to_char((shop_now() at time zone 'UTC')::date - 1, 'YYYY-MM-DD') as day`,
  );
  const { day } = clock!;
  for (let after = ""; ; ) {
    const merchants = await db.execute<{ id: string; due: boolean }>(sql`
      select m.id, s.units > 0 or q.open > 0 as due
      from (select id from merchants where id > ${after} and state in ('active', 'paused') order by id limit ${rowCount(PAGE)}) m
      ${dayOf(day)} order by m.id`);
    for (const { id, due } of merchants) if (due) await queueDigest(id, day);
    if (merchants.length < PAGE) return;
    after = merchants.at(-1)!.id;
  }
}

const queueDigest = (merchantId: string, day: string) =>
  transaction(async (tx) => {
    const people = await tx.execute<{ id: string; email: string; locale: string }>(sql`
      select u.id, u.email, u.locale from merchant_members b join users u on u.id = b.user_id
      where b.merchant_id = ${merchantId} and ${wantsNoticeSql("digest")} and b.ended_at is null and u.deleted_at is null`);
    for (const { id, email, locale } of people)
      await queueMail(tx, {
        event: "merchant-digest",
        to: email,
        locale,
        refs: { merchantId, day },
        dedupeKey: `merchant-digest:${merchantId}:${day}:${id}`,
      });
  });

/** The data of a day's digest; null if there is nothing to report any more. */
export async function findDigest(
  merchantId: string,
  day: string,
): Promise<MailProps["merchant-digest"] | null> {
  type Row = { handle: string; units: number; cents: number; open: number; next: string | null; low: number };
  const [row] = await db.execute<Row>(sql`
    select m.handle, s.units, s.cents, q.open, q.next,
      (select count(*)::int from stock_alerts a join plans x on x.id = a.plan_id join products p on p.id = x.product_id
        where p.merchant_id = m.id and a.notified_at is not null) as low
    from merchants m ${dayOf(day)} where m.id = ${merchantId}`);
  if (!row || (row.units === 0 && row.open === 0)) return null;
  const { handle, units, cents: netCents, open: questions, next, low } = row;
  return { handle, day, units, netCents, questions, nextDeadline: next ? new Date(next) : null, low };
}
