import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { instant } from "@/lib/platform/instant";

type Row = {
  merchant: string;
  handle: string;
  lastFour: string;
  countsFrom: string;
  by: string | null;
};

/** The email to an owner about a new account, or its cancellation. */
export async function accountMail(accountId: string, what: string) {
  const [row] = await db.execute<Row>(sql`
    select m.name as merchant, m.handle, a.last_four as "lastFour", a.counts_from as "countsFrom", u.email as by
    from payout_accounts a join merchants m on m.id = a.merchant_id
    left join users u on u.id = case when ${what}::text = 'cancelled' then a.cancelled_by else a.created_by end
    where a.id = ${accountId}`);
  if (!row) return null;
  const { countsFrom, by, ...account } = row;
  const kind = what === "cancelled" ? ("cancelled" as const) : ("set" as const);
  return { ...account, by: by ?? "", what: kind, countsFrom: new Date(instant(countsFrom)) };
}
