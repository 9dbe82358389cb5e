import { and, eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { payoutRuns } from "@/db/schema/payouts";
import { mailOwnersOf } from "@/lib/merchants/states/change-state";
import { CURRENCY } from "@/lib/payments/rules";
import { SendTransfers } from "@/lib/payouts/contract-jobs";
import { unpaidSalesSql } from "@/lib/payouts/money/unpaid-sales-sql";
import type { PayoutObstacle } from "@/lib/payouts/rules";
import { currentAccountSql, MINIMUM_SQL, OBSTACLE_SQL } from "@/lib/payouts/terms/next-payout";
import { enqueue } from "@/lib/platform/jobs/queue";
import { toDecimal } from "@/lib/platform/money";
import { recordWebhookEvents } from "@/lib/webhooks/record-webhook-event";
import { closeRun } from "./close-run";

/** Payouts of one transaction. */
const BATCH = 250;

/**
 * Sends the payouts of an approved run, batch by batch. Of each sale it sends at most what was approved and what is available
 * now, and takes back all that was paid too much; a payout of which too little is left, or with an obstacle, drops out. Safe to
 * repeat and to stop (docs/product.md#1410-payouts).
 */
export async function sendRun(runId: string): Promise<void> {
  while ((await transaction((tx) => sendNext(tx, runId))) > 0);
  await transaction(async (tx) => {
    const [sent] = await tx
      .update(payoutRuns)
      .set({ state: "sent", sentAt: shopNow })
      .where(and(eq(payoutRuns.id, runId), eq(payoutRuns.state, "approved")))
      .returning({ id: payoutRuns.id });
    if (!sent) return;
    await enqueue(tx, SendTransfers, {}, { jobKey: SendTransfers.name });
    await closeRun(tx, runId);
  });
}

/** Sends the next drafts. Returns how many there were. */
async function sendNext(tx: Tx, runId: string): Promise<number> {
  const [run] = await tx.execute<{ state: string }>(
    sql`select state from payout_runs where id = ${runId} for update`,
  );
  if (run?.state !== "approved") return 0;
  const drafts = await tx.execute<{ id: string; merchantId: string }>(sql`
    select id, merchant_id as "merchantId" from payouts where run_id = ${runId} and state = 'draft'
    order by merchant_id limit ${sql.raw(String(BATCH))} for update`);
  if (drafts.length > 0)
    await sendDrafts(
      tx,
      drafts.map(({ id }) => id),
      drafts.map(({ merchantId }) => merchantId),
    );
  return drafts.length;
}

type Draft = {
  id: string;
  merchantId: string;
  cents: number;
  accountId: string | null;
  obstacle: PayoutObstacle | null;
  minimum: number;
};
type Line = { payoutId: string; lineId: string; cents: number };

async function sendDrafts(tx: Tx, ids: string[], merchantIds: string[]): Promise<void> {
  const merchants = sql`any(${sql.param(merchantIds)}::text[])`;
  // A sale that somebody changes in this moment is left for the next run.
  const locked = await tx.execute<{ lineId: string }>(sql`
    select s.line_id as "lineId" from merchant_sales s where s.merchant_id = ${merchants} and s.booked_cents <> s.paid_out_cents
    order by s.line_id for update skip locked`);
  const lockedIds = locked.map(({ lineId }) => lineId);
  const drafts = await tx.execute<Draft>(sql`
    select p.id, p.merchant_id as "merchantId", p.cents, ${currentAccountSql(sql`p.merchant_id`)} as "accountId", ${OBSTACLE_SQL} as obstacle, ${MINIMUM_SQL} as minimum
    from payouts p join merchants m on m.id = p.merchant_id left join payout_terms t on t.merchant_id = m.id
    where p.id = any(${sql.param(ids)}::text[]) order by p.id`);
  const due = await tx.execute<Line>(sql`
    with open as (
      select u.merchant_id, u.line_id, u.cents - u.held as cents
      from ${unpaidSalesSql(sql`s.merchant_id = ${merchants} and s.line_id = any(${sql.param(lockedIds)}::text[])`)} u where u.cents <> u.held
    )
    select p.id as "payoutId", o.line_id as "lineId", case when o.cents > 0 then least(o.cents, l.cents) else o.cents end as cents
    from payouts p join open o on o.merchant_id = p.merchant_id
    left join payout_lines l on l.payout_id = p.id and l.line_id = o.line_id
    where p.id = any(${sql.param(ids)}::text[]) and (o.cents < 0 or l.cents > 0) order by o.line_id`);
  const sums = new Map<string, number>();
  for (const { payoutId, cents } of due) sums.set(payoutId, (sums.get(payoutId) ?? 0) + cents);
  const centsOf = ({ id }: Draft) => sums.get(id) ?? 0;
  const isSent = (draft: Draft) =>
    draft.obstacle === null && centsOf(draft) >= draft.minimum && centsOf(draft) <= draft.cents;
  const sent = drafts.filter(isSent);
  const sentIds = new Set(sent.map(({ id }) => id));
  const lines = due.filter(({ payoutId }) => sentIds.has(payoutId));
  const records = JSON.stringify(sent.map((draft) => ({ ...draft, cents: centsOf(draft) })));
  const lineRecords = JSON.stringify(lines);
  const sentRows = sql`jsonb_to_recordset(${records}::jsonb) as r(id text, "merchantId" text, "accountId" text, cents int)`;
  const lineRows = sql`jsonb_to_recordset(${lineRecords}::jsonb) as r("payoutId" text, "lineId" text, cents int)`;
  await tx.execute(sql`delete from payout_lines where payout_id = any(${sql.param(ids)}::text[])`);
  await tx.execute(sql`
    insert into payout_lines (payout_id, attempt, line_id, cents) select r."payoutId", 1, r."lineId", r.cents from ${lineRows}`);
  await tx.execute(sql`
    insert into payout_attempts (payout_id, attempt, key, account_id, cents)
    select r.id, 1, r.id || '-1', r."accountId", r.cents from ${sentRows}`);
  await tx.execute(sql`
    update merchant_sales s set paid_out_cents = s.paid_out_cents + r.cents from ${lineRows} where s.line_id = r."lineId"`);
  await tx.execute(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, merchant_id)
    select 'payout:' || r.id || ':1', a.account, a.sign * r.cents, r."merchantId"
    from ${sentRows} cross join (values ('merchant_payable', 1), ('payouts_in_transit', -1)) a(account, sign)
    order by r.id, a.sign desc`);
  await tx.execute(sql`
    update payouts p set state = 'sent', cents = r.cents, account_id = r."accountId", state_at = shop_now()
    from ${sentRows} where p.id = r.id`);
  await tx.execute(sql`
    update payouts set state = 'dropped', state_at = shop_now() where id = any(${sql.param(ids)}::text[]) and state = 'draft'`);
  await mailOwnersOf(
    tx,
    sent.map(({ id, merchantId }) => ({
      merchantId,
      event: "payout-notice",
      refs: { payoutId: id, outcome: "sent" },
      about: `sent:${id}:1`,
    })),
  );
  await recordWebhookEvents(
    tx,
    sent.map((draft) => ({
      merchantId: draft.merchantId,
      type: "payout.sent",
      about: `payout:${draft.id}`,
      data: { payout_id: draft.id, amount: toDecimal(centsOf(draft)), currency: CURRENCY },
    })),
  );
}
