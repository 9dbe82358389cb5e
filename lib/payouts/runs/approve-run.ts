import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { shopNow, type Tx, transaction } from "@/db/client";
import { payoutRuns } from "@/db/schema/payouts";
import { SendRun } from "@/lib/payouts/contract-jobs";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import { ShopError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/platform/jobs/queue";
import { formatPrice } from "@/lib/platform/money";

type Locked = { state: string; payouts: number; cents: number };

async function lockRun(tx: Tx, id: string): Promise<Locked> {
  const [run] = await tx.execute<{ state: string }>(
    sql`select state from payout_runs where id = ${id} for update`,
  );
  if (!run) throw new ShopError("payout_run_unknown");
  const [sum] = await tx.execute<Omit<Locked, "state">>(sql`
    select count(*)::int as payouts, coalesce(sum(cents), 0)::float8 as cents from payouts where run_id = ${id} and state = 'draft'`);
  return { ...run, ...sum! };
}

/**
 * Asks a second person to pay a run with its total.
 * @throws ApprovalNeeded always; ShopError payout_run_unknown, payout_run_state: it is no draft any more
 */
export const askForRun = (id: string): Promise<never> =>
  transaction(async (tx) => {
    const { state, payouts, cents } = await lockRun(tx, id);
    if (state !== "draft") throw new ShopError("payout_run_state");
    const subject = `${id}: ${payouts} × ${formatPrice(cents, "en")}`;
    throw new ApprovalNeeded({ kind: "payout_run", payload: { run_id: id, payouts, cents }, subject });
  });

const Payload = z.object({ run_id: z.string(), payouts: z.int(), cents: z.number() });

/** A second person has agreed to the total: the run is sent. One that was cancelled meanwhile, or has another total, is not. */
export const runApprovals = {
  async payout_run(tx, payload, { askedBy, decidedBy }) {
    const approved = Payload.parse(payload);
    // Also where nobody else could decide for 72 hours: money leaves with two people or not at all.
    if (askedBy === decidedBy) throw new ShopError("own_approval");
    const { state, payouts, cents } = await lockRun(tx, approved.run_id);
    if (state !== "draft" || payouts !== approved.payouts || cents !== approved.cents)
      throw new ShopError("payout_run_state");
    await tx
      .update(payoutRuns)
      .set({ state: "approved", askedBy, approvedBy: decidedBy, approvedAt: shopNow, approvedCents: cents })
      .where(eq(payoutRuns.id, approved.run_id));
    const detail = { payouts, cents, asked_by: askedBy };
    await audit({ actor: decidedBy, action: "payout.run_approved", subject: approved.run_id, detail }, tx);
    await enqueue(tx, SendRun, { runId: approved.run_id }, { jobKey: `send:${approved.run_id}` });
  },
} satisfies ApprovedActions;

/**
 * Cancels a run that nobody has approved; its sales are for the next.
 * @throws ShopError payout_run_unknown, payout_run_state
 */
export const cancelRun = ({ userId }: StaffViewer, id: string): Promise<{ run_id: string }> =>
  transaction(async (tx) => {
    const { state, payouts, cents } = await lockRun(tx, id);
    if (state !== "draft") throw new ShopError("payout_run_state");
    await tx.execute(
      sql`update payouts set state = 'dropped', state_at = shop_now() where run_id = ${id} and state = 'draft'`,
    );
    await tx.update(payoutRuns).set({ state: "cancelled", endedAt: shopNow }).where(eq(payoutRuns.id, id));
    await audit(
      { actor: userId, action: "payout.run_cancelled", subject: id, detail: { payouts, cents } },
      tx,
    );
    return { run_id: id };
  });
