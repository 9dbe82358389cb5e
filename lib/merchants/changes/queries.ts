import { type SQL, sql } from "drizzle-orm";
import { type Db, db, listDb, type Tx } from "@/db/client";
import { checkProduct } from "@/lib/catalog/console/commands-editor";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts } from "@/lib/catalog/console/queries";
import { getEditedProduct } from "@/lib/catalog/console/queries-editor";
import {
  type FieldConflict,
  findChanges,
  findConflicts,
  mergeLines,
} from "@/lib/catalog/console/rules-changes";
import type { ProductLine } from "@/lib/catalog/import/contract";
import { readProductLines } from "@/lib/catalog/import/queries";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  isValue,
  type ListPlan,
  markColumns,
  pageSql,
  type RowMarks,
  requireShownRow,
  SCREEN,
  type SortKey,
  toPage,
  versionSql,
} from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type {
  ChangeCheck,
  MerchantChange,
  MerchantChangeDetail,
  MerchantChangeList,
  MerchantChangesInput,
  MerchantProduct,
  MerchantProductList,
  MerchantProductRow,
  MerchantProductsInput,
  PlanPrices,
} from "./contract";
import { AUTOMATIC, BY_SHOP, EDITABLE_STATES, OPEN_STATES, SHOP_MARK_DAYS } from "./rules";

/** SQL: whether a product `p` is sold, and why not. */
const PRODUCT_STATE = sql.raw(
  `case when p.listed then 'sold' when p.blocked_reason is not null then 'blocked' else 'unlisted' end`,
);
const OPEN = sql`${sql.param([...OPEN_STATES])}::text[]`;

/** SQL: the newest change of the last days that the shop made of a product `p`. */
const SHOP_CHANGE = sql`(select json_build_object('change_id', c.id, 'at', c.created_at) from product_changes c
  where c.product_id = p.id and c.created_by = ${BY_SHOP} and c.created_at > shop_now() - make_interval(days => ${SHOP_MARK_DAYS})
  order by c.created_at desc limit 1)`;
type ShopMark = MerchantProductRow["shop_change"];
const toMark = (mark: ShopMark): ShopMark => mark && { ...mark, at: instant(mark.at) };

type ProductState = { id: number } & Pick<MerchantProductRow, "state" | "open_change" | "shop_change">;

/** A page of the merchant's products, with capped total. @throws ShopError cursor_invalid */
export async function listMerchantProducts(
  { merchant }: MerchantViewer,
  input: MerchantProductsInput,
  locale: Locale,
): Promise<MerchantProductList> {
  const { cursor, ...filters } = ConsoleProductsInput.parse(input);
  const page = await listConsoleProducts({ cursor, ...filters }, locale, { merchantId: merchant.id });
  const ids = page.items.map(({ product_id }) => product_id);
  const rows = await listDb.execute<ProductState>(sql`
    select p.id, ${PRODUCT_STATE} as state, (select json_build_object('change_id', c.id, 'state', c.state) from product_changes c
      where c.product_id = p.id and c.state = any(${OPEN}) order by c.created_at desc limit 1) as open_change,
      ${SHOP_CHANGE} as shop_change
    from products p where p.id = any(${sql.param(ids)}::int[]) and p.merchant_id = ${merchant.id}`);
  const states = new Map(
    rows.map(({ id, shop_change, ...row }) => [id, { ...row, shop_change: toMark(shop_change) }]),
  );
  return {
    ...page,
    items: page.items.flatMap(({ vendor_slug: _slug, listed: _listed, ...row }) => {
      const state = states.get(row.product_id);
      return state ? [{ ...row, ...state }] : [];
    }),
  };
}

/** The revision of one of the merchant's products; null: it has no such product. */
export async function findRevision({ merchant }: MerchantViewer, id: number): Promise<number | null> {
  const [row] = await db.execute<{ revision: number }>(
    sql`select revision from products where id = ${id} and merchant_id = ${merchant.id}`,
  );
  return row?.revision ?? null;
}

