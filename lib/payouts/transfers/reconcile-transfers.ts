import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { callProvider } from "@/lib/payments/cards/call-provider";
import { LEDGER_SUMS } from "@/lib/payouts/closings/ledger-sums-sql";
import type { Reconciled } from "@/lib/payouts/console/contract";
import { currentAccountSql } from "@/lib/payouts/terms/next-payout";
import { log } from "@/lib/platform/log";
import { toDecimal } from "@/lib/platform/money";
import { connectProvider } from "@/lib/platform/stripe/provider";
import { recordSent } from "./send-transfers";

/** Of so many days transfers and the provider's payouts to the bank are compared. */
const DAYS = 30;

type Known = {
  payoutId: string;
  state: string;
  cents: number;
  account: string | null;
  transferId: string | null;
};

/**
 * Compares the provider's transfers, its payouts to the shop's bank and its balance with the shop's records. A transfer whose answer was
 * lost is recorded; one that no payout explains, or of which only a part was taken back, is kept as a finding and logged as an error. Safe
 * to repeat.
 * @throws ProviderError
 */
export async function reconcileTransfers(): Promise<Reconciled> {
  const since = await daysAgo(DAYS);
  let [checked, recorded, unexplained] = [0, 0, 0];
  const explained: string[] = [];
  for await (const transfer of connectProvider().transfersSince(since)) {
    checked += 1;
    const [known] = await db.execute<Known>(sql`
      select p.id as "payoutId", p.state, t.cents, a.provider_account_id as account, t.transfer_id as "transferId"
      from payout_attempts t join payouts p on p.id = t.payout_id and p.attempt = t.attempt join payout_accounts a on a.id = t.account_id
      where t.key = ${transfer.key}`);
    const { id, key, cents, reversedCents, destination } = transfer;
    const takenBack = known?.state === "returned" ? known.cents : 0;
    if (known?.transferId === id && known.cents === cents && reversedCents === takenBack) {
      explained.push(id);
      continue;
    }
    const isOurs =
      known?.cents === cents &&
      known.account === destination &&
      known.transferId === null &&
      reversedCents === 0;
    if (isOurs && known.state === "sent") {
      await transaction((tx) => recordSent(tx, known.payoutId, key!, { result: "sent", transferId: id }));
      recorded += 1;
      continue;
    }
    unexplained += 1;
    await db.execute(sql`
      insert into payout_findings (id, payout_key, cents, destination) values (${id}, ${key}, ${cents}, ${destination ?? ""})
      on conflict do nothing`);
  }
  await db.execute(sql`delete from payout_findings where id = any(${sql.param(explained)}::text[])`);
  if (unexplained > 0)
    log.error({ unexplained }, "the payment provider has transfers that no payout explains");
  await bookProviderPayouts(since);
  return { checked, recorded, unexplained, short: await readProviderBalance() };
}

/** As `reconcileTransfers`. @throws ShopError provider_unavailable */
export const reconcileByStaff = (): Promise<Reconciled> => callProvider(reconcileTransfers);

const daysAgo = async (days: number): Promise<Date> => {
  const [row] = await db.execute<{ at: string }>(
    sql`select shop_now() - make_interval(days => ${days}) as at`,
  );
  return new Date(row!.at);
};

/** What the provider paid to the shop's bank moves from one account of the ledger to the other, and back if it failed. */
async function bookProviderPayouts(since: Date): Promise<void> {
  for await (const { id, cents, status, currency } of connectProvider().payoutsSince(since)) {
    if (currency !== "usd" || (status !== "paid" && status !== "failed")) continue;
    const back = status === "failed";
    const transfer = `provider_payout:${id}${back ? ":back" : ""}`;
    await db.execute(sql`
      insert into ledger_entries (transfer_id, account, amount_cents)
      select ${transfer}, a.account, a.cents from (values ('bank_cash', ${back ? -cents : cents}::int), ('provider_cash', ${back ? cents : -cents}::int)) a(account, cents)
      where not exists (select from ledger_entries e where e.transfer_id = ${transfer})
        and (not ${back}::boolean or exists (select from ledger_entries e where e.transfer_id = ${`provider_payout:${id}`}))`);
  }
}

/**
 * Reads the shop's balance at the provider, and has it keep what merchants who are paid there are owed. Returns by how much the balance
 * falls short, in USD; 0: it does not. Too little is a state with an alert, not an error.
 */
export async function readProviderBalance(): Promise<number> {
  const [row] = await db.execute<{ needed: number }>(sql`
    select coalesce(sum(-e.cents), 0)::float8 as needed from ${LEDGER_SUMS} e
    where e.account in ('merchant_payable', 'payouts_in_transit') and e.merchant_id in (
      select a.merchant_id from payout_accounts a where a.method = 'stripe_connect' and a.id = ${currentAccountSql(sql`a.merchant_id`)})`);
  const needed = Math.max(0, row!.needed);
  await connectProvider().keepBalance(needed);
  const { availableCents, pendingCents } = await connectProvider().balance();
  await db.execute(sql`
    update payout_settings set provider_available_cents = ${availableCents}, provider_pending_cents = ${pendingCents},
      provider_needed_cents = ${needed}, provider_read_at = shop_now()`);
  const short = Math.max(0, needed - availableCents);
  if (short > 0)
    log.error({ short, needed }, "the shop's balance at the payment provider is below what it owes there");
  return toDecimal(short);
}
