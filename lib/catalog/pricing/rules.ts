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
  /** what one unit costs now, in cents */
  priceCents: number;
  /** the higher price it is compared with, in cents */
  listPriceCents: number | null;
  perDayCents: number | null;
  /** the deal that makes the price, when one runs */
  deal: (DealFacts & { itemsLeft: number }) | null;
};

/**
 * What a plan costs at `now`: the one place where a running deal replaces the regular price. A deal runs until its
 * end and while units are left; `quantity` units are wanted (a deal that cannot serve them all does not apply).
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

/** What one may do with a plan now; `stock` counts available keys. */
export function stockState(plan: {
  availability: Availability;
  stock: number;
}): "in_stock" | "low" | "pre_order" | "sold_out" {
  if (plan.availability === "pre_order") return "pre_order";
  if (plan.availability !== "in_stock" || plan.stock <= 0) return "sold_out";
  return plan.stock <= LOW_STOCK ? "low" : "in_stock";
}