/** A product of the merchant, for the editor. */
export type OwnProduct = Omit<MerchantProduct, "line" | "earlier_plans"> & {
  line: ProductLine;
  earlier_plans: ProductLine["plans"];
};

/** One of the merchant's products with its line. @throws ShopError product_unknown */
export async function getMerchantProduct(
  { merchant }: MerchantViewer,
  id: number,
  locale: Locale,
): Promise<OwnProduct> {
  const [found] = await db.execute<Pick<OwnProduct, "state" | "open_changes" | "shop_change">>(sql`
    select ${PRODUCT_STATE} as state, coalesce((select json_agg(json_build_object('change_id', c.id, 'state', c.state) order by c.created_at desc)
      from product_changes c where c.product_id = p.id and c.state = any(${OPEN})), '[]') as open_changes,
      ${SHOP_CHANGE} as shop_change
    from products p where p.id = ${id} and p.merchant_id = ${merchant.id}`);
  if (!found) throw new ShopError("product_unknown");
  return {
    ...(await getEditedProduct(id, locale)),
    ...found,
    shop_change: toMark(found.shop_change),
  };
}

/** A listed plan of the merchant with the history of its prices. @throws ShopError product_unknown */
export async function getPlanPrices(
  { merchant }: MerchantViewer,
  planId: number,
  locale: Locale,
): Promise<PlanPrices> {
  const [row] = await db.execute<{ id: number }>(sql`
    select p.id from plans pl join products p on p.id = pl.product_id where pl.id = ${planId} and p.merchant_id = ${merchant.id}`);
  const product = row && (await getEditedProduct(row.id, locale));
  const found = product?.plans.find(({ vip_id }) => vip_id === planId);
  if (!product || !found) throw new ShopError("product_unknown");
  const { plan, vip_id, shown, history } = found;
  return { product_id: product.product_id, plan, vip_id, shown, history };
}

