import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { emailIdentity } from "./email-identity";

type Person = { userId: string; email: string };

/**
 * Those of these merchants to which somebody belongs: a member, somebody who is invited to become an owner, or another account
 * of the email identity of one. Their own passes they neither review nor buy with the shop's money.
 */
export async function findOwnMerchants(
  tx: Db,
  { userId, email }: Person,
  merchantIds: readonly string[],
): Promise<string[]> {
  if (merchantIds.length === 0) return [];
  const ids = sql.param([...merchantIds]);
  const people = await tx.execute<{ merchant: string; user: string | null; email: string }>(sql`
    select m.merchant_id as merchant, m.user_id as "user", u.email from merchant_members m join users u on u.id = m.user_id
    where m.merchant_id = any(${ids}::text[]) and m.ended_at is null
    union all
    select i.merchant_id, null, i.email from merchant_invites i
    where i.merchant_id = any(${ids}::text[]) and i.role = 'owner' and i.accepted_at is null and i.revoked_at is null
      and i.expires_at > shop_now()`);
  const identity = emailIdentity(email);
  const own = people.filter((person) => person.user === userId || emailIdentity(person.email) === identity);
  return [...new Set(own.map(({ merchant }) => merchant))];
}
