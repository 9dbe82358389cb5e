import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { COUNTRY_SQL, methodOf } from "@/lib/payouts/providers/method-of";
import type { ProviderAccountState } from "@/lib/payouts/rules";
import { currentAccountSql, waitingAccountSql } from "@/lib/payouts/terms/next-payout";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { instant } from "@/lib/platform/instant";
import type { PayoutAccounts, PayoutAccountView } from "./contract";

type Owner = {
  country: string | null;
  state: ProviderAccountState | null;
  requirements: string[] | null;
};
type Row = PayoutAccountView & { waits: boolean };

/** The account to which a merchant is paid, and the one that does not count yet. */
export async function getAccounts({
  merchant: { id },
}: Pick<MerchantViewer, "merchant">): Promise<PayoutAccounts> {
  const [owner] = await db.execute<Owner>(sql`
    select ${COUNTRY_SQL} as country, r.state, r.requirements from merchants m
    left join provider_accounts r on r.merchant_id = m.id and r.state <> 'closed' where m.id = ${id}`);
  const rows = await db.execute<Row>(sql`
    select a.id as account_id, a.scheme, a.country, a.last_four, u.email as set_by, a.created_at as set_at, a.counts_from,
      a.counts_from > shop_now() as waits
    from payout_accounts a left join users u on u.id = a.created_by
    where a.id in (${currentAccountSql(sql`${id}`)}, ${waitingAccountSql(sql`${id}`)})`);
  const find = (waiting: boolean): PayoutAccountView | null => {
    const row = rows.find(({ waits }) => waits === waiting);
    if (!row) return null;
    const { waits: _, ...account } = row;
    return { ...account, set_at: instant(row.set_at), counts_from: instant(row.counts_from) };
  };
  const { country, state, requirements } = owner!;
  const provider = state && { state, requirements: requirements ?? [] };
  return { current: find(false), waiting: find(true), method: methodOf(country), provider };
}
