import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";

/**
 * Actions that staff may do without a second person up to a daily limit (UTC), so that splitting one over several calls
 * does not evade it. Each is summed from the person's entries in the audit log, without those that a second person
 * approved.
 */
export type DaySum =
  | "exported_rows"
  | "goodwill_cents"
  | "budget_cents"
  | "coupon_cents"
  | "changed_products";

const whole = (value: SQL) => sql`(${value})::bigint`;
const cents = (part: "before" | "after") => whole(sql`detail->${part}->>'monthlyBudgetCents'`);

/** SQL: what an entry of the audit log adds to a sum; null: nothing. */
const AMOUNTS: Record<DaySum, SQL> = {
  exported_rows: sql`case when action = 'list.exported' and jsonb_typeof(detail->'rows') = 'number'
    then ${whole(sql`detail->>'rows'`)} end`,
  goodwill_cents: sql`case when action = 'refund.goodwill' then ${whole(sql`detail->>'amountCents'`)} end`,
  budget_cents: sql`case when action = 'campaign_created' then ${cents("after")}
    when action = 'campaign_changed' then greatest(0, ${cents("after")} - ${cents("before")}) end`,
  coupon_cents: sql`case when action = 'import.started' then ${whole(sql`detail->>'faceCents'`)} end`,
  changed_products: sql`case when action in ('import.started', 'products.changed') then ${whole(sql`detail->>'products'`)} end`,
};

/** The sum of a person and the present day. To decide by it, lock it. */
export async function sumOfDay(tx: Db, actor: string, sum: DaySum): Promise<number> {
  const [today] = await tx.execute<{ total: number }>(sql`
    select coalesce(sum(${AMOUNTS[sum]}), 0)::float8 as total from audit_entries
    where actor = ${actor} and created_at >= date_trunc('day', shop_now(), 'UTC')
      and not coalesce(detail ?| array['approval_id', 'askedBy'], false)`);
  return today!.total;
}

/**
 * Locks the sum of a person until the end of the transaction, which also writes the entry that adds to it, and returns it. So
 * parallel calls count one after the other, and a call that fails adds nothing.
 */
export async function lockSumOfDay(tx: Tx, actor: string, sum: DaySum): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${sum} ${actor}`}, 0))`);
  return sumOfDay(tx, actor, sum);
}
