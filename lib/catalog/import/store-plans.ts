import { inArray, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { deals } from "@/db/schema/catalog";
import type { Picture } from "@/lib/catalog/images/validate-picture";
import type { LineSource } from "@/lib/catalog/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { toCents } from "@/lib/platform/money";
import type { CatalogRecord, PlanRecord, ProductRecord } from "./contract";
import { isInstant } from "./rules";
import { isRelativeTime, planKind, resolveTime } from "./rules-line";

/** A valid record. `hash` covers its content and picture, which may be one that the shop has. */
export type ParsedLine<L extends CatalogRecord = CatalogRecord> = {
  line: number;
  value: L;
  hash: string;
  picture: Picture | { hash: string } | null;
};

/** `deal` and its end: of the one that has not ended by a decision, though it may have by the clock. */
type ExistingPlan = {
  id: number;
  kind: string;
  releases_at: string | null;
  deal: string | null;
  deal_ends_at: string | null;
};
export type ExistingProduct = {
  id: number;
  slug: string;
  import_hash: string;
  revision: number;
  source: LineSource;
  updated_at: string;
  plans: ExistingPlan[];
};

/** A product to write. `previousTimes` holds the times of the previous record, by plan. */
export type ProductChange = {
  parsed: ParsedLine<ProductRecord>;
  existing: ExistingProduct | null;
  previousTimes: Record<string, ImportedTimes>;
  id: number;
};
export type ImportedTimes = { releases_on?: string; ends_at?: string };

/**
 * The record with the times of the previous record wherever both mean one instant, and the previous times: what is written at the
 * same instant again is unchanged. The console names every running deal, so that those which its record lacks end.
 */
export function withPreviousTimes(
  line: ProductRecord,
  existing: ExistingProduct | null,
  written: Readonly<Record<string, ImportedTimes>>,
  source: LineSource,
): { value: ProductRecord; previousTimes: Record<string, ImportedTimes> } {
  const previousTimes = Object.fromEntries(
    Object.entries(written).map(([kind, times]) => [kind, { ...times }]),
  );
  const plans = line.plans.map((plan) => ({ ...plan, deal: plan.deal && { ...plan.deal } }));
  for (const { kind, releases_at, deal_ends_at } of existing?.plans ?? []) {
    const plan = plans.find((candidate) => planKind(candidate) === kind);
    const times = previousTimes[kind] ?? {};
    if (plan?.releases_on && releases_at && times.releases_on && isInstant(plan.releases_on, releases_at))
      plan.releases_on = times.releases_on;
    if (plan?.deal && deal_ends_at && isInstant(plan.deal.ends_at, deal_ends_at)) {
      times.ends_at ??= plan.deal.ends_at;
      plan.deal.ends_at = times.ends_at;
    } else if (deal_ends_at && source === "console") times.ends_at ??= deal_ends_at;
    if (Object.keys(times).length > 0) previousTimes[kind] = times;
  }
  return { value: { ...line, plans }, previousTimes };
}

export const jsonSql = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

/** The release date of a pre-order, also of a paused one; a duration is resolved again only when the record changes it. */
function releaseDate(plan: PlanRecord, { existing, previousTimes }: ProductChange, now: Date): Date | null {
  if (plan.availability === "in_stock" || plan.releases_on === null) return null;
  const kind = planKind(plan);
  const existingRelease = existing?.plans.find((candidate) => candidate.kind === kind)?.releases_at;
  const isUnchanged = previousTimes[kind]?.releases_on === plan.releases_on;
  return existingRelease && isUnchanged && isRelativeTime(plan.releases_on)
    ? new Date(existingRelease)
    : resolveTime(plan.releases_on, now);
}

/** Writes plans, unlists plans missing in the file, and returns the plan ids by product and kind. */
export async function storePlans(tx: Tx, changes: ProductChange[], now: Date): Promise<Map<string, number>> {
  const rows = changes.flatMap((change) =>
    change.parsed.value.plans.map((plan, position) => ({
      id: change.existing?.plans.find(({ kind }) => kind === planKind(plan))?.id ?? 0,
      product_id: change.id,
      type: plan.type,
      duration_days: plan.duration_days,
      price_cents: toCents(plan.price),
      list_price_cents: plan.list_price === null ? null : toCents(plan.list_price),
      purchase_limit: plan.purchase_limit,
      redeem_margin_days: plan.redeem_margin_days ?? null,
      availability: plan.availability,
      releases_at: releaseDate(plan, change, now),
      region: plan.region === "worldwide" ? ["worldwide"] : plan.region,
      activation: plan.activation,
      includes: plan.includes,
      position,
    })),
  );
  const shape = sql`(id int, product_id int, type text, duration_days int, price_cents int, list_price_cents int,
    purchase_limit int, redeem_margin_days int, availability text, releases_at timestamptz, region jsonb, activation jsonb, includes jsonb, position int)`;
  const columns = sql`r.price_cents, r.list_price_cents, r.purchase_limit, r.redeem_margin_days, r.availability, r.releases_at, r.region,
    r.activation, r.includes, r.position`;
  const existingRows = rows.filter(({ id }) => id > 0);
  await tx.execute(sql`
    update plans set listed = false where listed and product_id in (select jsonb_array_elements(${jsonSql(changes.map(({ id }) => id))})::int)
      and id not in (select jsonb_array_elements(${jsonSql(existingRows.map(({ id }) => id))})::int)`);
  if (existingRows.length > 0)
    await tx.execute(sql`
      update plans p set (price_cents, list_price_cents, purchase_limit, redeem_margin_days, availability, releases_at, region,
        activation, includes, position, listed) = (select ${columns}, true)
      from jsonb_to_recordset(${jsonSql(existingRows)}) as r${shape} where p.id = r.id`);
  const inserted = await tx.execute<{ id: number; product_id: number; kind: string }>(sql`
    insert into plans (product_id, type, duration_days, price_cents, list_price_cents, purchase_limit, redeem_margin_days, availability,
      releases_at, region, activation, includes, position)
    select r.product_id, r.type, r.duration_days, ${columns}
    from rows from (jsonb_to_recordset(${jsonSql(rows.filter(({ id }) => id === 0))}) as ${shape}) with ordinality as r
    order by ordinality
    returning id, product_id, type || coalesce(':' || duration_days, '') as kind`);
  return new Map([
    ...inserted.map(({ id, product_id, kind }) => [`${product_id} ${kind}`, id] as const),
    ...existingRows.map((row) => [`${row.product_id} ${planKind(row)}`, row.id] as const),
  ]);
}

/**
 * Writes deals. A deal with an unchanged end is updated and keeps its sold units; a changed end creates a new deal; a
 * deal missing in the record ends. Deals that were never in the file, or that staff ended, stay unchanged.
 */
export async function storeDeals(tx: Tx, changes: ProductChange[], planIds: Map<string, number>, now: Date) {
  const endedIds: string[] = [];
  const inserted: object[] = [];
  const updatedDeals: object[] = [];
  for (const { parsed, existing, previousTimes, id } of changes) {
    const newDeals = new Map(parsed.value.plans.map((plan) => [planKind(plan), plan.deal]));
    const kinds = new Set([...newDeals.keys(), ...(existing?.plans.map(({ kind }) => kind) ?? [])]);
    for (const kind of kinds) {
      const deal = newDeals.get(kind) ?? null;
      const liveDealId = existing?.plans.find((plan) => plan.kind === kind)?.deal ?? null;
      const previousEnd = previousTimes[kind]?.ends_at;
      if (liveDealId && previousEnd && deal?.ends_at !== previousEnd) endedIds.push(liveDealId);
      if (!deal) continue;
      const row = { price_cents: toCents(deal.price), quantity: deal.quantity };
      if (previousEnd === deal.ends_at) {
        if (liveDealId) updatedDeals.push({ ...row, id: liveDealId });
      } else {
        if (liveDealId && !previousEnd) endedIds.push(liveDealId);
        const plan_id = planIds.get(`${id} ${kind}`);
        inserted.push({ ...row, id: newId("deal"), plan_id, ends_at: resolveTime(deal.ends_at, now) });
      }
    }
  }
  if (endedIds.length > 0)
    await tx.update(deals).set({ endedAt: shopNow }).where(inArray(deals.id, endedIds));
  if (updatedDeals.length > 0)
    await tx.execute(sql`update deals d set price_cents = r.price_cents, quantity = r.quantity
      from jsonb_to_recordset(${jsonSql(updatedDeals)}) as r(id text, price_cents int, quantity int) where d.id = r.id`);
  if (inserted.length > 0)
    await tx.execute(sql`insert into deals (id, plan_id, price_cents, ends_at, quantity)
      select id, plan_id, price_cents, ends_at, quantity from jsonb_to_recordset(${jsonSql(inserted)})
        as r(id text, plan_id int, price_cents int, ends_at timestamptz, quantity int)`);
}
