import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { type PlanPrices, type PriceProblem, priceProblem } from "@/lib/catalog/pricing/rules-guardrails";
import { PRICE_ENTRIES, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import type { ErrorName } from "@/lib/platform/errors";
import { toCents } from "@/lib/platform/money";
import type { ImportError, PlanRecord } from "./contract";
import { planKind } from "./rules-line";
import { jsonSql, type ProductChange } from "./store-plans";

const REASONS: Record<PriceProblem, string> = {
  too_soon: "The price changed less than 30 seconds ago.",
  too_many: "The price changed 20 times in 24 hours.",
  needs_approval:
    "The price differs by more than half from that of 24 hours ago, which a second person must approve.",
  raised_recently: "The price was raised in the last 30 days, so it cannot be reduced from there yet.",
};

/** The errors of the console's fields. */
const ERRORS = {
  too_soon: "price_too_soon",
  too_many: "price_too_many",
  needs_approval: "price_needs_approval",
  raised_recently: "price_raised",
} as const satisfies Record<PriceProblem, ErrorName>;

type PricedPlan = PlanPrices & { productId: number; kind: string; history: PriceEntry[] };

/**
 * The lines whose change of a price breaks a rule (docs/product.md#818-prices-and-their-history), with the first problem
 * of each. Locks the plans, so that the prices checked are those that are replaced.
 */
export async function refusePriceChanges(
  tx: Tx,
  changes: readonly ProductChange[],
  { now, approved }: { now: Date; approved?: boolean | undefined },
): Promise<Map<ProductChange, ImportError>> {
  const refusals = new Map<ProductChange, ImportError>();
  const productIds = changes.flatMap(({ id }) => (id > 0 ? [id] : []));
  if (productIds.length === 0) return refusals;
  const rows = await tx.execute<PricedPlan>(sql`
    select pl.product_id as "productId", pl.type || coalesce(':' || pl.duration_days, '') as kind,
      pl.price_cents as "regularCents", pl.list_price_cents as "listPriceCents",
      (select d.price_cents from deals d where d.plan_id = pl.id and d.ended_at is null and d.ends_at > shop_now()) as "dealCents",
      ${sql.raw(PRICE_ENTRIES)} as history
    from plans pl where pl.product_id in (select jsonb_array_elements(${jsonSql(productIds)})::int)
    order by pl.id for no key update`);
  const plans = new Map(rows.map((plan) => [`${plan.productId} ${plan.kind}`, plan]));
  for (const change of changes)
    for (const [index, line] of change.parsed.value.plans.entries()) {
      const plan = plans.get(`${change.id} ${planKind(line)}`);
      const next = plan && proposedPrices(plan, line, change);
      const problem = plan && next && priceProblem(plan, next, plan.history, now, { approved });
      if (!problem) continue;
      const path = next.regularCents === plan.regularCents ? "deal.price" : "price";
      refusals.set(change, {
        line: change.parsed.line,
        path: `plans[${index}].${path}`,
        message: REASONS[problem],
        error: ERRORS[problem],
      });
      break;
    }
  return refusals;
}

/** The prices that the line gives the plan; a deal with an unchanged end begins no new one (`storeDeals`). */
function proposedPrices(plan: PricedPlan, line: PlanRecord, { previousTimes }: ProductChange) {
  const newDeal = line.deal !== null && previousTimes[planKind(line)]?.ends_at !== line.deal.ends_at;
  const keepsDeal = line.deal !== null && !newDeal && plan.dealCents !== null;
  return {
    regularCents: toCents(line.price),
    listPriceCents: line.list_price === null ? null : toCents(line.list_price),
    dealCents: line.deal !== null && (newDeal || keepsDeal) ? toCents(line.deal.price) : null,
    newDeal,
  };
}
