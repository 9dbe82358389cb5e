import type { DealView, ProductDetail, ProductItem, VipOption } from "@/lib/catalog/contract";
import { type CurrentPrice, currentPrice, stockState } from "@/lib/catalog/pricing/rules";
import { type Availability, type PassType, productImagePath } from "@/lib/catalog/rules";
import { refundDecision, toRefundView } from "@/lib/payments/refunds/rules";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";

// Turns rows of the queries (JSON with times as text) into the contract's views.

type DealRow = { id: string; price_cents: number; ends_at: string; quantity: number; claimed: number };

type PricedRow = {
  id: number;
  type: PassType;
  duration_days: number | null;
  price_cents: number;
  list_price_cents: number | null;
  deal: DealRow | null;
};

type Activation = { url: string | null; steps: Record<string, string[]> };

export type PlanRow = PricedRow & {
  availability: Availability;
  stock: number;
  purchase_limit: number | null;
  region: string[];
  releases_at: string | null;
  redeem_by: string | null;
  activation: Activation | null;
};

type ProductRow = {
  product_id: number;
  slug: string;
  maker: string;
  category: string;
  category_name: string;
  image: string;
  sort_num: number;
  language: Locale;
  name: string;
  tagline: string;
};

/** `stock` counts the keys of all plans on sale; `in_stock` applies to the shown plan. */
export type CardRow = ProductRow & {
  plan: PricedRow & { availability: Availability };
  stock: number;
  in_stock: boolean;
};

export type DetailRow = ProductRow & {
  now: string;
  description: string;
  includes: string[];
  languages: Locale[];
  activation: Activation;
  plans: PlanRow[];
};

function toCurrentPrice(
  { price_cents, list_price_cents, duration_days, deal }: PricedRow,
  now: Date,
): CurrentPrice {
  const dealFields = deal && {
    id: deal.id,
    priceCents: deal.price_cents,
    endsAt: new Date(deal.ends_at),
    quantity: deal.quantity,
    claimed: deal.claimed,
  };
  return currentPrice(
    {
      priceCents: price_cents,
      listPriceCents: list_price_cents,
      durationDays: duration_days,
      deal: dealFields,
    },
    now,
  );
}

const decimal = (cents: number | null) => (cents === null ? null : toDecimal(cents));

const dealView = ({ deal }: CurrentPrice): DealView | null =>
  deal && { ends_at: deal.endsAt.toISOString(), quantity: deal.quantity, items_left: deal.itemsLeft };

function productFields(row: ProductRow) {
  return {
    product_id: row.product_id,
    slug: row.slug,
    product_name: row.name,
    product_tagline: row.tagline,
    product_image: productImagePath(row.product_id, row.image),
    maker: row.maker,
    category: row.category,
    category_name: row.category_name,
    language: row.language,
    sort_num: row.sort_num,
  };
}

function priceFields(plan: PricedRow, now: Date) {
  const price = toCurrentPrice(plan, now);
  return {
    vip_id: plan.id,
    vip_type: plan.type,
    duration_days: plan.duration_days,
    price: toDecimal(price.priceCents),
    list_price: decimal(price.listPriceCents),
    price_per_day: decimal(price.perDayCents),
    deal: dealView(price),
  };
}

export function productItem(row: CardRow, now: Date): ProductItem {
  return {
    ...productFields(row),
    ...priceFields(row.plan, now),
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
  const price = toCurrentPrice(plan, now);
  const refund = refundDecision(
    {
      durationDays: plan.duration_days,
      paidCents: price.priceCents,
      limitedTime: price.deal !== null,
      paidAt: null,
      redemption: "unknown",
    },
    now,
  );
  return {
    ...priceFields(plan, now),
    stock: sellableStock(plan),
    stock_state: stockState(plan),
    purchase_limit: plan.purchase_limit,
    region: plan.region,
    releases_at: plan.releases_at && new Date(plan.releases_at).toISOString(),
    redeem_by: plan.redeem_by && new Date(plan.redeem_by).toISOString(),
    activation: activationFor(plan.activation ?? activation, locale),
    refund: toRefundView(refund),
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
    ...priceFields(shown, now),
    stock,
    stock_state: stockState({ ...shown, stock: sellableStock(shown) > 0 ? stock : 0 }),
    product_description: row.description,
    includes: row.includes,
    vip_options: row.plans.map((plan) => vipOption(plan, { activation: row.activation, now }, locale)),
    languages: row.languages,
    server_time: now.toISOString(),
  };
}

/** The activation instructions in the reader's language, else in English. */
export function activationFor(
  activation: { url: string | null; steps: Record<string, string[]> },
  locale: Locale,
) {
  return { url: activation.url, steps: activation.steps[locale] ?? activation.steps[DEFAULT_LOCALE] ?? [] };
}
