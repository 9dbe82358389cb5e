import { sql } from "drizzle-orm";
import PQueue from "p-queue";
import { db, type Tx, transaction } from "@/db/client";
import { payoutProvider } from "@/lib/payouts/providers/payout-provider";
import type { Sent } from "@/lib/payouts/providers/provider";
import type { PayoutMethod } from "@/lib/payouts/rules";
import { endPayout } from "@/lib/payouts/runs/end-payout";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";

type Open = {
  payoutId: string;
  key: string;
  /** its turn comes after the last one, because the run before ended behind it */
  wrapped: boolean;
  run: string;
  method: PayoutMethod;
  account: string;
  cents: number;
  refusals: number;
  /** it was first asked for so long ago that the provider may have forgotten its key */
  stale: boolean;
};

const BATCH = 200;
const CONCURRENCY = 4;
/** Providers remember an idempotency key for 24 hours. */
const KEY_HOURS = 20;

/**
 * Sends the transfers of payouts that were sent and have none, each under its own key: a lost answer never makes a second one. Ends when
 * the provider does not answer; the next run goes on with the others. Safe to repeat, to stop, and to run twice at once.
 */
export async function sendTransfers(): Promise<void> {
  const from = (await readProgress("send-transfers")) ?? "";
  const wraps = sql`t.key <= ${from}`;
  for (let after = { wrapped: false, key: from }; ; ) {
    const open = await db.execute<Open>(sql`
      select p.id as "payoutId", t.key, p.run_id as run, a.method, a.provider_account_id as account, t.cents, t.refusals,
        ${wraps} as wrapped, coalesce(t.tried_at < shop_now() - make_interval(hours => ${KEY_HOURS}), false) as stale
      from payout_attempts t join payouts p on p.id = t.payout_id and p.attempt = t.attempt join payout_accounts a on a.id = t.account_id
      where t.ended_at is null and t.file_id is null and p.state = 'sent' and a.method = 'stripe_connect' and (${wraps}, t.key) > (${after.wrapped}::boolean, ${after.key}::text)
      order by ${wraps}, t.key limit ${sql.raw(String(BATCH))}`);
    const queue = new PQueue({ concurrency: CONCURRENCY });
    let silent: string | undefined;
    await Promise.all(
      open.map((one) =>
        queue.add(async () => {
          if (silent === undefined && !(await sendTransfer(one))) silent = one.key;
        }),
      ),
    );
    if (silent !== undefined) return writeProgress("send-transfers", silent);
    if (open.length < BATCH) return;
    after = open.at(-1)!;
  }
}

/** Returns whether the provider answered. */
async function sendTransfer({ payoutId, method, stale, wrapped: _, ...order }: Open): Promise<boolean> {
  const provider = payoutProvider(method);
  let found: string | null = null;
  try {
    if (stale) found = await provider.find(order);
  } catch (error) {
    if (!isProviderError(error, "unavailable")) throw error;
    log.warn({ err: error, key: order.key }, "a transfer could not be looked for and is tried again");
    return false;
  }
  if (!found)
    await db.execute(
      sql`update payout_attempts set tried_at = coalesce(tried_at, shop_now()) where key = ${order.key} and ended_at is null`,
    );
  const sent: Sent = found ? { result: "sent", transferId: found } : await provider.send(order);
  if (sent.result === "lacks_funds")
    log.error(
      { payout: payoutId, cents: order.cents },
      "the shop's balance at the provider is too small for a payout",
    );
  await transaction((tx) => recordSent(tx, payoutId, order.key, sent));
  return sent.result !== "unknown";
}

/** Records what the provider answered about an attempt. */
export async function recordSent(tx: Tx, payoutId: string, key: string, sent: Sent): Promise<void> {
  if (sent.result === "sent") {
    if (!(await endPayout(tx, payoutId, { outcome: "confirmed", by: "system" }))) return;
    await tx.execute(sql`
      update payout_attempts set transfer_id = ${sent.transferId}, lacks_funds = false where key = ${key}`);
  } else if (sent.result === "refused")
    await endPayout(tx, payoutId, { outcome: "failed", reason: sent.reason, by: "system" });
  else
    await tx.execute(sql`
      update payout_attempts set lacks_funds = ${sent.result === "lacks_funds"}, refusals = refusals + ${sent.result === "lacks_funds" ? 1 : 0}
      where key = ${key} and ended_at is null`);
}
