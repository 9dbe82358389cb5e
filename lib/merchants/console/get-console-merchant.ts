import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { NAME_VERSION } from "@/lib/merchants/names/decide-name";
import { MERCHANT_VERSION } from "@/lib/merchants/states/change-state";
import { listInvites, listMembers } from "@/lib/merchants/team/list-team";
import { rowCount, versionSql } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { ConsoleMerchantDetail } from "./contract-merchants";
import { findDiscounts, SALES_DAYS } from "./list-console-merchants";

/** SQL: the version of the stop of a merchant `m` that sent codes of others. */
export const KEYS_VERSION = versionSql(sql`m.id`, sql`m.foreign_keys`, sql`m.keys_stopped_at`);
/** Sales that the page of one merchant adds up, the newest. */
const SUMMED_SALES = 2_000;
const MAX_PRODUCTS = 100;
const MAX_HISTORY = 50;

type Facts = Omit<
  ConsoleMerchantDetail,
  | "members"
  | "invites"
  | "tokens"
  | "products"
  | "products_total"
  | "sales"
  | "replaced"
  | "discounts"
  | "history"
  | "created_at"
  | "state_at"
  | "keys_stopped_at"
  | "closed_until"
> & { created_at: string; state_at: string; keys_stopped_at: string | null; closed_until: string | null };
type Sales = { lines: number; units: number; gross: number; net: number; refunded: number; replaced: number };

/**
 * One merchant with its team, products, sales of the last 30 days and history.
 * @throws ShopError merchant_unknown
 */
export async function getConsoleMerchant(id: string): Promise<ConsoleMerchantDetail> {
  const [facts] = await db.execute<Facts>(sql`
    select id as merchant_id, handle, name, state, trust, ${MERCHANT_VERSION} as version, created_at, state_note, keys_stopped_at, ${KEYS_VERSION} as keys_version, state_at, country, locale, support_email, website,
      closed_until, application_id,
      case when m.proposed_name is not null then
        json_build_object('name', m.proposed_name, 'at', m.proposed_name_at, 'version', ${NAME_VERSION}) end as proposed_name
    from merchants m where m.id = ${id}`);
  if (!facts) throw new ShopError("merchant_unknown");
  const members = await listMembers(id, null);
  const invites = await listInvites(id);
  const { sales, replaced } = await sumSales(id);
  return {
    ...facts,
    proposed_name: facts.proposed_name && { ...facts.proposed_name, at: instant(facts.proposed_name.at) },
    created_at: instant(facts.created_at),
    state_at: instant(facts.state_at),
    keys_stopped_at: instant(facts.keys_stopped_at),
    closed_until: instant(facts.closed_until),
    members: [...members],
    invites: [...invites],
    tokens: await listTokens(id),
    ...(await listProducts(id)),
    sales,
    replaced,
    discounts: (await findDiscounts([id], db)).get(id) ?? null,
    history: await listHistory(id),
  };
}

async function sumSales(id: string) {
  const [sums] = await db.execute<Sales>(sql`
    with newest as (
      select line_id, units, gross_cents, net_cents, net_back_cents, refunded_cents from merchant_sales
      where merchant_id = ${id} and sold_at > shop_now() - make_interval(days => ${rowCount(SALES_DAYS)})
      order by sold_at desc, line_id desc limit ${rowCount(SUMMED_SALES + 1)})
    select count(*)::int as lines, coalesce(sum(units), 0)::int as units, coalesce(sum(gross_cents), 0)::int as gross,
      coalesce(sum(net_cents - net_back_cents), 0)::int as net, coalesce(sum(refunded_cents), 0)::int as refunded,
      (select count(*)::int from newest n join keys k on k.order_line_id = n.line_id
        join replacement_requests r on r.key_id = k.id and r.state = 'approved') as replaced
    from newest`);
  const { replaced, lines, ...rest } = sums!;
  const { gross, net, refunded, units } = rest;
  const exact = lines <= SUMMED_SALES;
  const money = { gross: toDecimal(gross), net: toDecimal(net), refunded: toDecimal(refunded) };
  return { sales: { lines: Math.min(lines, SUMMED_SALES), units, ...money, exact }, replaced };
}

async function listTokens(id: string): Promise<ConsoleMerchantDetail["tokens"]> {
  const rows = await db.execute<{
    token_id: string;
    name: string;
    created_at: string;
    last_used_at: string | null;
    revoked: boolean;
  }>(sql`
    select id as token_id, name, created_at, last_used_at, revoked_at is not null as revoked
    from api_tokens where merchant_id = ${id} order by created_at desc, id desc limit ${rowCount(MAX_PRODUCTS)}`);
  return rows.map((row) => ({
    ...row,
    created_at: instant(row.created_at),
    last_used_at: instant(row.last_used_at),
  }));
}

async function listProducts(id: string) {
  const products = await db.execute<ConsoleMerchantDetail["products"][number]>(sql`
    select p.id as product_id, p.slug, coalesce(t.name, p.slug) as name, p.listed as on_sale
    from products p left join product_texts t on t.product_id = p.id and t.locale = 'en'
    where p.merchant_id = ${id} order by p.id desc limit ${rowCount(MAX_PRODUCTS)}`);
  const [counted] = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from products where merchant_id = ${id}`,
  );
  return { products: [...products], products_total: counted!.total };
}

async function listHistory(id: string): Promise<ConsoleMerchantDetail["history"]> {
  const rows = await db.execute<{
    entry_id: number;
    at: string;
    actor: string;
    action: string;
    note: string;
  }>(sql`
    select a.id::int as entry_id, a.created_at as at, coalesce(u.email, a.actor) as actor, a.action, coalesce(a.detail->>'note', '') as note
    from audit_entries a left join users u on u.id = a.actor
    where a.subject = ${id} order by a.id desc limit ${rowCount(MAX_HISTORY)}`);
  return rows.map((row) => ({ ...row, at: instant(row.at) }));
}
