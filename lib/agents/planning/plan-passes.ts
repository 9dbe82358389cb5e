import { preparedDb } from "@/db/client";
import type { ProductDetail } from "@/lib/catalog/contract";
import { findProductPage, listProductPages, type ProductRef } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import type { Locale } from "@/lib/platform/i18n/locales";
import { pricePerDay, toCents } from "@/lib/platform/money";
import type { PlannedPasses, PlanPassesInput, ProductPlan } from "./contract";
import { planPasses, refundByDay } from "./rules";

/** How many matching products are planned, and how many plans are returned. */
const CANDIDATES = 12;
const PLANS = 6;

/**
 * The cheapest passes for the days, of the given product or of the products that match the need. Plans with most
 * covered days come first, then the cheapest (docs/product.md#820-planning-by-days). Prices, stock and refunds are
 * those of the product page.
 */
export async function planPassesFor(
  { product, need, days, budget, country }: PlanPassesInput,
  locale: Locale,
): Promise<PlannedPasses> {
  const named = product ? await findProductPage({ ...toProductRef(product), locale }) : null;
  const products = product ? (named ? [named] : []) : await findCandidates(need ?? "", locale);
  const budgetCents = budget === undefined ? undefined : toCents(budget);
  const plans = products.flatMap((candidate): ProductPlan[] => {
    const now = new Date(candidate.server_time);
    const plan = planPasses(candidate.vip_options, { days, budgetCents, country }, now);
    if (!plan) return [];
    const perDayCents = pricePerDay(plan.cents, plan.covered) ?? plan.cents;
    return [{ ...plan, product: candidate, perDayCents, back: refundByDay(plan.passes, days, now) }];
  });
  plans.sort((a, b) => b.covered - a.covered || a.cents - b.cents || a.passes.length - b.passes.length);
  return { product: named, plans: plans.slice(0, PLANS) };
}

/** A product by its slug, or its number as text. */
export const toProductRef = (text: string): ProductRef =>
  /^[1-9]\d{0,8}$/.test(text) ? { id: Number(text) } : { slug: text };

async function findCandidates(need: string, locale: Locale): Promise<ProductDetail[]> {
  const { items } = await searchProducts(
    { keyword: need, sort: "recommend", in_stock: true, page: 1, size: CANDIDATES },
    locale,
  );
  return listProductPages(
    items.map(({ product_id }) => product_id),
    locale,
    preparedDb,
  );
}
