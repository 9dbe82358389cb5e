import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { ledgerEntries } from "@/db/schema/payments";
import type { LedgerAccount } from "./rules";

type Posting = Pick<typeof ledgerEntries.$inferInsert, "transferId" | "orderId" | "amountCents"> & {
  debit: LedgerAccount;
  credit: LedgerAccount;
};

/** Posts a transfer to the ledger once; repeating it changes nothing. */
export async function postLedger(tx: Tx, { transferId, orderId, debit, credit, amountCents }: Posting) {
  await tx
    .insert(ledgerEntries)
    .values([
      { transferId, orderId, account: debit, amountCents },
      { transferId, orderId, account: credit, amountCents: -amountCents },
    ])
    .onConflictDoNothing({ target: [ledgerEntries.transferId, ledgerEntries.account] });
}

/**
 * Corrects the ledger so that the transfers of one payment, refund or dispute sum to `amountCents`: posts the
 * difference, as `transferId` or, when that exists, as the next of `transferId:2`, `transferId:3` … The order must be
 * locked. Returns the difference in cents.
 */
export async function correctLedger(tx: Tx, posting: Posting): Promise<number> {
  const { transferId, orderId, debit, credit, amountCents } = posting;
  const [booked] = await tx.execute<{ cents: number; transfers: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as cents, count(*)::int as transfers from ledger_entries
    where order_id = ${orderId} and account = ${debit} and (transfer_id = ${transferId} or starts_with(transfer_id, ${`${transferId}:`}))`);
  const difference = amountCents - booked!.cents;
  if (difference === 0) return 0;
  const accounts = difference > 0 ? { debit, credit } : { debit: credit, credit: debit };
  const nextId = booked!.transfers === 0 ? transferId : `${transferId}:${booked!.transfers + 1}`;
  await postLedger(tx, { ...accounts, transferId: nextId, orderId, amountCents: Math.abs(difference) });
  return difference;
}
