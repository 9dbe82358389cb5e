import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { Effect } from "@/lib/staff/preview/contract";
import type { Audited, CampaignTerms } from "./audited";

export type GivenCoupon = {
  amount_cents: number | null;
  percent: number | null;
  max_discount_cents: number | null;
  minimum_cents: number;
  first_order_only: boolean;
  expires_at: string | null;
};

export function couponTerms(coupon: GivenCoupon): Effect {
  const { amount_cents, percent, max_discount_cents, minimum_cents, first_order_only, expires_at } = coupon;
  return {
    kind: "coupon_terms",
    amount: amount_cents === null ? null : toDecimal(amount_cents),
    percent,
    max_discount: max_discount_cents === null ? null : toDecimal(max_discount_cents),
    minimum: toDecimal(minimum_cents),
    first_order_only,
    expires_at: instant(expires_at),
  };
}

/** What a new campaign does: its budget, and what its coupons take off. */
function newCampaignEffects(campaign: string, terms: CampaignTerms): Effect[] {
  const { monthlyBudgetCents: budget, amountCents, percent, maxDiscountCents, minimumCents } = terms;
  const coupon = couponTerms({
    amount_cents: amountCents,
    percent,
    max_discount_cents: maxDiscountCents,
    minimum_cents: minimumCents ?? 0,
    first_order_only: terms.firstOrderOnly ?? false,
    expires_at: terms.endsAt,
  });
  return [
    { kind: "campaign_budget", campaign, before: 0, after: budget === null ? null : toDecimal(budget ?? 0) },
    ...(terms.free ? [{ kind: "campaign_free" as const, campaign }] : []),
    coupon,
  ];
}

/** What a change of a campaign does, from its entry in the audit log. */
export function campaignEffects({ action, subject: campaign, before, after, terms }: Audited): Effect[] {
  if (action === "campaign_created" && terms) return newCampaignEffects(campaign, terms);
  if (action !== "campaign_changed" || !before || !after) return [];
  if (typeof before === "string" || typeof after === "string") return [];
  if (Array.isArray(before) || Array.isArray(after)) return [];
  const usd = (cents: number | null) => (cents === null ? null : toDecimal(cents));
  const { enabled, free, monthlyBudgetCents: budget, dailyBudgetCents: daily, minimumCents: minimum } = after;
  return [
    ...(free === undefined ? [] : [{ kind: free ? "campaign_free" : "campaign_paid", campaign } as const]),
    ...(daily === undefined
      ? []
      : [
          {
            kind: "campaign_daily_budget",
            campaign,
            before: usd(before.dailyBudgetCents ?? null),
            after: usd(daily),
          } as const,
        ]),
    ...(enabled === undefined ? [] : [{ kind: enabled ? "campaign_on" : "campaign_off", campaign } as const]),
    ...(budget === undefined
      ? []
      : [
          {
            kind: "campaign_budget",
            campaign,
            before: usd(before.monthlyBudgetCents ?? null),
            after: usd(budget),
          } as const,
        ]),
    ...(minimum === undefined
      ? []
      : [
          {
            kind: "campaign_minimum",
            campaign,
            before: toDecimal(before.minimumCents ?? 0),
            after: toDecimal(minimum),
          } as const,
        ]),
  ];
}
