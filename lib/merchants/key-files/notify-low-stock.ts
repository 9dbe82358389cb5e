import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { HISTORY_DAYS } from "@/lib/merchants/insight/read-demand";
import { wantsNoticeSql } from "@/lib/notifications/list-merchant-recipients";
import { queueMail } from "@/lib/notifications/queue-mail";
import { newId } from "@/lib/platform/crypto/ids";
import { recordWebhookEvent } from "@/lib/webhooks/record-webhook-event";
import { isShort, STOCK_STATE, type StockState } from "./list-low-stock";

type Candidate = StockState & {
  plan_id: number;
  product_id: number;
  merchant_id: string;
  notified: boolean;
  told_out: boolean;
};
const PLANS_AT_ONCE = 500;

/**
 * Notifies merchants of plans that run low, once for each plan until it is restocked: owners by one email per run,
 * their systems by webhook events, also when a plan runs out. Checks plans that sold recently, that someone waits for,
 * or that have a setting.
 */
export async function notifyLowStock(): Promise<number> {
  let notified = 0;
  for (let after = 0; ; ) {
    const { last, count } = await transaction((tx) => notifyPage(tx, after));
    notified += count;
    if (last === null) return notified;
    after = last;
  }
}

async function notifyPage(tx: Tx, after: number): Promise<{ last: number | null; count: number }> {
  const rows = await tx.execute<Candidate>(sql`
    select x.id as plan_id, p.id as product_id, p.merchant_id, a.notified_at is not null as notified, a.out_at is not null as told_out,
      ${sql.raw(STOCK_STATE)}
    from (
      select s.plan_id as id from plan_sales_daily s where s.day > (shop_now() at time zone 'UTC')::date - ${HISTORY_DAYS}::int
      union select q.plan_id from wait_list q where q.outcome is null
      union select t.plan_id from stock_alerts t) c
    join plans x on x.id = c.id and x.listed
    join products p on p.id = x.product_id and p.listed
    left join stock_alerts a on a.plan_id = x.id
    where x.id > ${after} and exists (
      select from merchant_members m where m.merchant_id = p.merchant_id and m.role = 'owner' and m.ended_at is null)
    order by x.id limit ${PLANS_AT_ONCE}`);
  const low = rows.filter(isShort);
  const restocked = rows.filter((row) => row.notified && !low.includes(row)).map(({ plan_id }) => plan_id);
  if (restocked.length > 0)
    await tx.execute(sql`update stock_alerts set notified_at = null where plan_id in ${restocked}`);
  const fresh = low.filter((row) => !row.notified);
  if (fresh.length > 0) await notifyOwnersOfStock(tx, fresh);
  await recordStockEvents(tx, rows, fresh);
  return { last: rows.length < PLANS_AT_ONCE ? null : rows.at(-1)!.plan_id, count: fresh.length };
}

async function notifyOwnersOfStock(tx: Tx, plans: readonly Candidate[]): Promise<void> {
  for (const { plan_id, kind, value } of plans)
    await tx.execute(sql`
      insert into stock_alerts (plan_id, kind, value, notified_at) values (${plan_id}, ${kind}, ${value}, shop_now())
      on conflict (plan_id) do update set notified_at = excluded.notified_at`);
  for (const merchantId of new Set(plans.map(({ merchant_id }) => merchant_id))) {
    const own = plans.filter(({ merchant_id }) => merchant_id === merchantId);
    const owners = await tx.execute<{ email: string; locale: string }>(sql`
      select u.email, u.locale from merchant_members b join users u on u.id = b.user_id
      where b.merchant_id = ${merchantId} and ${wantsNoticeSql("stock")} and b.ended_at is null order by b.created_at, b.id`);
    const refs = { merchantId, planIds: own.map(({ plan_id }) => plan_id).join(",") };
    for (const { email, locale } of owners)
      await queueMail(tx, { event: "stock-low", to: email, locale, refs, dedupeKey: newId("low") });
  }
}

/**
 * Sends `stock.low` for the plans that the owners are emailed about now, and `stock.out` for plans without codes, even
 * if the owners get no emails.
 */
async function recordStockEvents(
  tx: Tx,
  rows: readonly Candidate[],
  low: readonly Candidate[],
): Promise<void> {
  const record = (
    type: "stock.low" | "stock.out",
    { plan_id, product_id, merchant_id, available }: Candidate,
  ) =>
    recordWebhookEvent(tx, {
      merchantId: merchant_id,
      type,
      about: `plan:${plan_id}`,
      data: { product_id, vip_id: plan_id, available },
    });
  for (const plan of low) await record("stock.low", plan);
  const out = rows.filter(({ available, told_out }) => available === 0 && !told_out);
  for (const plan of out) {
    await tx.execute(sql`
      insert into stock_alerts (plan_id, kind, value, out_at) values (${plan.plan_id}, ${plan.kind}, ${plan.value}, shop_now())
      on conflict (plan_id) do update set out_at = excluded.out_at`);
    await record("stock.out", plan);
  }
  const back = rows.filter(({ available, told_out }) => available > 0 && told_out);
  if (back.length > 0)
    await tx.execute(sql`
      update stock_alerts set out_at = null where plan_id in ${back.map(({ plan_id }) => plan_id)}`);
}