const BY_TIME: readonly SortKey[] = [
  { value: sql`c.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`c.id`, type: "text", pattern: ID_PATTERN },
];
const MERCHANT: SortKey = { value: sql`c.merchant_id`, type: "text", pattern: ID_PATTERN };

/** The columns of a change `c` that its lists read; its content is large and stays where it is. */
export const CHANGE_COLUMNS = sql.raw(
  "c.id, c.merchant_id, c.product_id, c.state, c.base_revision, c.kind, c.risk, c.note, c.created_by, c.created_at, c.updated_at, c.proposed_at, c.decided_by, c.decided_at, c.revision",
);

/** SQL: a change `c` as its lists show it. */
export const changeFields = (locale: Locale): SQL => sql`
  c.product_id,
  (select coalesce(x.content #>> array['texts', ${locale}::text, 'name'], translate_product_text(x.content #>> '{texts,en,name}', ${locale}))
    from product_changes x where x.id = c.id) as product_name,
  c.kind, c.risk, c.state, c.base_revision, c.note,
  coalesce((select u.email from users u where u.id = c.created_by),
    (select k.name from api_tokens k where 'token:' || k.id = c.created_by), c.created_by) as created_by,
  c.created_by = ${BY_SHOP} as by_shop,
  c.created_at, c.updated_at, c.proposed_at, c.decided_at, c.decided_by is not distinct from ${AUTOMATIC} as automatic, c.revision`;

export const toChange = <Row extends MerchantChange>(row: Row): Row => ({
  ...row,
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  proposed_at: instant(row.proposed_at),
  decided_at: instant(row.decided_at),
});

export function planMerchantChanges(
  merchantId: string,
  { state, product_id }: MerchantChangesInput,
): ListPlan {
  const filters: SQL[] = [];
  if (state !== undefined) filters.push(sql`c.state = ${state}`);
  if (product_id !== undefined) filters.push(sql`c.product_id = ${product_id}`);
  return {
    from: sql`product_changes c`,
    alias: sql`c`,
    columns: CHANGE_COLUMNS,
    indexed: [isValue(MERCHANT, merchantId)],
    filters,
    walked: WALKED_ROWS,
    sort: [MERCHANT, ...BY_TIME],
    at: sql`c.created_at`,
  };
}

/** A page of the merchant's changes, the newest first, with capped total. @throws ShopError cursor_invalid */
export async function listMerchantChanges(
  { merchant }: MerchantViewer,
  input: MerchantChangesInput,
  locale: Locale,
): Promise<MerchantChangeList> {
  const plan = planMerchantChanges(merchant.id, input);
  const rows = await listDb.execute<MerchantChange & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select c.id as change_id, ${changeFields(locale)}, ${markColumns("c")} from page c order by c.place`);
  return toPage(plan, input, SCREEN, rows, toChange);
}

/** The line on which a change was made; null: a new product, or none is left. */
async function readBaseLine(
  tx: Db,
  { product_id, base_revision }: Pick<MerchantChange, "product_id" | "base_revision">,
): Promise<ProductLine | null> {
  if (product_id === null) return null;
  // A product from before revisions were kept has its first line as revision 1, once it was changed.
  const [row] = await tx.execute<{ line: ProductLine }>(sql`
    select line from product_revisions where product_id = ${product_id} and revision = ${Math.max(1, base_revision)}`);
  return row?.line ?? (await readProductLines([product_id], tx)).get(product_id) ?? null;
}

/** A change on its product's newest revision: what it changed, and in all other fields what the shop has now. */
export type RebasedChange = {
  baseRevision: number;
  line: ProductLine;
  /** the line against which it stands; null: a new product */
  base: ProductLine | null;
  /** The product was changed since the change was made. */
  rebased: boolean;
  /** In these fields `line` has the change's values. */
  conflicts: FieldConflict[];
};

/** Moves a change to its product's newest revision, field by field. */
export async function rebaseChange(
  tx: Db,
  { productId, baseRevision, line }: { productId: number | null; baseRevision: number; line: ProductLine },
): Promise<RebasedChange> {
  const base = await readBaseLine(tx, { product_id: productId, base_revision: baseRevision });
  const [row] = await tx.execute<{ revision: number }>(
    sql`select revision from products where id = ${productId}`,
  );
  const theirs = productId === null ? undefined : (await readProductLines([productId], tx)).get(productId);
  if (!row || !theirs || !base || row.revision === baseRevision)
    return { baseRevision, line, base, rebased: false, conflicts: [] };
  return {
    baseRevision: row.revision,
    line: mergeLines(base, line, theirs),
    base: theirs,
    rebased: true,
    conflicts: findConflicts(base, line, theirs),
  };
}

/** A change as its row holds it, for its detail. */
export type StoredChange = MerchantChange & { line: ProductLine; created_for: string; editor: string };

/** The detail of a change, with what an approval of an open one would meet. */
export async function describeStored<Row extends StoredChange>(
  { created_for, editor, ...change }: Row,
  locale: Locale,
): Promise<Omit<Row, "created_for" | "editor"> & Pick<MerchantChangeDetail, "changes" | "check">> {
  const { line } = change;
  const productId = change.kind === "new" ? null : change.product_id;
  const made = { productId, baseRevision: change.base_revision, line };
  if (!OPEN_STATES.includes(change.state)) {
    const base = await readBaseLine(db, { ...change, product_id: productId });
    return { ...change, changes: findChanges(base, line), check: null };
  }
  const now = await rebaseChange(db, made);
  const edit = { id: productId, baseRevision: now.baseRevision, line: now.line, merchantId: created_for };
  return {
    ...change,
    changes: findChanges(now.base, now.line),
    check: {
      stale: now.conflicts.length > 0,
      rebased: now.rebased,
      revision: now.baseRevision,
      conflicts: now.conflicts,
      ...(await checkEdit({ userId: editor, locale }, edit)),
    },
  };
}

async function checkEdit(
  editor: Parameters<typeof checkProduct>[0],
  edit: Parameters<typeof checkProduct>[1],
): Promise<Pick<ChangeCheck, "problems" | "needs_approval" | "prices">> {
  const nothing = { problems: [], needs_approval: false, prices: [] };
  try {
    const { outcome } = await checkProduct(editor, edit);
    return { ...nothing, needs_approval: outcome.needs_approval, prices: outcome.prices };
  } catch (error) {
    if (!isShopError(error, "invalid_input")) throw error;
    return { ...nothing, problems: (error.issues ?? []).map(({ path, message }) => ({ path, message })) };
  }
}

/** A change that its merchant edits: its line on the product's newest revision. */
export type EditedChange = {
  change_id: string;
  version: string;
  line: ProductLine;
  note: string | null;
  merged: boolean;
};

/**
 * A draft or returned change for the editor. Where the product was changed since, both are merged.
 * @throws ShopError change_unknown: none, or one that is proposed or decided
 */
export async function getEditedChange(
  { merchant }: MerchantViewer,
  id: string,
  locale: Locale,
): Promise<{ change: EditedChange; product: OwnProductLine | null }> {
  const [row] = await db.execute<StoredChange & { version: string }>(sql`
    select c.id as change_id, ${changeFields(locale)}, ${OWN_VERSION} as version, ${DETAIL_FIELDS} from product_changes c
    where c.id = ${id} and c.merchant_id = ${merchant.id} and c.state = any(${sql.param([...EDITABLE_STATES])}::text[])`);
  if (!row) throw new ShopError("change_unknown");
  const { change_id, version, product_id, line, note, base_revision } = row;
  const product = product_id === null ? null : await getEditedProduct(product_id, locale);
  const made = { productId: product_id, baseRevision: base_revision, line };
  const { rebased, line: newest } = await rebaseChange(db, made);
  const change = { change_id, version, note, merged: rebased, line: newest };
  return { change, product };
}
type OwnProductLine = Awaited<ReturnType<typeof getEditedProduct>>;

/** SQL: what a detail reads of a change `c` besides its fields. */
export const DETAIL_FIELDS = sql.raw(
  "c.content as line, c.merchant_id as created_for, c.created_by as editor",
);

/** SQL: the version of a change `c`: what it says, and the product on which it is shown. */
export const CHANGE_VERSION = versionSql(
  sql`c.id`,
  sql`c.state`,
  sql`c.base_revision`,
  sql`c.content`,
  sql`(select p.revision from products p where p.id = c.product_id)`,
);

/** SQL: the version of a change `c` for its merchant: what it says, and what staff answered. */
const OWN_VERSION = versionSql(sql`c.id`, sql`c.state`, sql`c.base_revision`, sql`c.content`, sql`c.note`);

/** Refuses what a merchant does with a change of its own that it has locked, and that is not as it was shown. @throws ShopError revision_conflict */
export const requireShownChange = (tx: Tx, seen: SeenVersion, id: string): Promise<void> =>
  requireShownRow(tx, seen, { version: OWN_VERSION, from: sql`product_changes c where c.id = ${id}` });

/** The version of a change for its merchant. */
export async function readOwnVersion(tx: Db, id: string): Promise<string> {
  const [row] = await tx.execute<{ version: string }>(
    sql`select ${OWN_VERSION} as version from product_changes c where c.id = ${id}`,
  );
  return row!.version;
}

/** One of the merchant's changes. @throws ShopError change_unknown */
export async function getMerchantChange({ merchant }: MerchantViewer, id: string, locale: Locale) {
  const [row] = await db.execute<StoredChange & { version: string }>(sql`
    select c.id as change_id, ${changeFields(locale)}, ${OWN_VERSION} as version, ${DETAIL_FIELDS}
    from product_changes c where c.id = ${id} and c.merchant_id = ${merchant.id}`);
  if (!row) throw new ShopError("change_unknown");
  return describeStored(toChange(row), locale);
}
