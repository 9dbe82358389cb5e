import { eq, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { plans } from "@/db/schema/catalog";
import { mailOptouts } from "@/db/schema/notifications";
import { AVAILABILITY_NOW, SELLABLE_KEY } from "@/lib/catalog/rules";
import { queueMail } from "@/lib/notifications/commands";
import { takeMailBudget } from "@/lib/notifications/commands-budget";
import type { JoinWaitListInput, WaitListView } from "@/lib/notifications/contract";
import { RESTOCK_PRIORITY_HOURS } from "@/lib/notifications/rules";
import { isOptout } from "@/lib/notifications/subscriptions/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";

const MAX_BATCH = 500;

/**
 * Adds the viewer to the wait-list of a sold-out plan (`/wait-list/create`); repeating it changes the address, which
 * must be the account's own or verified. Joining undoes an earlier unsubscribing. The email to an unverified address
 * counts as sent now.
 * @throws ShopError product_unknown, plan_in_stock, delivery_email_unverified, too_many_codes
 */
export async function joinWaitList(
  viewer: UserViewer,
  input: JoinWaitListInput,
  ip?: string,
): Promise<WaitListView> {
  const email = input.email ?? viewer.email;
  return transaction(async (tx) => {
    const [plan] = await tx.execute<{ buyable: boolean }>(sql`
      select ${sql.raw(AVAILABILITY_NOW)} = 'pre_order' or (${sql.raw(AVAILABILITY_NOW)} = 'in_stock'
          and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})) as buyable
      from plans pl join products p on p.id = pl.product_id
      where pl.id = ${input.vip_id} and pl.listed and p.listed`);
    if (!plan) throw new ShopError("product_unknown");
    if (plan.buyable) throw new ShopError("plan_in_stock");
    const [row] = await tx.execute<WaitListView>(sql`
      insert into wait_list (id, user_id, plan_id, email, locale)
      select ${newId("wait")}, u.id, ${input.vip_id}, ${email}, ${viewer.locale} from users u
      where u.id = ${viewer.userId} and (lower(u.email) = lower(${email}) or exists (
        select from verified_emails e where e.user_id = u.id and lower(e.email) = lower(${email})))
      on conflict (user_id, plan_id) where state = 'waiting' do update
        set email = excluded.email, locale = excluded.locale
      returning id as wait_list_id, plan_id as vip_id, email`);
    if (!row) throw new ShopError("delivery_email_unverified", { params: { email } });
    if (!viewer.emailVerified)
      await takeMailBudget(tx, { userId: viewer.userId, ip }, email, "too_many_codes");
    await tx.delete(mailOptouts).where(isOptout(email.toLowerCase(), "wait_list"));
    return row;
  });
}

/**
 * Notifies the wait-lists of restocked plans, oldest entries first, once each, as many as there are codes not announced
 * in the last 24 hours. Closes entries of buyers. Returns the number of notified entries.
 */
export async function notifyWaitList(): Promise<number> {
  await db.execute(sql`
    update wait_list w set state = 'left', ended_at = shop_now()
    where w.state = 'waiting' and exists (
      select from orders o join order_lines l on l.order_id = o.id
      where o.user_id = w.user_id and l.plan_id = w.plan_id and o.created_at > w.created_at
        and o.status in ('paid', 'processing', 'shipped', 'completed'))`);
  const restocked = await db.execute<{ id: number }>(sql`
    select pl.id from plans pl join products p on p.id = pl.product_id and p.listed
    where pl.listed and pl.id in (select plan_id from wait_list where state = 'waiting')
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
        - (select count(*) from wait_list t where t.plan_id = ${planId} and t.state = 'told'
          and t.ended_at > shop_now() - make_interval(hours => ${RESTOCK_PRIORITY_HOURS})
          and not exists (select from orders o join order_lines l on l.order_id = o.id
            where o.user_id = t.user_id and l.plan_id = ${planId} and o.created_at > t.ended_at))) as count),
    chosen as (
      select w.id from wait_list w where w.plan_id = ${planId} and w.state = 'waiting'
      order by w.created_at, w.id limit (select count from unannounced) for update)
    update wait_list w set state = 'told', ended_at = shop_now() from chosen
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
    update wait_list w set state = 'waiting', ended_at = null where w.id = ${waitListId} and w.state = 'told'
      and not exists (select from wait_list o where o.user_id = w.user_id and o.plan_id = w.plan_id
        and o.state = 'waiting')`);
}
