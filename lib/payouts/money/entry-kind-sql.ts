import { type SQL, sql } from "drizzle-orm";

/** SQL: what an entry `e` of `merchant_payable` stands for (lib/payouts/money/rules.ts). */
export const entryKindSql = (e: SQL): SQL => sql`case
  when ${e}.line_id is null then case when ${e}.transfer_id like 'payout:%:back' then 'payout_back'
    when ${e}.transfer_id like 'write_off:%' then 'write_off' else 'payout' end
  when ${e}.amount_cents > 0 then 'return' when ${e}.transfer_id = 'settle:' || ${e}.line_id then 'sale' else 'correction' end`;
