import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";

/** Younger entries stay open: a transaction may still commit one with a lower id. */
const OPEN_MINUTES = 60;
/** Entries of one transaction. */
const BATCH = 100_000;

/**
 * Adds up the entries of the ledger that are older than an hour, by account and merchant, so that balances of the whole shop are read
 * from these sums and the later entries (`LEDGER_SUMS`). Safe to repeat, to stop, and to run twice at once.
 */
export async function closeLedger(): Promise<void> {
  const [last] = await db.execute<{ id: string }>(sql`
    select e.id::text from ledger_entries e where e.created_at < shop_now() - make_interval(mins => ${OPEN_MINUTES}) order by e.id desc limit 1`);
  if (last) while (await closeNext(last.id));
}

/** Closes the next entries, up to one. Returns whether there are more. */
const closeNext = (last: string): Promise<boolean> =>
  transaction(async (tx) => {
    const [state] = await tx.execute<{ from: string; to: string; open: boolean }>(sql`
      select s.ledger_closed_id::text as "from", least(s.ledger_closed_id + ${BATCH}, ${last}::bigint)::text as "to",
        s.ledger_closed_id < ${last}::bigint as open
      from payout_settings s for update`);
    if (!state?.open) return false;
    const { from, to } = state;
    await tx.execute(sql`
      insert into ledger_closings as c (account, merchant_id, cents)
      select account, coalesce(merchant_id, ''), sum(amount_cents) from ledger_entries
      where id > ${from}::bigint and id <= ${to}::bigint group by 1, 2
      on conflict (account, merchant_id) do update set cents = c.cents + excluded.cents`);
    await tx.execute(sql`update payout_settings set ledger_closed_id = ${to}::bigint`);
    return true;
  });
