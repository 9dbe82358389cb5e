import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import { findTranslatedTexts } from "@/lib/catalog/translation/rules-products";
import { partsOf } from "@/lib/delivery/code-text/code-shaped-parts";
import { hasFormerFingerprints, keyPrints, printsOfKey } from "@/lib/delivery/fingerprints/key-prints";
import { lettersOfKey } from "@/lib/delivery/rules";
import { audit } from "@/lib/platform/audit";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { rowCount } from "@/lib/platform/console/query";
import { shortFingerprint } from "@/lib/platform/crypto/vault";
import { dropInvisible, foldCode, foldOrderNumber, foldText } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { pastedEmail } from "@/lib/platform/mail/address";
import { toDecimal } from "@/lib/platform/money";
import type { FindHit, FindResult } from "@/lib/staff/find/contract";
import { parseOrderNumberPart } from "@/lib/staff/find/rules";
import { mayRead, type ReadableList } from "@/lib/staff/rules";

/** Hits of one kind. */
const MAX_HITS = 5;
/** Letters from which on the middle of a name or address is looked for. */
const MIN_PART = 3;

type Hit = Omit<FindHit, "order">;
/** The hits whose id may be an order's. */
const ORDER_KINDS: readonly FindHit["kind"][] = ["order", "payment", "key"];

/**
 * Finds what a text names: an order by number, a part of it, or id, a payment, an account by its address or
 * name or a part of them, orders by the whole address to which they were delivered, a product, a vendor, a coupon, or a code by its text, also within a sentence. The text
 * itself is stored nowhere; that a code was found is in the audit log, with the code's reference. A code stands before
 * the other hits, because what a merchant uploads may be the name of something else too.
 */
export async function findInShop(viewer: StaffViewer, q: string, locale: Locale): Promise<FindResult> {
  const key = mayStaff(viewer.staff.roles, "keys.find") ? await findKey(viewer, q) : null;
  const finds = {
    orders: () => findOrders(foldOrderNumber(q), q),
    customers: () =>
      q.includes("@") ? findCustomers(pastedEmail(q)) : firstHits(q, (name) => findCustomers(name)),
    products: () =>
      firstHits(q, async (name) => [...(await findProducts(name, locale)), ...(await findVendors(name))]),
    coupons: () => findCoupons(foldCode(q).toUpperCase()),
  } satisfies Partial<Record<ReadableList, () => Promise<Hit[]>>>;
  const items: Hit[] = key ? [key] : [];
  for (const list of ["orders", "customers", "products", "coupons"] as const)
    if (mayRead(viewer.staff.roles, list)) items.push(...(await finds[list]()));
  return { items: await withOrders(items, locale) };
}

type OrderOfHit = NonNullable<FindHit["order"]>;

/** The hits with what tells orders apart: when, which pass, how much, what became of it. */
async function withOrders(items: readonly Hit[], locale: Locale): Promise<FindHit[]> {
  const ids = items.filter(({ kind }) => ORDER_KINDS.includes(kind)).map(({ id }) => id);
  if (ids.length === 0) return items.map((hit) => ({ ...hit, order: null }));
  const rows = await listDb.execute<
    Omit<OrderOfHit, "amount" | "pass"> & {
      id: string;
      cents: number;
      name: string;
      pass_type: PassType;
      days: number | null;
    }
  >(sql`
    select o.id, o.order_number, o.created_at as at, o.total_cents as cents, o.status, ${productNameSql("l.product_id", locale)} as name,
      l.pass_type, l.duration_days as days, (select count(*)::int - 1 from order_lines n where n.order_id = o.id) as more
    from orders o join lateral (select * from order_lines where order_id = o.id order by position limit 1) l on true
    where o.id = any(${sql.param(ids)}::text[])`);
  const orders = new Map(
    rows.map(({ id, cents, name, pass_type, days, at, ...order }) => [
      id,
      {
        ...order,
        at: instant(at),
        amount: toDecimal(cents),
        pass: [name, passLabel({ pass_type, duration_days: days }, locale)].filter(Boolean).join(" · "),
      },
    ]),
  );
  return items.map((hit) => ({
    ...hit,
    order: ORDER_KINDS.includes(hit.kind) ? (orders.get(hit.id) ?? null) : null,
  }));
}

