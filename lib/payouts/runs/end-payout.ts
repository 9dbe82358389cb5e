import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { mailOwners } from "@/lib/merchants/states/change-state";
import { callProvider } from "@/lib/payments/cards/call-provider";
import { CURRENCY, type LedgerAccount } from "@/lib/payments/rules";
import { payoutProvider } from "@/lib/payouts/providers/payout-provider";
import { OUTCOME_FROM, type PayoutMethod, type PayoutOutcome, type PayoutState } from "@/lib/payouts/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { toDecimal } from "@/lib/platform/money";
import { recordWebhookEvent } from "@/lib/webhooks/record-webhook-event";
import { closeRun } from "./close-run";

type Locked = {
  runId: string;
  merchantId: string;
  state: PayoutState;
  attempt: number;
  cents: number;
  method: PayoutMethod;
};
export type Ending = { outcome: PayoutOutcome; reason?: string | undefined };

/** What an outcome books: from transit to the bank, or back to what the merchant is owed. */
const POSTING: Readonly<Record<PayoutOutcome, { debit: Booked; credit: Booked; suffix: string }>> = {
  confirmed: { debit: "payouts_in_transit", credit: "cash", suffix: "paid" },
  failed: { debit: "payouts_in_transit", credit: "merchant_payable", suffix: "back" },
  returned: { debit: "cash", credit: "merchant_payable", suffix: "back" },
};
type Booked = "payouts_in_transit" | "merchant_payable" | "cash";
/** Where the money of a payout comes from. */
const CASH: Readonly<Record<PayoutMethod, LedgerAccount>> = {
  manual: "bank_cash",
  stripe_connect: "provider_cash",
};

/**
 * Records how a payout ended at the bank, or takes back a transfer of the payment provider. What did not arrive, or came back, is owed
 * again, and its owners are mailed (docs/product.md#1410-payouts).
 * @throws ShopError payout_unknown, payout_state: it has ended already, was not paid before it came back, or the provider tells its end;
 *   destination_empty: the account does not have the money any more; provider_unavailable
 */
export async function endPayoutByStaff(
  { userId }: StaffViewer,
  id: string,
  ending: Ending,
): Promise<{ payout_id: string }> {
  await takeBackTransfer(id, ending.outcome);
  return transaction(async (tx) => {
    if (!(await endPayout(tx, id, { ...ending, by: userId }))) throw new ShopError("payout_state");
    return { payout_id: id };
  });
}

type Transferred = { state: PayoutState; cents: number; transferId: string | null };

/** At the provider only a transfer that arrived can be taken back; whatever else became of it, the provider says. */
async function takeBackTransfer(id: string, outcome: PayoutOutcome): Promise<void> {
  const [payout] = await db.execute<Transferred>(sql`
    select p.state, t.cents, t.transfer_id as "transferId" from payouts p
    join payout_attempts t on t.payout_id = p.id and t.attempt = p.attempt join payout_accounts a on a.id = t.account_id
    where p.id = ${id} and a.method = 'stripe_connect'`);
  if (!payout) return;
  const { state, transferId, ...transfer } = payout;
  if (outcome !== "returned" || state !== "confirmed" || !transferId) throw new ShopError("payout_state");
  const taken = await callProvider(() =>
    payoutProvider("stripe_connect").reverse({ ...transfer, transferId }),
  );
  if (taken !== "done") throw new ShopError("destination_empty");
}

/**
 * As `endPayoutByStaff`, within a transaction. False: the state of the payout does not lead to this outcome.
 * @throws ShopError payout_unknown
 */
export async function endPayout(
  tx: Tx,
  id: string,
  { outcome, reason, by }: Ending & { by: string },
): Promise<boolean> {
  const [payout] = await tx.execute<Locked>(sql`
    select p.run_id as "runId", p.merchant_id as "merchantId", p.state, p.attempt, p.cents, a.method
    from payouts p join payout_accounts a on a.id = p.account_id where p.id = ${id} and p.run_id is not null for update of p`);
  if (!payout) throw new ShopError("payout_unknown");
  const { runId, merchantId, state, attempt, cents, method } = payout;
  if (!OUTCOME_FROM[outcome].includes(state)) return false;
  const { debit, credit, suffix } = POSTING[outcome];
  const accountOf = (booked: Booked) => (booked === "cash" ? CASH[method] : booked);
  await tx.execute(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, merchant_id)
    select ${`payout:${id}:${attempt}:${suffix}`}, a.account, a.cents, ${merchantId}
    from (values (${accountOf(debit)}::text, ${cents}::int), (${accountOf(credit)}::text, ${-cents}::int)) a(account, cents)`);
  if (outcome !== "confirmed") await takeBackLines(tx, id, attempt);
  await tx.execute(sql`update payouts set state = ${outcome}, state_at = shop_now() where id = ${id}`);
  await tx.execute(sql`
    update payout_attempts set ended_at = shop_now(), ended_by = ${by}, reason = ${reason ?? null}
    where payout_id = ${id} and attempt = ${attempt}`);
  const detail = { before: state, after: outcome, cents, ...(reason && { reason }) };
  await audit({ actor: by, action: "payout.ended", subject: id, detail }, tx);
  await mailOwners(tx, merchantId, {
    event: "payout-notice",
    refs: { payoutId: id, outcome },
    about: `${outcome}:${id}:${attempt}`,
  });
  if (outcome !== "confirmed") {
    const data = { payout_id: id, amount: toDecimal(cents), currency: CURRENCY, reason: reason ?? null };
    await recordWebhookEvent(tx, { merchantId, type: "payout.failed", about: `payout:${id}`, data });
  }
  await closeRun(tx, runId);
  return true;
}

/** The sales of an attempt are unpaid again. */
async function takeBackLines(tx: Tx, id: string, attempt: number): Promise<void> {
  await tx.execute(sql`
    select from merchant_sales where line_id in (select line_id from payout_lines where payout_id = ${id} and attempt = ${attempt})
    order by line_id for update`);
  await tx.execute(sql`
    update merchant_sales s set paid_out_cents = s.paid_out_cents - l.cents
    from payout_lines l where l.payout_id = ${id} and l.attempt = ${attempt} and l.line_id = s.line_id`);
}
