import { client } from "@/db/client";
import type { OrderStatus } from "@/lib/orders/rules";
import { unseal } from "@/lib/platform/crypto/vault";

/** The decrypted keys assigned to an order, by line and unit. */
export async function findOrderKeys(orderId: string): Promise<string[]> {
  const rows = await client()<{ id: string; sealed: Buffer; vault_key_id: string }[]>`
    select k.id, k.sealed, k.vault_key_id from keys k join order_lines l on l.id = k.order_line_id
    where l.order_id = ${orderId} and k.state = 'assigned' order by l.position, k.slot`;
  return rows.map(({ id, sealed, vault_key_id: vaultKeyId }) => unseal(id, { sealed, vaultKeyId }));
}

/** The orders of an account, newest first. */
export async function findOrders(email: string) {
  return client()<{ id: string; status: OrderStatus; send_email: string; total_cents: number }[]>`
    select o.id, o.status, o.send_email, o.total_cents from orders o join users u on u.id = o.user_id
    where u.email = ${email} order by o.created_at desc`;
}

/** The source that an order is counted for. */
export async function findAttribution(orderId: string) {
  const [row] = await client()<{ attribution: object | null }[]>`
    select attribution from orders where id = ${orderId}`;
  return row!.attribution;
}

/** The number of succeeded payments of an order. */
export async function countCharges(orderId: string): Promise<number> {
  const [row] = await client()<{ n: number }[]>`
    select count(*)::int as n from payments where order_id = ${orderId} and state = 'succeeded'`;
  return row!.n;
}

export type Plan = {
  vip_id: number;
  product_id: number;
  price_cents: number;
  free: number;
  releases_at: Date | null;
  /** The first redemption deadline of the available keys. */
  redeem_by: Date | null;
};

/** A plan by product and duration in days (`null`: lifetime), with its available keys. */
export async function findPlan(slug: string, days: number | null): Promise<Plan> {
  const [row] = await client()<Plan[]>`
    select l.id as vip_id, p.id as product_id, l.price_cents, l.releases_at,
      (select count(*)::int from keys k where k.plan_id = l.id and k.state = 'available') as free,
      (select min(k.redeem_by) from keys k where k.plan_id = l.id and k.state = 'available') as redeem_by
    from plans l join products p on p.id = l.product_id
    where p.slug = ${slug} and l.duration_days is not distinct from ${days}`;
  if (!row) throw new Error(`no plan of ${days} days of ${slug}`);
  return row;
}

/** The name of a product in a language, or in English without a translation. */
export async function findProductName(slug: string, locale: string): Promise<string> {
  const [row] = await client()<{ name: string }[]>`
    select t.name from product_texts t join products p on p.id = t.product_id
    where p.slug = ${slug} and t.locale in (${locale}, 'en') order by t.locale = ${locale} desc limit 1`;
  return row!.name;
}
