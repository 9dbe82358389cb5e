import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { UNREVEALED_RETURNS_DAYS, UNREVEALED_RETURNS_MAX } from "@/lib/orders/returns/rules";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";
import { ipGroup } from "@/lib/platform/http/ip";

/**
 * The buyer's identity among those who gave units back. Someone who only registered an address does not count for its
 * owner.
 */
export const returnIdentity = ({ email, emailVerified }: { email: string; emailVerified: boolean }): string =>
  `${emailVerified ? "" : "unverified:"}${emailIdentityHash(email)}`;

/** An address group as unpaid orders store it. */
export const returnAddress = (ip: string | undefined): string | null =>
  ip === undefined ? null : hmac("order-address", ipGroup(ip));

type Buyer = { userId: string; email: string; emailVerified: boolean };

/**
 * Whether the buyer of an order has returned so many units unrevealed within a week that its codes are delivered
 * immediately only, counted by the account, its email identity, its cards, or the address group of the order or of this
 * call, whichever has the most.
 */
export async function mustDeliverNow(tx: Db, buyer: Buyer, orderId: string, ip?: string): Promise<boolean> {
  const since = sql`r.created_at > shop_now() - make_interval(days => ${UNREVEALED_RETURNS_DAYS})`;
  const [row] = await tx.execute<{ units: number }>(sql`
    select greatest(
      (select count(*) from returned_keys r where r.identity = ${returnIdentity(buyer)} and ${since}),
      (select count(*) from returned_keys r join order_lines l on l.id = r.order_line_id join orders o on o.id = l.order_id
        where o.user_id = ${buyer.userId} and ${since}),
      (select coalesce(max(units), 0) from (select count(*) as units from returned_keys r
        where r.card_fingerprint in (select p.card_fingerprint from payments p join orders o on o.id = p.order_id
          where o.user_id = ${buyer.userId} and p.card_fingerprint is not null) and ${since}
        group by r.card_fingerprint) card),
      (select coalesce(max(units), 0) from (select count(*) as units from returned_keys r
        where r.address_group in (${returnAddress(ip)}, (select h.address_group from order_holds h where h.order_id = ${orderId}))
          and ${since}
        group by r.address_group) address))::int as units`);
  return row!.units >= UNREVEALED_RETURNS_MAX;
}

/** Whether a paid order `mustDeliverNow`, also by the card that paid. */
export async function paidMustDeliverNow(tx: Db, orderId: string): Promise<boolean> {
  const [buyer] = await tx.execute<Buyer>(sql`
    select u.id as "userId", u.email, u.email_verified_at is not null as "emailVerified"
    from orders o join users u on u.id = o.user_id where o.id = ${orderId}`);
  return mustDeliverNow(tx, buyer!, orderId);
}

/** @throws ShopError unrevealed_returns when codes would stay unrevealed and `mustDeliverNow` */
export async function requireMayKeepUnrevealed(
  tx: Db,
  buyer: Buyer,
  orderId: string,
  ip?: string,
): Promise<void> {
  if (await mustDeliverNow(tx, buyer, orderId, ip)) throw new ShopError("unrevealed_returns");
}
