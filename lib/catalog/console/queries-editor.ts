import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { findChanges } from "@/lib/catalog/console/rules-changes";
import type { ProductLine } from "@/lib/catalog/import/contract";
import { PLAN_FIELDS, readProductLines } from "@/lib/catalog/import/queries";
import {
  type CategoryRow,
  type StoredPlan,
  type SynonymsRow,
  toCategoryLine,
  toPlanLine,
} from "@/lib/catalog/import/rules";
import type { CurrentPrice } from "@/lib/catalog/pricing/rules";
import { type EditedPrices, reductionPercent, shownPrice } from "@/lib/catalog/pricing/rules-effect";
import { PRICE_ENTRIES, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { type LineSource, SELLABLE_KEY } from "@/lib/catalog/rules";
import { gateVerdicts } from "@/lib/catalog/translation/rules-gate";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { EditedPlan, EditedProduct, PriceShown, RevisionList } from "./contract-editor";

/** A product for the editor, with its line as it is, which the shape of the answer leaves open. */
export type EditorProduct = Omit<EditedProduct, "line" | "earlier_plans"> & {
  line: ProductLine;
  earlier_plans: ProductLine["plans"];
};

type PlanRow = EditedPrices & {
  kind: string;
  id: number;
  history: PriceEntry[];
  now: string;
};

const toUsd = (cents: number | null): number | null => (cents === null ? null : toDecimal(cents));

/** What buyers see of a plan, as the API says it. */
export const toPriceShown = (plan: string, shown: CurrentPrice): PriceShown => ({
  plan,
  price: toDecimal(shown.priceCents),
  list_price: toUsd(shown.comparison?.cents ?? null),
  list_price_kind: shown.comparison?.kind ?? null,
  lowest_price_30d: toUsd(shown.comparison?.lowestCents ?? null),
  percent: reductionPercent(shown),
});

async function readPlanPrices(productId: number, within: Db): Promise<PlanRow[]> {
  const rows = await within.execute<PlanRow>(sql`
    select pl.type || coalesce(':' || pl.duration_days, '') as kind, pl.id, pl.duration_days as "durationDays",
      pl.price_cents as "regularCents", pl.list_price_cents as "listPriceCents",
      (select json_build_object('cents', d.price_cents, 'endsAt', floor(extract(epoch from d.ends_at) * 1000),
          'quantity', d.quantity, 'claimed', d.claimed)
        from deals d where d.plan_id = pl.id and d.ended_at is null and d.ends_at > shop_now()) as deal,
      ${sql.raw(PRICE_ENTRIES)} as history, to_json(shop_now()) as now
    from plans pl where pl.product_id = ${productId} and pl.listed order by pl.position, pl.id`);
  return [...rows];
}

/** What buyers see of each listed plan, by kind. */
export async function readShownPrices(productId: number, within: Db): Promise<Map<string, PriceShown>> {
  const rows = await readPlanPrices(productId, within);
  return new Map(
    rows.map((row) => [row.kind, toPriceShown(row.kind, shownPrice(row, row.history, new Date(row.now)))]),
  );
}

async function readEditedPlans(productId: number): Promise<EditedPlan[]> {
  const rows = await readPlanPrices(productId, db);
  const stock = await db.execute<{ id: number; available: number }>(sql`
    select pl.id, (select count(*)::int from (select from keys k
        where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)} limit ${COUNTED_STOCK}) counted) as available
    from plans pl where pl.product_id = ${productId} and pl.listed`);
  const counts = new Map(stock.map(({ id, available }) => [id, available]));
  return rows.map((row) => ({
    plan: row.kind,
    vip_id: row.id,
    shown: toPriceShown(row.kind, shownPrice(row, row.history, new Date(row.now))),
    stock: counts.get(row.id) ?? 0,
    stock_exact: (counts.get(row.id) ?? 0) < COUNTED_STOCK,
    deal_sold: row.deal?.claimed ?? null,
    history: row.history.map(({ kind, cents, at, dealId }) => ({
      kind,
      price: toUsd(cents),
      at: new Date(at).toISOString(),
      deal_id: dealId,
    })),
  }));
}

/** Plans that a line once named and no longer does, newest price and all. */
async function readEarlierPlans(productId: number): Promise<ProductLine["plans"]> {
  const rows = await db.execute<{ plan: StoredPlan }>(sql`
    select json_build_object(${sql.raw(PLAN_FIELDS)}) as plan
    from plans pl where pl.product_id = ${productId} and not pl.listed order by pl.position, pl.id`);
  return rows.map(({ plan }) => ({ ...toPlanLine(plan), deal: null }));
}

/**
 * A product with its line, for the editor.
 * @throws ShopError product_unknown
 */
export async function getEditedProduct(id: number, locale: Locale): Promise<EditorProduct> {
  type Found = { revision: number; source: LineSource; updatedAt: string; weakKeys: boolean };
  const [found] = await db.execute<Found>(
    sql`select revision, source, to_json(updated_at) as "updatedAt", weak_keys as "weakKeys" from products where id = ${id}`,
  );
  const line = found && (await readProductLines([id])).get(id);
  if (!found || !line) throw new ShopError("product_unknown");
  return {
    product_id: id,
    revision: found.revision,
    source: found.source,
    updated_at: instant(found.updatedAt),
    line,
    verdicts: gateVerdicts(line).map(({ language, state, flaws }) => ({
      language,
      state,
      flaws: flaws.map(({ path, error, values }) => ({ path, message: errorMessage(error, locale, values) })),
    })),
    plans: await readEditedPlans(id),
    weak_codes: found.weakKeys,
    earlier_plans: await readEarlierPlans(id),
  };
}

const REVISIONS_SHOWN = 20;

type RevisionRow = {
  revision: number;
  source: LineSource;
  by: string | null;
  at: string;
  note: string | null;
  line: ProductLine;
};

/**
 * The revisions of a product before a number, the newest first, each with what it changed.
 * @throws ShopError product_unknown
 */
export async function listRevisions(id: number, before?: number): Promise<RevisionList> {
  const [product] = await db.execute(sql`select 1 from products where id = ${id}`);
  if (!product) throw new ShopError("product_unknown");
  const rows = await db.execute<RevisionRow>(sql`
    select r.revision, r.source, coalesce(u.email, k.name) as by, to_json(r.created_at) as at, r.note, r.line
    from product_revisions r left join users u on u.id = r.by left join api_tokens k on 'token:' || k.id = r.by
    where r.product_id = ${id} and r.revision < ${before ?? 2_147_483_647}
    order by r.revision desc limit ${REVISIONS_SHOWN + 1}`);
  const shown = rows.slice(0, REVISIONS_SHOWN);
  return {
    items: shown.map(({ line, at, ...row }, i) => ({
      ...row,
      at: instant(at),
      changes: rows[i + 1] ? findChanges(rows[i + 1]!.line, line) : [],
    })),
    next_before: rows.length > REVISIONS_SHOWN ? (shown.at(-1)?.revision ?? null) : null,
  };
}

/** The line of a revision, without deals that are over. @throws ShopError revision_unknown */
export async function readRevision(id: number, revision: number, within: Db = db): Promise<ProductLine> {
  const [found] = await within.execute<{ line: ProductLine; now: string }>(sql`
    select line, to_json(shop_now()) as now from product_revisions where product_id = ${id} and revision = ${revision}`);
  if (!found) throw new ShopError("revision_unknown");
  const isRunning = (deal: { ends_at: string }) => new Date(deal.ends_at) > new Date(found.now);
  const plans = found.line.plans.map((plan) => ({
    ...plan,
    deal: plan.deal && isRunning(plan.deal) ? plan.deal : null,
  }));
  return { ...found.line, plans };
}

type Written = { revision: number };
type CategoryListRow = Omit<CategoryRow, "import_hash"> & Written & { products: number };
type SynonymsListRow = Omit<SynonymsRow, "import_hash"> & Written;

/** All categories with their lines, in the order of the shop. */
export async function listEditedCategories() {
  const rows = await db.execute<CategoryListRow>(sql`
    select c.slug, c.sort_num, c.hue, c.names, c.texts, c.search_terms, c.revision, c.source, coalesce(n.total, 0) as products
    from categories c left join catalog_counts n on n.kind = 'category' and n.name = c.slug
    order by c.sort_num, c.slug`);
  return {
    items: rows.map(({ revision, source, products, ...row }) => {
      const line = toCategoryLine(row);
      return { slug: row.slug, revision, source, products, line };
    }),
  };
}

/** All groups of synonyms with their lines. */
export async function listEditedSynonyms() {
  const rows = await db.execute<SynonymsListRow>(
    sql`select slug, terms, revision, source from search_synonyms order by slug`,
  );
  return {
    items: rows.map(({ slug, terms, revision, source }) => {
      const line = { kind: "synonyms" as const, slug, terms };
      return { slug, revision, source, products: null, line };
    }),
  };
}

/** The categories with their names, as choices of a field. */
export async function listCategoryNames(locale: Locale): Promise<{ value: string; label: string }[]> {
  const rows = await db.execute<{ value: string; label: string }>(sql`
    select slug as value, coalesce(names ->> ${locale}, names ->> 'en') as label from categories order by sort_num, slug`);
  return [...rows];
}
