import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { TokenList } from "@/lib/merchants/tokens/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { instant } from "@/lib/platform/instant";

/** Days for which revoked and expired tokens stay in the list. */
const LISTED_DAYS = 90;

type Row = TokenList["items"][number];

/** The tokens of the viewer's merchant, never a secret. */
export async function listTokens({ merchant: { id } }: MerchantViewer): Promise<TokenList> {
  const rows = await db.execute<Row>(sql`
    select t.id as token_id, t.name, t.scopes, t.networks, t.created_at, u.email as created_by, t.expires_at, t.last_used_at,
      t.revoked_at, t.revoked_at is null and coalesce(t.expires_at > shop_now(), true) as valid
    from api_tokens t left join users u on u.id = t.created_by and u.deleted_at is null
    where t.merchant_id = ${id}
      and coalesce(t.revoked_at, t.expires_at, shop_now()) > shop_now() - make_interval(days => ${LISTED_DAYS})
    order by t.created_at desc, t.id desc limit 200`);
  return {
    items: rows.map((row) => ({
      ...row,
      created_at: instant(row.created_at),
      expires_at: instant(row.expires_at),
      last_used_at: instant(row.last_used_at),
      revoked_at: instant(row.revoked_at),
    })),
  };
}
