import { eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { payoutRuns } from "@/db/schema/payouts";
import { FillRun } from "@/lib/payouts/contract-jobs";
import { unpaidSalesSql } from "@/lib/payouts/money/unpaid-sales-sql";
import type { RunOrigin } from "@/lib/payouts/rules";
import { currentAccountSql, OBSTACLE_SQL, THRESHOLD_SQL, WEEKDAY_SQL } from "@/lib/payouts/terms/next-payout";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";

/** Merchants of one transaction. */
const BATCH = 500;

/** Prepares a run by hand, for all merchants whose available amount reaches their threshold. A job writes its payouts. */
export async function prepareRun({ userId }: StaffViewer): Promise<{ run_id: string }> {
  const id = newId("run");
  await transaction(async (tx) => {
    await tx.insert(payoutRuns).values({ id, origin: "manual", preparedBy: userId });
    await audit({ actor: userId, action: "payout.run_prepared", subject: id }, tx);
    await enqueue(tx, FillRun, { runId: id }, { jobKey: `fill:${id}` });
  });
  return { run_id: id };
}

/**
 * Prepares the run of today (UTC) for the merchants that chose its day of the week, after those that were stopped: their drafts keep
 * merchants out of it. Safe to repeat and to stop.
 */
export async function prepareWeeklyRun(): Promise<void> {
  const stopped = await db.execute<{ id: string }>(
    sql`select id from payout_runs where state = 'preparing' order by created_at, id`,
  );
  for (const { id } of stopped) await fillRun(id);
  const [row] = await db.execute<{ id: string }>(
    sql`select 'run_' || to_char(shop_now() at time zone 'UTC', 'YYYYMMDD') as id`,
  );
  const { id } = row!;
  await db
    .insert(payoutRuns)
    .values({ id, origin: "weekly", preparedBy: "system" })
    .onConflictDoNothing({ target: payoutRuns.id });
  await fillRun(id);
}

/** `weekday`: of the day on which it was begun. */
type Filling = { origin: RunOrigin; state: string; preparedTo: string; weekday: number };

/** Writes the payouts of a run, batch by batch from where it stopped. A run without any ends. Safe to repeat and to stop. */
export async function fillRun(runId: string): Promise<void> {
  while (await transaction((tx) => fillNext(tx, runId)));
}

/** Returns whether there may be more merchants. */
async function fillNext(tx: Tx, runId: string): Promise<boolean> {
  const [run] = await tx.execute<Filling>(sql`
    select origin, state, prepared_to as "preparedTo", extract(isodow from created_at at time zone 'UTC')::int as weekday from payout_runs where id = ${runId} for update`);
  if (run?.state !== "preparing") return false;
  const due = await tx.execute<{ id: string; due: boolean }>(sql`
    select m.id, ${OBSTACLE_SQL} is null and (${run.origin}::text = 'manual' or ${WEEKDAY_SQL} = ${run.weekday}::int)
      and not exists (select from payouts p where p.merchant_id = m.id and p.state = 'draft') as due
    from merchants m left join payout_terms t on t.merchant_id = m.id
    where m.id > ${run.preparedTo} and exists (
      select from merchant_sales s where s.merchant_id = m.id and s.booked_cents <> s.paid_out_cents)
    order by m.id limit ${sql.raw(String(BATCH))}`);
  await insertPayouts(
    tx,
    runId,
    due.filter((merchant) => merchant.due).map(({ id }) => id),
  );
  const isLast = due.length < BATCH;
  if (!isLast) {
    const preparedTo = due.at(-1)!.id;
    await tx.update(payoutRuns).set({ preparedTo }).where(eq(payoutRuns.id, runId));
    return true;
  }
  const [filled] = await tx.execute(sql`select from payouts where run_id = ${runId} limit 1`);
  if (filled) await tx.update(payoutRuns).set({ state: "draft" }).where(eq(payoutRuns.id, runId));
  else if (run.origin === "weekly") await tx.delete(payoutRuns).where(eq(payoutRuns.id, runId));
  else
    await tx.update(payoutRuns).set({ state: "cancelled", endedAt: shopNow }).where(eq(payoutRuns.id, runId));
  return false;
}

/** A draft for each of these merchants whose available sales add up to its threshold. */
async function insertPayouts(tx: Tx, runId: string, merchantIds: string[]): Promise<void> {
  if (merchantIds.length === 0) return;
  const ids = merchantIds.map(() => newId("po"));
  await tx.execute(sql`
    with due as (
      select d.id as payout_id, m.id as merchant_id, ${THRESHOLD_SQL} as threshold, ${currentAccountSql(sql`m.id`)} as account_id
      from unnest(${sql.param(ids)}::text[], ${sql.param(merchantIds)}::text[]) d(id, merchant_id) join merchants m on m.id = d.merchant_id
      left join payout_terms t on t.merchant_id = m.id
    ), lines as (
      select u.merchant_id, u.line_id, u.cents - u.held as cents
      from ${unpaidSalesSql(sql`s.merchant_id = any(${sql.param(merchantIds)}::text[])`)} u where u.cents <> u.held
    ), made as (
      insert into payouts (id, run_id, merchant_id, account_id, cents)
      select d.payout_id, ${runId}, d.merchant_id, d.account_id, s.cents
      from due d join (select merchant_id, sum(cents) as cents from lines group by merchant_id) s on s.merchant_id = d.merchant_id
      where s.cents >= d.threshold on conflict do nothing returning id, merchant_id
    )
    insert into payout_lines (payout_id, attempt, line_id, cents)
    select m.id, 1, l.line_id, l.cents from made m join lines l on l.merchant_id = m.merchant_id`);
}
