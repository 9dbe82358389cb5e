import type { Availability } from "@/lib/catalog/rules";
import { LOW_STOCK } from "@/lib/catalog/rules";
import { pricePerDay } from "@/lib/platform/money";

export type DealFacts = { id: string; priceCents: number; endsAt: Date; quantity: number; claimed: number };

export type PriceFacts = {
  priceCents: number;
  listPriceCents: number | null;
  durationDays: number | null;
  deal: DealFacts | null;
};

export type CurrentPrice = {
  /** price of one unit now, in cents */
  priceCents: number;
  /** the higher price for comparison, in cents */
  listPriceCents: number | null;
  perDayCents: number | null;
  /** the running deal behind the price */
  deal: (DealFacts & { itemsLeft: number }) | null;
};

/**
 * The price of a plan at `now`: the only place where a running deal replaces the regular price. A deal runs until its
 * end and while units are left; it must be able to serve `quantity` units.
 */
export function currentPrice(plan: PriceFacts, now: Date, quantity = 1): CurrentPrice {
  const { deal } = plan;
  const itemsLeft = deal ? deal.quantity - deal.claimed : 0;
  const runs = deal !== null && deal.endsAt > now && itemsLeft >= quantity;
  const priceCents = runs ? deal.priceCents : plan.priceCents;
  const compared = runs ? plan.priceCents : plan.listPriceCents;
  return {
    priceCents,
    listPriceCents: compared !== null && compared > priceCents ? compared : null,
    perDayCents: priceCents === 0 ? null : pricePerDay(priceCents, plan.durationDays),
    deal: runs ? { ...deal, itemsLeft } : null,
  };
}

/** Whether a plan can be bought now; `stock` counts available keys. */
export function stockState(plan: {
  availability: Availability;
  stock: number;
}): "in_stock" | "low" | "pre_order" | "sold_out" {
  if (plan.availability === "pre_order") return "pre_order";
  if (plan.availability !== "in_stock" || plan.stock <= 0) return "sold_out";
  return plan.stock <= LOW_STOCK ? "low" : "in_stock";
}
