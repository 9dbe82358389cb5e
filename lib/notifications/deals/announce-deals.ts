import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { SendDiscountAlert } from "@/lib/notifications/contract";
import { queueMail } from "@/lib/notifications/queue-mail";
import { DEAL_ANNOUNCEMENT_DELAY_MINUTES } from "@/lib/notifications/rules";
import { enqueue } from "@/lib/platform/jobs/queue";

const BATCH = 500;

/** SQL: a running, buyable deal `d`. */
export const RUNNING_DEAL_SQL = sql.raw(
  "d.ended_at is null and d.ends_at > shop_now() and d.claimed < d.quantity",
);

/** Queues one mailing for the deals not announced yet; a new deal waits, so that an import causes one email. */
export async function announceDeals(): Promise<number> {
  return transaction(async (tx) => {
    const announced = await tx.execute(sql`
      insert into deal_announcements (deal_id)
      select d.id from deals d join plans pl on pl.id = d.plan_id and pl.listed
      where ${RUNNING_DEAL_SQL} and d.created_at < shop_now() - make_interval(mins => ${DEAL_ANNOUNCEMENT_DELAY_MINUTES})
        and not exists (select from deal_announcements a where a.deal_id = d.id)
      on conflict do nothing returning deal_id`);
    if (announced.length === 0) return 0;
    const [today] = await tx.execute<{ day: string }>(sql`select to_char(shop_now(), 'YYYY-MM-DD') as day`);
    const { day } = today!;
    await enqueue(tx, SendDiscountAlert, { day, after: "" }, { jobKey: `alert:${day}:` });
    return announced.length;
  });
}

/** Queues the alerts of a page of subscribers and the next page's job in one transaction: no one twice, no one missed. */
export async function queueDiscountAlerts({ day, after }: { day: string; after: string }): Promise<number> {
  return transaction(async (tx) => {
    const page = await tx.execute<{ id: string; email: string; locale: string }>(sql`
      select id, email, locale from subscriptions
      where topic = 'discounts' and state = 'confirmed' and id > ${after} order by id limit ${BATCH}`);
    for (const { id, email, locale } of page)
      await queueMail(tx, {
        event: "discount-alert",
        to: email,
        locale,
        refs: { subscriptionId: id },
        dedupeKey: `discount-alert:${day}:${id}`,
      });
    const last = page.at(-1)?.id;
    if (page.length === BATCH && last)
      await enqueue(tx, SendDiscountAlert, { day, after: last }, { jobKey: `alert:${day}:${last}` });
    return page.length;
  });
}
