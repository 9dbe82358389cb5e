import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { DISCOUNTS_VERSION, WAITS_FOR_LOOK } from "@/lib/merchants/discounts/mark-discounts-looked";
import { NAME_VERSION } from "@/lib/merchants/names/decide-name";
import type { MerchantSaleList, MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/list-merchant-sales";
import { MERCHANT_VERSION } from "@/lib/merchants/states/change-state";
import { listInvites, listMembers } from "@/lib/merchants/team/list-team";
import { ID_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  isValue,
  type ListPlan,
  type ListSize,
  markColumns,
  pageSql,
  prefixSql,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
  versionSql,
} from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type {
  ConsoleMerchant,
  ConsoleMerchantDetail,
  ConsoleMerchantList,
  ConsoleMerchantsInput,
  Discounts,
} from "@/lib/staff/merchants/contract";

/** SQL: the version of the stop of a merchant `m` that sent codes of others. */
export const KEYS_VERSION = versionSql(sql`m.id`, sql`m.foreign_keys`, sql`m.keys_stopped_at`);

/** Members, products and sales of a merchant that the list counts. */
const COUNTED = 20;
const SALES_DAYS = 30;
/** Sales that the page of one merchant adds up, the newest. */
const SUMMED_SALES = 2_000;
const MAX_PRODUCTS = 100;
const MAX_HISTORY = 50;

const NAME_KEY = sql`lower(m.name) collate "C"`;
const BY_TIME: readonly SortKey[] = [
  { value: sql`m.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`m.id`, type: "text", pattern: ID_PATTERN },
];
const BY_NAME: readonly SortKey[] = [
  { value: NAME_KEY, type: "text", pattern: TEXT_PATTERN },
  { value: sql`m.id`, type: "text", pattern: ID_PATTERN },
];
const STATE: SortKey = { value: sql`m.state`, type: "text", pattern: TEXT_PATTERN };

/** SQL: a subquery with a limit is read for each merchant; with `not exists` Postgres would read all members. */
const UNOWNED = sql`m.state <> 'ended'
  and (select x.id from merchant_members x where x.merchant_id = m.id and x.ended_at is null limit 1) is null`;

/** SQL: the shop paid a high part of its sales by coupons, and nobody has looked at it. */
const DISCOUNTED = sql`exists (
  select from merchant_discounts d where d.merchant_id = m.id and ${WAITS_FOR_LOOK})`;

/** Reads merchants by name, by state, or by time. */
function planMerchants({
  name,
  state,
  unowned,
  keys_stopped,
  high_discounts,
  renamed,
}: ConsoleMerchantsInput): ListPlan {
  const byName = name !== undefined;
  const byState = state !== undefined && !byName;
  return {
    from: sql`merchants m`,
    alias: sql`m`,
    columns: sql.raw(
      "m.id, m.handle, m.name, m.state, m.trust, m.created_at, m.keys_stopped_at, m.proposed_name_at",
    ),
    indexed: byName ? [prefixSql(NAME_KEY, name)] : byState ? [isValue(STATE, state)] : [],
    filters: [
      ...(byName && state !== undefined ? [sql`m.state = ${state}`] : []),
      ...(keys_stopped === undefined
        ? []
        : [sql`m.keys_stopped_at is ${sql.raw(keys_stopped ? "not null" : "null")}`]),
      ...(high_discounts === undefined ? [] : [high_discounts ? DISCOUNTED : sql`not (${DISCOUNTED})`]),
      ...(renamed === undefined
        ? []
        : [sql`m.proposed_name_at is ${sql.raw(renamed ? "not null" : "null")}`]),
      ...(unowned === undefined ? [] : [unowned ? UNOWNED : sql`not (${UNOWNED})`]),
    ],
    walked: unowned === undefined ? WALKED_ROWS : WALKED_ROWS / 2,
    sort: byName ? BY_NAME : byState ? [STATE, ...BY_TIME] : BY_TIME,
    at: sql`m.created_at`,
  };
}

type Row = Pick<ConsoleMerchant, "merchant_id" | "handle" | "name" | "state" | "trust" | "renamed"> & {
  created_at: string;
};
type Counts = { id: string; count: number };

/**
 * A page of merchants, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleMerchants(
  input: ConsoleMerchantsInput,
  size: ListSize = SCREEN,
): Promise<ConsoleMerchantList> {
  const plan = planMerchants(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(plan, input, size)}
    select m.id as merchant_id, m.handle, m.name, m.state, m.trust, m.created_at,
      m.proposed_name_at is not null as renamed, ${markColumns("m")}
    from page m order by m.place`);
  const page = await toPage(plan, input, size, rows, (row) => row);
  const ids = page.items.map(({ merchant_id }) => merchant_id);
  const members = await countOf(
    ids,
    sql`select 1 from merchant_members x where x.merchant_id = i.id and x.ended_at is null`,
  );
  const products = await countOf(ids, sql`select 1 from products x where x.merchant_id = i.id`);
  const sales = await countOf(
    ids,
    sql`select 1 from merchant_sales x where x.merchant_id = i.id
      and x.sold_at > shop_now() - make_interval(days => ${rowCount(SALES_DAYS)}) order by x.sold_at desc`,
  );
  const discounts = await findDiscounts(ids);
  const items = page.items.map((row) => {
    const count = (of: Map<string, number>) => of.get(row.merchant_id) ?? 0;
    return {
      ...row,
      created_at: instant(row.created_at),
      members: Math.min(COUNTED, count(members)),
      products: Math.min(COUNTED, count(products)),
      products_exact: count(products) <= COUNTED,
      sales: Math.min(COUNTED, count(sales)),
      sales_exact: count(sales) <= COUNTED,
      discounts: discounts.get(row.merchant_id) ?? null,
    };
  });
  return { ...page, items };
}

type DiscountRow = {
  id: string;
  gross: string;
  paid: string;
  since: string | null;
  looked: string | null;
  version: string;
};

/** What the shop paid of merchants' sales, as it was counted last. `from`: the database that is read. */
async function findDiscounts(
  ids: readonly string[],
  from: typeof listDb = listDb,
): Promise<Map<string, NonNullable<Discounts>>> {
  const rows = await from.execute<DiscountRow>(sql`
    select d.merchant_id as id, d.gross_cents as gross, d.discount_cents as paid, d.high_since as since, d.looked_at as looked,
      ${DISCOUNTS_VERSION} as version
    from merchant_discounts d where d.merchant_id = any(${sql.param([...ids])}::text[])`);
  return new Map(
    rows.map(({ id, since, looked, version, ...cents }) => {
      const [gross, paid] = [Number(cents.gross), Number(cents.paid)];
      const share = gross === 0 ? null : Math.round((paid / gross) * 10_000) / 10_000;
      return [
        id,
        {
          gross: toDecimal(gross),
          shop_paid: toDecimal(paid),
          share,
          high_since: instant(since),
          looked_at: instant(looked),
          version,
        },
      ];
    }),
  );
}

/** Counts the rows of each merchant `i.id`, to one more than COUNTED. */
async function countOf(ids: readonly string[], rows: ReturnType<typeof sql>): Promise<Map<string, number>> {
  const counted = await listDb.execute<Counts>(sql`
    select i.id, (select count(*)::int from (${rows} limit ${rowCount(COUNTED + 1)}) c) as count
    from unnest(${sql.param([...ids])}::text[]) i(id)`);
  return new Map(counted.map(({ id, count }) => [id, count]));
}

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

/** @throws ShopError merchant_unknown */
export async function findMerchantName(id: string): Promise<string> {
  const [row] = await db.execute<{ name: string }>(sql`select name from merchants where id = ${id}`);
  if (!row) throw new ShopError("merchant_unknown");
  return row.name;
}

/** A page of a merchant's sales as the merchant sees them. @throws ShopError merchant_unknown, cursor_invalid */
export async function listConsoleSales(
  id: string,
  input: MerchantSalesInput,
  locale: Locale,
): Promise<MerchantSaleList> {
  await findMerchantName(id);
  return listMerchantSales({ merchant: { id } }, input, locale);
}
