import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ipGroup } from "@/lib/platform/http/ip";
import { emailIdentity } from "./email-identity";

type Person = { userId: string; email: string };

/**
 * The merchants to which a user belongs: as a member, as an invited owner, or with another account of the email
 * identity of one. They may neither review their own passes nor buy them with the shop's money.
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

/** An address group from which more people order is a network of many, such as a carrier's, and says nothing about who buys. */
const SHARED_BY = 10;

/**
 * Those of these merchants to which a purchase belongs: as `findOwnMerchants`, or the buyer paid with a card, or orders from an
 * address group, of a member's orders. The shop's money pays nothing for such a purchase.
 */
export async function findRelatedMerchants(
  tx: Db,
  person: Person,
  merchantIds: readonly string[],
  addressGroup: string | null,
): Promise<string[]> {
  if (merchantIds.length === 0) return [];
  const own = await findOwnMerchants(tx, person, merchantIds);
  const related = await tx.execute<{ merchant: string }>(sql`
    select distinct m.merchant_id as merchant from merchant_members m
    where m.merchant_id = any(${sql.param([...merchantIds])}::text[]) and m.ended_at is null
      and (exists (select from orders mine join payments p on p.order_id = mine.id and p.card_fingerprint is not null
          join payments q on q.card_fingerprint = p.card_fingerprint join orders theirs on theirs.id = q.order_id
          where mine.user_id = ${person.userId} and theirs.user_id = m.user_id)
        or (exists (select from order_holds h join orders theirs on theirs.id = h.order_id
            where theirs.user_id = m.user_id and h.address_group = ${addressGroup})
          and (select count(distinct o.user_id) from order_holds h join orders o on o.id = h.order_id
            where h.address_group = ${addressGroup}) <= ${SHARED_BY}))`);
  return [...new Set([...own, ...related.map(({ merchant }) => merchant)])];
}

/** Of a client on the server itself, or behind a proxy that names none. */
const LOCAL: readonly string[] = ["127.0.0.1", "::1", "::ffff:127.0.0.1"];

/** The keyed hash of an address group, as the holds of unpaid orders keep it; null: the address is unknown. */
export const addressGroupHash = (ip: string | undefined): string | null =>
  ip === undefined || LOCAL.includes(ip) ? null : hmac("order-address", ipGroup(ip));
