import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { normalizeKey } from "@/lib/delivery/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { rowCount } from "@/lib/platform/console/query";
import { fingerprint } from "@/lib/platform/crypto/vault";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { FindHit, FindResult } from "@/lib/staff/find/contract";
import { mayStaff } from "@/lib/staff/rules";

/** Hits of one kind. */
const MAX_HITS = 5;

/**
 * Finds what a text names: an order by number or id, a payment, an account by the beginning of its address, orders by the
 * whole address to which they were delivered, a product, a vendor, a coupon, or a code by its text. The text itself is stored nowhere; that a code was found is in the audit log,
 * with the code's reference. A code ends the search, so that its text reaches no other statement.
 */
export async function findInShop(viewer: StaffViewer, q: string, locale: Locale): Promise<FindResult> {
  if (mayStaff(viewer.staff.roles, "keys.find")) {
    const key = await findKey(viewer, q);
    if (key) return { items: [key] };
  }
  const items = [
    ...(await findOrders(q)),
    ...(await findCustomers(q.toLowerCase())),
    ...(await findProducts(q.toLowerCase(), locale)),
    ...(await findVendors(q.toLowerCase())),
    ...(await findCoupons(q.toUpperCase())),
  ];
  return { items };
}

type KeyRow = {
  key_id: string;
  state: string;
  order_id: string | null;
  order_number: string | null;
  plan_id: number;
};

async function findKey({ userId }: StaffViewer, text: string): Promise<FindHit | null> {
  const [row] = await listDb.execute<KeyRow>(sql`
    select k.id as key_id, k.plan_id, k.state, o.id as order_id, o.order_number
    from keys k left join order_lines l on l.id = k.order_line_id left join orders o on o.id = l.order_id
    where k.fingerprint = ${fingerprint(normalizeKey(text))}`);
  if (!row) return null;
  await audit({ actor: userId, action: "key.found", subject: row.key_id });
  return {
    kind: "key",
    id: row.order_id ?? row.key_id,
    vip_id: row.order_id === null ? row.plan_id : null,
    title: row.order_number ? `${row.order_number} · ${row.key_id}` : row.key_id,
    detail: row.state,
  };
}

type Found = { id: string; title: string; detail: string | null };
const hits = (kind: FindHit["kind"], rows: readonly Found[]): FindHit[] =>
  rows.map((row) => ({ kind, ...row, vip_id: null }));

/** Orders by id, number or the provider's payment id: one index for each, because these connections combine none with `or`. */
async function findOrders(q: string): Promise<FindHit[]> {
  const rows = await listDb.execute<Found & { is_payment: boolean }>(sql`
    select id, order_number as title, status as detail, is_payment from (
      select id, order_number, status, false as is_payment from orders where id = ${q}
      union all
      select id, order_number, status, false from orders where order_number = upper(${q}) and id <> ${q}
      union all
      select id, order_number, status, true from orders where transaction_id = ${q}
      union all
      (select o.id, o.order_number, o.status, true from (select order_id from payments where id = ${q}
        union select order_id from payments where intent_id = ${q}) p
      cross join lateral (select * from orders where id = p.order_id limit 1) o where o.transaction_id is distinct from ${q})) found limit ${rowCount(MAX_HITS)}`);
  return rows.map(({ is_payment, ...row }) => ({
    kind: is_payment ? "payment" : "order",
    ...row,
    vip_id: null,
  }));
}

/** Accounts by the beginning of their address, then the newest orders that were delivered to exactly this address. */
async function findCustomers(prefix: string): Promise<FindHit[]> {
  const rows = await listDb.execute<Found>(sql`
    select id, email as title, username as detail from users
    where lower(email) collate "C" >= ${prefix} and lower(email) collate "C" < ${prefix} || chr(1114111) and deleted_at is null
    order by lower(email) collate "C" limit ${rowCount(MAX_HITS)}`);
  if (!prefix.includes("@")) return hits("customer", rows);
  const delivered = await listDb.execute<Found>(sql`
    select id, order_number as title, send_email as detail from orders
    where lower(send_email) collate "C" = ${prefix} order by created_at desc limit ${rowCount(MAX_HITS)}`);
  return [...hits("customer", rows), ...hits("order", delivered)];
}

/** Products by id, or by the beginning of a name or of the name in addresses. */
async function findProducts(q: string, locale: Locale): Promise<FindHit[]> {
  const id = /^\d{1,9}$/.test(q) ? Number(q) : null;
  const rows = await listDb.execute<Found>(sql`
    select p.id::text as id, coalesce((select n.name from product_texts n where n.product_id = p.id and n.locale in (${locale}, 'en')
      order by n.locale = ${locale} desc limit 1), p.slug) as title, p.vendor as detail
    from products p where p.id = any(array(
      select ${id}::int union all (select id from products where slug = ${q})
      union all (select product_id from product_texts where locale = 'en' and lower(name) collate "C" >= ${q}
        and lower(name) collate "C" < ${q} || chr(1114111) order by lower(name) collate "C" limit ${rowCount(MAX_HITS)})
      union all (select product_id from product_texts where locale = ${locale} and lower(name) collate "C" >= ${q}
        and lower(name) collate "C" < ${q} || chr(1114111) order by lower(name) collate "C" limit ${rowCount(MAX_HITS)})))
    order by p.id limit ${rowCount(MAX_HITS)}`);
  return hits("product", rows);
}

/** Vendors by the beginning of their name in addresses. */
async function findVendors(q: string): Promise<FindHit[]> {
  const slug = q.replace(/[^\p{L}\p{N}]+/gu, "-");
  // Follows the index from vendor to vendor, because each has many products.
  const rows = await listDb.execute<Found>(sql`
    with recursive vendors as (
      (select vendor_slug, vendor, 1 as n from products where vendor_slug collate "C" >= ${slug}
        order by vendor_slug collate "C" limit 1)
      union all
      select next.vendor_slug, next.vendor, v.n + 1 from vendors v cross join lateral (
        select vendor_slug, vendor from products where vendor_slug collate "C" > v.vendor_slug collate "C"
        order by vendor_slug collate "C" limit 1) next where v.n < ${MAX_HITS})
    select vendor_slug as id, vendor as title, null::text as detail from vendors where starts_with(vendor_slug, ${slug})`);
  return hits("merchant", rows);
}

/** A coupon by its code, with its order if it has one. */
async function findCoupons(code: string): Promise<FindHit[]> {
  const rows = await listDb.execute<Found>(sql`
    select code as id, code as title, state as detail from coupons where code = ${code}
    union all select code, code, id from campaigns where code = ${code}`);
  return hits("coupon", rows);
}
