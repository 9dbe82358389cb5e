import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { anonymizeUser } from "@/lib/accounts/erasure/commands-anonymize";
import { removeUnverifiedOwnerData } from "@/lib/accounts/registration/commands";
import { audit } from "@/lib/platform/audit";
import { ShopError } from "@/lib/platform/errors";

/**
 * Closes the unverified account that holds an address, for the user who has just verified it in another account.
 * Subscriptions of the address stay. The caller has locked the holder's row, so that an order being placed is seen.
 * @throws ShopError email_in_use: a verified account, staff, or an account with orders
 */
export async function reclaimEmail(tx: Tx, holderId: string, takerId: string): Promise<void> {
  const [holder] = await tx.execute<{ email: string }>(sql`
    select lower(email) as email from users u
    where id = ${holderId} and email_verified_at is null and role = 'user' and deleted_at is null
      and not exists (select from orders o where o.user_id = u.id and o.status <> 'cancelled')`);
  if (!holder) throw new ShopError("email_in_use");
  await removeUnverifiedOwnerData(tx, holderId);
  await anonymizeUser(tx, { userId: holderId, email: holder.email, proved: false });
  await audit({ actor: takerId, action: "account.displaced", subject: holderId }, tx);
}
