import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { PLAN_FIELDS, readProductRecords } from "@/lib/catalog/import/read-product-records";
import { type StoredPlan, toPlanRecord } from "@/lib/catalog/import/rules";
import { type EditedPrices, shownPrice } from "@/lib/catalog/pricing/rules-effect";
import { PRICE_ENTRIES, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { type LineSource, SELLABLE_KEY } from "@/lib/catalog/rules";
import { gateVerdicts } from "@/lib/catalog/translation/rules-gate";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { EditedPlan, EditedProduct, PriceShown } from "./contract-editor";
import { toPriceShown } from "./rules-shown";

/** A product for the editor, with its record as it is, which the shape of the answer leaves open. */
export type EditorProduct = Omit<EditedProduct, "line" | "earlier_plans"> & {
  line: ProductRecord;
  earlier_plans: ProductRecord["plans"];
};

type PlanRow = EditedPrices & {
  kind: string;
  id: number;
  history: PriceEntry[];
  now: string;
};

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
      price: cents === null ? null : toDecimal(cents),
      at: new Date(at).toISOString(),
      deal_id: dealId,
    })),
  }));
}

/** Plans that a record once named and no longer does, newest price and all. */
async function readEarlierPlans(productId: number): Promise<ProductRecord["plans"]> {
  const rows = await db.execute<{ plan: StoredPlan }>(sql`
    select json_build_object(${sql.raw(PLAN_FIELDS)}) as plan
    from plans pl where pl.product_id = ${productId} and not pl.listed order by pl.position, pl.id`);
  return rows.map(({ plan }) => ({ ...toPlanRecord(plan), deal: null }));
}

/**
 * A product with its record, for the editor.
 * @throws ShopError product_unknown
 */
export async function getEditedProduct(id: number, locale: Locale): Promise<EditorProduct> {
  type Found = {
    revision: number;
    source: LineSource;
    updatedAt: string;
    weakKeys: boolean;
    merchant: EditedProduct["merchant"];
  };
  const [found] = await db.execute<Found>(
    sql`select p.revision, p.source, to_json(p.updated_at) as "updatedAt", p.weak_keys as "weakKeys",
      json_build_object('merchant_id', m.id, 'name', m.name) as merchant
      from products p join merchants m on m.id = p.merchant_id where p.id = ${id}`,
  );
  const line = found && (await readProductRecords([id])).get(id);
  if (!found || !line) throw new ShopError("product_unknown");
  return {
    product_id: id,
    revision: found.revision,
    source: found.source,
    updated_at: instant(found.updatedAt),
    merchant: found.merchant,
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
