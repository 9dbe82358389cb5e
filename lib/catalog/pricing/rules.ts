import type { StockState } from "@/lib/catalog/contract";
import { type Availability, LOW_STOCK, PASS_DAYS, type PassType } from "@/lib/catalog/rules";
import { pricePerDay } from "@/lib/platform/money";
import { type Comparison, comparePrice, type PriceEntry } from "./rules-history";

export type Deal = { id: string; priceCents: number; endsAt: Date; quantity: number; claimed: number };

export type PricedPlan = {
  priceCents: number;
  listPriceCents: number | null;
  durationDays: number | null;
  deal: Deal | null;
  /** The price history, in the order in which it was written; without it there is no price to compare with. */
  history?: readonly PriceEntry[] | null;
};

export type CurrentPrice = {
  /** price of one unit now, in cents */
  priceCents: number;
  /** the higher price shown beside it */
  comparison: Comparison | null;
  perDayCents: number | null;
  /** the running deal behind the price */
  deal: (Deal & { itemsLeft: number }) | null;
};

/** The only place where a running deal replaces the regular price; the deal must have `quantity` units left. */
export function currentPrice(plan: PricedPlan, now: Date, quantity = 1): CurrentPrice {
  const { deal } = plan;
  const itemsLeft = deal ? deal.quantity - deal.claimed : 0;
  const dealApplies = deal !== null && deal.endsAt > now && itemsLeft >= quantity;
  const priceCents = dealApplies ? deal.priceCents : plan.priceCents;
  const { listPriceCents, history } = plan;
  const replacedCents = dealApplies ? plan.priceCents : null;
  return {
    priceCents,
    comparison: history ? comparePrice({ priceCents, replacedCents, listPriceCents }, history, now) : null,
    perDayCents: priceCents === 0 ? null : pricePerDay(priceCents, plan.durationDays),
    deal: dealApplies ? { ...deal, itemsLeft } : null,
  };
}

/** Whether a plan can be bought now; `stock` counts available keys. */
export function stockState(plan: { availability: Availability; stock: number }): StockState {
  if (plan.availability === "pre_order") return "pre_order";
  if (plan.availability !== "in_stock" || plan.stock <= 0) return "sold_out";
  return plan.stock <= LOW_STOCK ? "low" : "in_stock";
}

export type PassName =
  | { key: `catalog.pass_type.${PassType}`; values: Record<string, never> }
  | { key: "catalog.pass_days"; values: { days: number } };

/** The message key of a pass's name: "Day pass", "Month pass", or "3-day pass" for other lengths. */
export function passNameKey(plan: { pass_type: PassType; duration_days: number | null }): PassName {
  const { pass_type: type, duration_days: days } = plan;
  if (days === null || days === PASS_DAYS[type]) return { key: `catalog.pass_type.${type}`, values: {} };
  return { key: "catalog.pass_days", values: { days } };
}

type PricedPass = {
  vip_id: number;
  pass_type: PassType;
  /** null: lifetime */
  duration_days: number | null;
  /** the current price in dollars */
  price: number;
  stock_state: string;
};

/**
 * The number of passes from which the next longer pass costs less than this many passes and lasts at least as long. Null
 * when there is no such number, and for a free pass.
 */
export function breakEven<P extends PricedPass>(
  pass: PricedPass,
  passes: readonly P[],
): { count: number; longer: P } | null {
  const { duration_days: days } = pass;
  if (days === null || pass.price <= 0) return null;
  const passDays = (candidate: P) => candidate.duration_days ?? Number.POSITIVE_INFINITY;
  const longerPasses = passes
    .filter((longer) => longer.price > 0 && longer.stock_state !== "sold_out" && passDays(longer) > days)
    .sort((a, b) => passDays(a) - passDays(b));
  for (const longer of longerPasses) {
    const count = Math.floor(cents(longer.price) / cents(pass.price)) + 1;
    if (count > 1 && count * days <= passDays(longer)) return { count, longer };
  }
  return null;
}

const cents = (usd: number) => Math.round(usd * 100);
