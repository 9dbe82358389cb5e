import { toPriceShown } from "@/lib/catalog/console/rules-shown";
import type { PlanRecord } from "@/lib/catalog/import/contract";
import type { CurrentPrice } from "@/lib/catalog/pricing/rules";
import { type EditedPrices, priceEffect } from "@/lib/catalog/pricing/rules-effect";
import type { PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName } from "@/lib/platform/errors";
import { toDecimal } from "@/lib/platform/money";
import type { PriceEffect } from "./contract";

/** A change of a plan by a file or a form. `line`: the line of the file from 1, or the plan's position in the form. */
export type PlanEdit = { line: number; planId: number } & (
  | { kind: "price"; cents: number }
  | { kind: "deal"; percent: number; endsAt: string; quantity: number }
);

/** A plan as it is before an edit. */
export type PricedPlan = EditedPrices & {
  planId: number;
  productId: number;
  /** `week:7` */
  kind: string;
  name: string;
  availability: PlanRecord["availability"];
  history: PriceEntry[];
};

/** The outcome of an edit: the fields of the plan's record that it sets, and what buyers will see. */
export type EditOutcome =
  | { state: "unchanged" }
  | { state: "refused"; reason: Reason }
  | {
      state: "changed";
      fields: Partial<PlanRecord>;
      beforeCents: number;
      afterCents: number;
      shown: CurrentPrice;
      /** The price differs by more than half from the price of 24 hours ago. */
      needsApproval: boolean;
    };

const PROBLEMS = {
  too_soon: "price_too_soon",
  too_many: "price_too_many",
  raised_recently: "price_raised",
} as const satisfies Record<string, ErrorName>;

const refused = (...given: Parameters<typeof reason>): EditOutcome => ({
  state: "refused",
  reason: reason(...given),
});

/** A price reduced by a percentage, rounded to whole cents in the buyer's favour. */
export const reducedCents = (cents: number, percent: number): number =>
  Math.floor((cents * (100 - percent)) / 100);

/** The outcome of an edit of a plan now, by the price rules (docs/product.md#818-prices-and-their-history). */
export function planEditOutcome(plan: PricedPlan, edit: PlanEdit, now: Date): EditOutcome {
  const { deal } = plan;
  if (edit.kind === "price") {
    if (edit.cents === plan.regularCents) return { state: "unchanged" };
    if (deal && deal.cents >= edit.cents) return refused("line_deal_price");
    if (edit.cents < MINIMUM_CHARGE_CENTS) return refused("price_amount");
    return outcomeOf(plan, { ...plan, regularCents: edit.cents }, { price: toDecimal(edit.cents) }, now);
  }
  const endsAt = new Date(edit.endsAt).getTime();
  const cents = reducedCents(plan.regularCents, edit.percent);
  if (deal && deal.endsAt === endsAt && deal.cents === cents) return { state: "unchanged" };
  if (deal) return refused("price_deal_runs", { until: new Date(deal.endsAt).toISOString() });
  if (plan.availability === "paused") return refused("price_paused");
  if (plan.regularCents === 0) return refused("price_free");
  if (cents < MINIMUM_CHARGE_CENTS)
    return refused("line_deal_minimum", { price: MINIMUM_CHARGE_CENTS / 100 });
  const { quantity } = edit;
  const fields = {
    deal: { price: toDecimal(cents), ends_at: new Date(endsAt).toISOString(), quantity },
  };
  return outcomeOf(plan, { ...plan, deal: { cents, endsAt, quantity, claimed: 0 } }, fields, now);
}

function outcomeOf(
  plan: PricedPlan,
  next: EditedPrices,
  fields: Partial<PlanRecord>,
  now: Date,
): EditOutcome {
  const { shown, problem } = priceEffect(plan, next, plan.history, now);
  if (problem !== null && problem !== "needs_approval") return refused(PROBLEMS[problem]);
  return {
    state: "changed",
    fields,
    beforeCents: plan.deal?.cents ?? plan.regularCents,
    afterCents: shown.priceCents,
    shown,
    needsApproval: problem === "needs_approval",
  };
}

/** A changing edit as previews show it. */
export const toPriceEffect = (
  { line }: PlanEdit,
  { planId, name, kind }: PricedPlan,
  { beforeCents, afterCents, shown, needsApproval }: Extract<EditOutcome, { state: "changed" }>,
): PriceEffect => ({
  line,
  vip_id: planId,
  product: name,
  plan: kind,
  before: toDecimal(beforeCents),
  after: toDecimal(afterCents),
  shown: toPriceShown(kind, shown),
  needs_approval: needsApproval,
});
