import type { DealView, ProductDetail, ProductItem, VipOption } from "@/lib/catalog/contract";
import {
  type CurrentPrice,
  currentPrice,
  type Deal,
  type PricedPlan,
  stockState,
} from "@/lib/catalog/pricing/rules";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type Activation, type Availability, type PassType, productImagePath } from "@/lib/catalog/rules";
import { toOfferView } from "@/lib/payments/refunds/rules";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { averageRating } from "@/lib/reviews/rules";

// Turns rows (JSON with times as text) into the contract's views.

type PricedRow = Omit<PricedPlan, "deal"> & {
  id: number;
  type: PassType;
  availability: Availability;
  deal: (Omit<Deal, "endsAt"> & { endsAt: string }) | null;
};

type PlanRow = PricedRow &
  Pick<
    VipOption,
    "stock" | "purchase_limit" | "region" | "releases_at" | "redeem_by" | "redeem_margin_days"
  > & {
    activation: Activation | null;
    /** in the reader's language, else in English */
    includes: string[] | null;
  };

type ProductRow = {
  product: Omit<
    ProductItem,
    "product_image" | "stock" | "stock_state" | "rating" | keyof ReturnType<typeof priceFields>
  >;
  image: string;
  ratings: { count: number; sum: number | null };
};

/** `stock` counts the keys of all plans on sale; `in_stock` applies to the shown plan. */
export type CardRow = ProductRow & { plan: PricedRow; stock: number; in_stock: boolean };

export type DetailRow = ProductRow &
  Pick<ProductDetail, "includes" | "languages" | "seller"> & {
    now: string;
    activation: Activation;
    plans: PlanRow[];
  };

const toCurrentPrice = ({ deal, ...plan }: PricedRow, now: Date): CurrentPrice =>
  currentPrice({ ...plan, deal: deal && { ...deal, endsAt: new Date(deal.endsAt) } }, now);

const decimal = (cents: number | null) => (cents === null ? null : toDecimal(cents));

/** The fields of a price's comparison (docs/product.md#31-fields-in-calls). */
export const comparisonFields = ({ comparison }: Pick<CurrentPrice, "comparison">) => ({
  list_price: decimal(comparison?.cents ?? null),
  list_price_kind: comparison?.kind ?? null,
  lowest_price_30d: decimal(comparison?.lowestCents ?? null),
});

const dealView = ({ deal }: CurrentPrice): DealView | null =>
  deal && { ends_at: deal.endsAt.toISOString(), quantity: deal.quantity, items_left: deal.itemsLeft };

const productFields = ({ product, image, ratings: { count, sum } }: ProductRow) => ({
  ...product,
  rating: sum === null ? null : { average: averageRating(sum, count), count },
  product_image: productImagePath(product.product_id, image),
});

function priceFields(plan: PricedRow, locale: Locale, now: Date) {
  const price = toCurrentPrice(plan, now);
  return {
    vip_id: plan.id,
    pass_type: plan.type,
    vip_type: passLabel({ pass_type: plan.type, duration_days: plan.durationDays }, locale),
    duration_days: plan.durationDays,
    price: toDecimal(price.priceCents),
    ...comparisonFields(price),
    price_per_day: decimal(price.perDayCents),
    deal: dealView(price),
  };
}

export function productItem(row: CardRow, locale: Locale, now: Date): ProductItem {
  return {
    ...productFields(row),
    ...priceFields(row.plan, locale, now),
    stock: row.stock,
    stock_state: stockState({ ...row.plan, stock: row.in_stock ? row.stock : 0 }),
  };
}

/** The stock of a plan; 0 unless it is on sale. */
const sellableStock = ({ availability, stock }: PlanRow) => (availability === "in_stock" ? stock : 0);

function vipOption(
  plan: PlanRow,
  { activation, now }: { activation: Activation; now: Date },
  locale: Locale,
): VipOption {
  const { priceCents, deal } = toCurrentPrice(plan, now);
  const pass = {
    durationDays: plan.durationDays,
    paidCents: priceCents,
    limitedTime: deal !== null,
    preOrder: stockState(plan) === "pre_order",
  };
  return {
    ...priceFields(plan, locale, now),
    stock: sellableStock(plan),
    stock_state: stockState(plan),
    purchase_limit: plan.purchase_limit,
    region: plan.region,
    releases_at: instant(plan.releases_at),
    redeem_by: instant(plan.redeem_by),
    redeem_margin_days: plan.redeem_margin_days,
    activation: activationFor(plan.activation ?? activation, locale),
    includes: plan.includes ?? [],
    refund: toOfferView(pass, now),
  };
}

const STATE_RANK = { in_stock: 0, low: 0, pre_order: 1, sold_out: 2 };

/** The shown plan of a product: the cheapest in stock, else the cheapest pre-order, else the cheapest. */
function shownPlan(plans: PlanRow[], now: Date): PlanRow | undefined {
  const rank = (plan: PlanRow) => STATE_RANK[stockState(plan)];
  const cents = (plan: PlanRow) => toCurrentPrice(plan, now).priceCents;
  return [...plans].sort((a, b) => rank(a) - rank(b) || cents(a) - cents(b))[0];
}

/** Null for a product without listed plans. */
export function productDetail(row: DetailRow, locale: Locale): ProductDetail | null {
  const now = new Date(row.now);
  const shown = shownPlan(row.plans, now);
  if (!shown) return null;
  const stock = row.plans.reduce((sum, plan) => sum + sellableStock(plan), 0);
  return {
    ...productFields(row),
    ...priceFields(shown, locale, now),
    stock,
    stock_state: stockState({ ...shown, stock: sellableStock(shown) > 0 ? stock : 0 }),
    includes: row.includes,
    seller: row.seller,
    vip_options: row.plans.map((plan) => vipOption(plan, { activation: row.activation, now }, locale)),
    languages: row.languages,
    server_time: now.toISOString(),
  };
}

/** The activation instructions in the reader's language, else in English. */
export const activationFor = ({ url, steps }: Activation, locale: Locale) => ({
  url,
  steps: steps[locale] ?? steps[DEFAULT_LOCALE] ?? [],
});
