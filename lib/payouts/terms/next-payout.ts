import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { TRADE_FILE_HOLDS } from "@/lib/merchants/trade-file/trade-file-holds";
import type { MerchantMoney } from "@/lib/payouts/money/contract";
import { DEFAULT_WEEKDAY, type PayoutObstacle, WEEKLY_RUN_HOUR } from "@/lib/payouts/rules";
import { toDecimal } from "@/lib/platform/money";

/** SQL: the account to which a merchant is paid now: the newest that counts and was not cancelled. */
export const currentAccountSql = (merchantId: SQL): SQL => sql`(
  select a.id from payout_accounts a where a.merchant_id = ${merchantId} and a.cancelled_at is null and a.counts_from <= shop_now()
  order by a.counts_from desc, a.created_at desc, a.id desc limit 1)`;

/** SQL: a merchant's account that does not count yet. */
export const waitingAccountSql = (merchantId: SQL): SQL => sql`(
  select a.id from payout_accounts a where a.merchant_id = ${merchantId} and a.cancelled_at is null and a.counts_from > shop_now()
  order by a.counts_from desc, a.created_at desc, a.id desc limit 1)`;

/** SQL: the account at the payment provider that an account of a merchant is. */
const isInactive = (account: SQL): SQL => sql`exists (
  select from payout_accounts a join provider_accounts r on r.id = a.provider_account_id where a.id = ${account} and r.state <> 'active')`;

/** SQL: why merchant `m` with the terms `t` is not paid now, whatever is available; null: nothing is in the way. */
export const OBSTACLE_SQL = sql`case when m.state = 'ended' then 'ended' when m.state = 'suspended' then 'suspended'
  when ${TRADE_FILE_HOLDS} then 'trade_file'
  when t.stopped_at is not null then 'stopped' when ${waitingAccountSql(sql`m.id`)} is not null then 'account_waits'
  when ${currentAccountSql(sql`m.id`)} is null then 'no_account'
  when ${isInactive(currentAccountSql(sql`m.id`))} then 'account_inactive' end`;

/** SQL: the least that is ever paid out, in cents. */
export const MINIMUM_SQL = sql`(select minimum_cents from payout_settings)`;

/** SQL: the least that merchant `m` with the terms `t` is paid, in cents. */
export const THRESHOLD_SQL = sql`greatest(coalesce(t.threshold_cents, 0), ${MINIMUM_SQL})`;

/** SQL: the day of the week on which payouts are prepared for the terms `t`. */
export const WEEKDAY_SQL = sql`coalesce(t.weekday, ${DEFAULT_WEEKDAY}::int)`;

type Row = {
  weekday: number;
  threshold: number;
  minimum: number;
  obstacle: PayoutObstacle | null;
  note: string | null;
  day: string;
};

/** When a merchant is paid next, with so many cents available now. Today counts until the weekly run of the day was prepared. */
export async function nextPayoutOf(
  merchantId: string,
  availableCents: number,
): Promise<MerchantMoney["next_payout"]> {
  const [row] = await db.execute<Row>(sql`
    select n.weekday, n.threshold, n.minimum, n.obstacle, n.note,
      (n.today + (n.weekday - extract(isodow from n.today)::int + case when n.weekday < extract(isodow from n.today)::int or n.weekday = extract(isodow from n.today)::int and n.prepared
        then 7 else 0 end))::text as day
    from (select ${WEEKDAY_SQL} as weekday, ${THRESHOLD_SQL} as threshold, ${MINIMUM_SQL} as minimum, ${OBSTACLE_SQL} as obstacle,
      case when t.stopped_at is not null then t.stop_note end as note, (shop_now() at time zone 'UTC')::date as today,
      extract(hour from shop_now() at time zone 'UTC') >= ${WEEKLY_RUN_HOUR}::int as prepared
      from merchants m left join payout_terms t on t.merchant_id = m.id where m.id = ${merchantId}) n`);
  const { weekday, threshold, minimum, obstacle, note, day } = row!;
  return {
    on: obstacle === null || obstacle === "account_waits" ? day : null,
    amount: toDecimal(availableCents >= threshold ? availableCents : 0),
    threshold: toDecimal(threshold),
    minimum: toDecimal(minimum),
    weekday,
    obstacle,
    note,
  };
}