/** What is found by a name as it is typed, or else with plain letters for full-width ones. */
async function firstHits(q: string, find: (name: string) => Promise<Hit[]>): Promise<Hit[]> {
  const typed = dropInvisible(q).trim().toLowerCase();
  const folded = foldText(q).trim().toLowerCase();
  const found = await find(typed);
  return found.length > 0 || folded === typed ? found : find(folded);
}

type KeyRow = {
  key_id: string;
  state: string;
  order_id: string | null;
  order_number: string | null;
  plan_id: number;
};

/** Letters and digits from which on a part of a sentence is compared with codes. */
const SENTENCE_CODE_LENGTH = 8;

async function findKey({ userId }: StaffViewer, text: string): Promise<Hit | null> {
  const former = await hasFormerFingerprints(listDb);
  const prints = printsOfKey(text, { former });
  const { lettersHash } = keyPrints(text);
  // Without letters or digits it would find what has none either.
  const byLetters = lettersOfKey(text) === "" ? null : lettersHash;
  // A code within a sentence, also one of words and numbers ("TLK-1522-NHGR-1005").
  const byParts = partsOf(text)
    .filter(({ letters, shaped }) => shaped || (letters.length >= SENTENCE_CODE_LENGTH && /\d/.test(letters)))
    .map(({ letters }) => shortFingerprint(letters));
  const [row] = await listDb.execute<KeyRow>(sql`
    select k.id as key_id, k.plan_id, k.state, o.id as order_id, o.order_number
    from (select id, 1 as rank from keys where fingerprint = any(${sql.param(prints)}::text[])
      union all select id, 2 from keys where letters_hash = ${byLetters}::bigint
      union all select id, 3 from keys where letters_hash = any(${sql.param(byParts)}::bigint[])) f join keys k on k.id = f.id
    left join order_lines l on l.id = k.order_line_id left join orders o on o.id = l.order_id
    order by f.rank limit 1`);
  if (!row) return null;
  await audit({ actor: userId, action: "key.found", subject: row.key_id });
  return {
    kind: "key",
    id: row.order_id ?? row.key_id,
    vip_id: row.order_id === null ? row.plan_id : null,
    owner_id: null,
    title: row.order_number ? `${row.order_number} · ${row.key_id}` : row.key_id,
    detail: row.state,
  };
}

type Found = { id: string; title: string; detail: string | null };
const hits = (kind: FindHit["kind"], rows: readonly Found[]): Hit[] =>
  rows.map((row) => ({ kind, ...row, vip_id: null, owner_id: null }));

/** Months whose orders a running number alone may name, the newest. */
const NUMBERED_MONTHS = 24;

/** SQL: the numbers of orders that a part of one may stand for. */
function orderNumbersSql(q: string): SQL {
  const part = parseOrderNumberPart(q);
  if (!part) return sql`array[]::text[]`;
  if (part.month !== null) return sql`array[${`PL-${part.month}-${part.running}`}]::text[]`;
  return sql`array(select 'PL-' || m.month || '-' || ${part.running}::text from order_number_months m
    order by m.month desc limit ${rowCount(NUMBERED_MONTHS)})`;
}

