import type { EditedPlan, PriceShown } from "@/lib/catalog/console/contract-editor";
import type { PlanRecord } from "@/lib/catalog/import/contract";
import { type EditedPrices, priceEffect } from "@/lib/catalog/pricing/rules-effect";
import type { PriceProblem } from "@/lib/catalog/pricing/rules-guardrails";
import type { PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { toCents } from "@/lib/platform/money";
import { toPriceShown } from "./rules-shown";

const isAmount = (amount: number | null): amount is number =>
  amount !== null && Number.isFinite(amount) && amount >= 0 && Math.round(amount * 100) / 100 === amount;

/** The prices of a plan's record; null while they are not valid amounts. */
function toPrices(plan: PlanRecord, claimed: number): EditedPrices | null {
  const { price, list_price, deal, duration_days: days } = plan;
  if (days !== null && !(Number.isSafeInteger(days) && days > 0)) return null;
  if (!isAmount(price) || (list_price !== null && !isAmount(list_price))) return null;
  const endsAt = deal ? Date.parse(deal.ends_at) : 0;
  if (deal && (!isAmount(deal.price) || !Number.isFinite(endsAt) || !(deal.quantity > 0))) return null;
  return {
    durationDays: days,
    regularCents: toCents(price),
    listPriceCents: list_price === null ? null : toCents(list_price),
    deal: deal && { cents: toCents(deal.price), endsAt, quantity: deal.quantity, claimed },
  };
}

const toHistory = ({ history }: EditedPlan): PriceEntry[] =>
  history.map(({ kind, price, at, deal_id }) => ({
    kind,
    cents: price === null ? null : toCents(price),
    at: Date.parse(at),
    dealId: deal_id,
  }));

export type PlanEffect = { shown: PriceShown; problem: PriceProblem | null };

/** What buyers will see of a plan, and the rule that its prices break; null while they are not valid amounts. */
export function planEffect(
  line: PlanRecord,
  base: PlanRecord | undefined,
  stored: EditedPlan | undefined,
  now = new Date(),
): PlanEffect | null {
  const sold = stored?.deal_sold ?? 0;
  const keepsDeal = base?.deal?.ends_at === line.deal?.ends_at;
  const next = toPrices(line, keepsDeal ? sold : 0);
  if (!next) return null;
  const current = base ? toPrices(base, sold) : null;
  const { shown, problem } = priceEffect(current, next, stored ? toHistory(stored) : [], now);
  return { problem, shown: toPriceShown(stored?.plan ?? "", shown) };
}
