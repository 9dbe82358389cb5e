import { eq, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { plans } from "@/db/schema/catalog";
import { AVAILABILITY_NOW, SELLABLE_KEY } from "@/lib/catalog/rules";
import { queueMail } from "@/lib/notifications/queue-mail";
import { RESTOCK_PRIORITY_HOURS } from "@/lib/notifications/rules";

const MAX_BATCH = 500;

/**
 * Notifies the wait-lists of restocked plans, oldest entries first, once each, as many as there are codes not announced
 * in the last 24 hours. Closes entries of buyers. Returns the number of notified entries.
 */
export async function notifyWaitList(): Promise<number> {
  await db.execute(sql`
    update wait_list w set outcome = 'cancelled', ended_at = shop_now()
    where w.outcome is null and exists (
      select from orders o join order_lines l on l.order_id = o.id
      where o.user_id = w.user_id and l.plan_id = w.plan_id and o.created_at > w.created_at
        and o.status in ('paid', 'processing', 'shipped', 'completed'))`);
  const restocked = await db.execute<{ id: number }>(sql`
    select pl.id from plans pl join products p on p.id = pl.product_id and p.listed
    where pl.listed and pl.id in (select plan_id from wait_list where outcome is null)
      and ${sql.raw(AVAILABILITY_NOW)} = 'in_stock'
      and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})
    order by pl.id`);
  let notified = 0;
  for (const { id } of restocked) notified += await transaction((tx) => notifyPlan(tx, id));
  return notified;
}

async function notifyPlan(tx: Tx, planId: number): Promise<number> {
  // Serializes workers per plan, because parallel ones would count the same codes.
  await tx.select({ id: plans.id }).from(plans).where(eq(plans.id, planId)).for("no key update");
  const notified = await tx.execute<{ id: string; email: string; locale: string; at: string }>(sql`
    with unannounced as (
      select greatest(0, (select count(*) from (select from keys k
          where k.plan_id = ${planId} and ${sql.raw(SELLABLE_KEY)} limit ${MAX_BATCH}) c)
        - (select count(*) from wait_list t where t.plan_id = ${planId} and t.outcome = 'notified'
          and t.ended_at > shop_now() - make_interval(hours => ${RESTOCK_PRIORITY_HOURS})
          and not exists (select from orders o join order_lines l on l.order_id = o.id
            where o.user_id = t.user_id and l.plan_id = ${planId} and o.created_at > t.ended_at))) as count),
    chosen as (
      select w.id from wait_list w where w.plan_id = ${planId} and w.outcome is null
      order by w.created_at, w.id limit (select count from unannounced) for update)
    update wait_list w set outcome = 'notified', ended_at = shop_now() from chosen
    where w.id = chosen.id returning w.id, w.email, w.locale, extract(epoch from w.ended_at)::bigint::text as at`);
  for (const { id, email, locale, at } of notified)
    await queueMail(tx, {
      event: "wait-list",
      to: email,
      locale,
      refs: { waitListId: id },
      dedupeKey: `wait-list:${id}:${at}`,
    });
  return notified.length;
}

/** Returns an entry to the list when the plan sold out before its email was sent. */
export async function returnToWaitList(waitListId: string): Promise<void> {
  await db.execute(sql`
    update wait_list w set outcome = null, ended_at = null where w.id = ${waitListId} and w.outcome = 'notified'
      and not exists (select from wait_list o where o.user_id = w.user_id and o.plan_id = w.plan_id
        and o.outcome is null)`);
}