/** Orders by id, number, a part of it, or the provider's payment id: one index for each, because these connections combine none with `or`. */
async function findOrders(number: string, typed: string): Promise<Hit[]> {
  const q = dropInvisible(typed).trim();
  const rows = await listDb.execute<Found & { is_payment: boolean }>(sql`
    select id, order_number as title, status as detail, is_payment from (
      select id, order_number, status, false as is_payment from orders where id = ${q}
      union all
      select id, order_number, status, false from orders where order_number = ${number} and id <> ${q}
      union all
      (select n.id, n.order_number, n.status, false from (
        select * from orders where order_number = any(${orderNumbersSql(typed)}) and order_number <> ${number} offset 0) n
        order by n.created_at desc limit ${rowCount(MAX_HITS)})
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
    owner_id: null,
  }));
}

/**
 * The newest orders that were delivered to exactly this address, because who pastes a whole one looks for an order, then accounts by
 * the beginning of their address or name, else by any part of it. An account whose address and name begin so is one hit.
 */
async function findCustomers(prefix: string): Promise<Hit[]> {
  const rows = [
    ...(await listDb.execute<Found>(sql`
    with by_email as (
      select id, email, username from users
      where lower(email) collate "C" >= ${prefix} and lower(email) collate "C" < ${prefix} || chr(1114111) and deleted_at is null
      order by lower(email) collate "C" limit ${rowCount(MAX_HITS)}),
    by_name as (
      select id, email, username from users
      where lower(username) collate "C" >= ${prefix} and lower(username) collate "C" < ${prefix} || chr(1114111) and deleted_at is null
      order by lower(username) collate "C", created_at, id limit ${rowCount(2 * MAX_HITS)})
    select id, email as title, username as detail from by_email
    union all
    (select id, email, username from by_name n where not exists (select from by_email e where e.id = n.id) limit ${rowCount(MAX_HITS)})`)),
  ];
  if (rows.length < MAX_HITS && [...prefix].length >= MIN_PART && /\p{L}/u.test(prefix)) {
    // A surname, or what stands in the middle of an address.
    const parts = await listDb.execute<Found>(
      sql`select id, email as title, username as detail from find_people(${prefix}, ${4 * MAX_HITS})`,
    );
    const more = parts.filter(({ id }) => !rows.some((row) => row.id === id));
    rows.push(...more.toSorted((a, b) => a.title.localeCompare(b.title)).slice(0, MAX_HITS - rows.length));
  }
  if (!prefix.includes("@")) return hits("customer", rows);
  const delivered = await listDb.execute<Found>(sql`
    select id, order_number as title, send_email as detail from orders
    where lower(send_email) collate "C" = ${prefix} order by created_at desc limit ${rowCount(MAX_HITS)}`);
  return [...hits("order", delivered), ...hits("customer", rows)];
}

/** Products by id, or by the beginning of a name, their own or the dictionary's, or of the name in addresses. */
async function findProducts(q: string, locale: Locale): Promise<Hit[]> {
  const id = /^\d{1,9}$/.test(q) ? Number(q) : null;
  const rows = await listDb.execute<Found>(sql`
    select p.id::text as id, coalesce(${productNameSql("p.id", locale)}, p.slug) as title, p.vendor as detail
    from products p where p.id = any(array(
      select ${id}::int union all (select id from products where slug = ${q})
      union all (select product_id from product_texts where locale = 'en' and lower(name) collate "C" >= ${q}
        and lower(name) collate "C" < ${q} || chr(1114111) order by lower(name) collate "C" limit ${rowCount(MAX_HITS)})
      union all (select product_id from product_texts where locale = ${locale} and lower(name) collate "C" >= ${q}
        and lower(name) collate "C" < ${q} || chr(1114111) order by lower(name) collate "C" limit ${rowCount(MAX_HITS)})
      union all (select e.product_id from product_texts e where e.locale = 'en' and lower(e.name) collate "C" = any(${sql.param(findTranslatedTexts(q, locale))}::text[])
        and not exists (select from product_texts o where o.product_id = e.product_id and o.locale = ${locale}) limit ${rowCount(MAX_HITS)})))
    order by p.id limit ${rowCount(MAX_HITS)}`);
  return hits("product", rows);
}

/** Vendors by the beginning of their name in addresses. */
async function findVendors(q: string): Promise<Hit[]> {
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

/** A coupon by its code, with its owner if it has one. */
async function findCoupons(code: string): Promise<Hit[]> {
  const rows = await listDb.execute<Found & { owner_id: string | null }>(sql`
    select code as id, code as title, state as detail, user_id as owner_id from coupons where code = ${code}
    union all select code, code, id, null from campaigns where code = ${code}`);
  return rows.map((row) => ({ kind: "coupon", ...row, vip_id: null }));
}
