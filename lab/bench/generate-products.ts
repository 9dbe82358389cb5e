import { PASS_DAYS, PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import {
  between,
  chineseText,
  japaneseText,
  latinText,
  type Random,
  seeded,
  skewed,
  type Text,
  vocabulary,
} from "./generate-texts";

/** Generates products one by one; the same seed gives the same products. */

export type GeneratedPlan = {
  id: number;
  type: PassType;
  days: number | null;
  cents: number;
  availability: "in_stock" | "pre_order" | "paused";
  keys: number;
  /** Days from now until codes must be redeemed. */
  redeemInDays: number | null;
  deal: { cents: number; days: number } | null;
};
export type GeneratedProduct = {
  id: number;
  slug: string;
  vendor: string;
  category: string;
  sortNum: number;
  texts: { en: Text; zh?: Text; ja?: Text };
  plans: GeneratedPlan[];
};

export const CATEGORIES = 40;
const FIRST = { product: 1001, plan: 5001 };

export function* generateProducts(count: number, seed: number): Generator<GeneratedProduct> {
  const random = seeded(seed);
  const words = vocabulary(seed + 1);
  const vendors = Math.max(10, Math.floor(count / 50));
  let plan = FIRST.plan;
  for (let i = 0; i < count; i++) {
    const en = latinText(random, words);
    const plans = generatePlans(random, plan);
    plan += plans.length;
    yield {
      id: FIRST.product + i,
      slug: `${en.name.toLowerCase().replaceAll(" ", "-")}-${i}`,
      vendor: `${words.latin[(skewed(random, vendors) * 31) % words.latin.length]!} works ${skewed(random, vendors)}`,
      category: `bench-${skewed(random, CATEGORIES)}`,
      sortNum: Math.floor(1_000_000 * random() ** 6), // few products sell well, a tenth not at all
      texts: {
        en,
        zh: random() < 0.6 ? chineseText(random, words) : undefined,
        ja: random() < 0.55 ? japaneseText(random, words) : undefined,
      },
      plans,
    };
  }
}

const PRICE_FACTOR: Record<PassType, number> = { day: 1, week: 3, month: 8, year: 60, lifetime: 150 };

function generatePlans(random: Random, firstId: number): GeneratedPlan[] {
  const types = PASS_TYPES.filter(() => random() < 0.45);
  const planTypes = types.length > 0 ? types : [PASS_TYPES[skewed(random, PASS_TYPES.length)]!];
  const base = Math.exp(random() * 4) * 90;
  return planTypes.map((type, position) =>
    generatePlan(random, firstId + position, type, base * PRICE_FACTOR[type]),
  );
}

function generatePlan(random: Random, id: number, type: PassType, price: number): GeneratedPlan {
  const free = random() < 0.005;
  const cents = free ? 0 : Math.max(50, Math.floor(price / 10) * 10 - 1);
  const state = random();
  return {
    id,
    type,
    days: PASS_DAYS[type],
    cents,
    availability: state < 0.02 ? "pre_order" : state < 0.04 ? "paused" : "in_stock",
    keys: random() < 0.15 ? 0 : 1 + (random() < 0.1 ? skewed(random, 30) : 0),
    redeemInDays: random() < 0.01 ? between(random, 20, 400) : null,
    deal:
      !free && cents > 200 && random() < 0.001 ? { cents: cents - 100, days: between(random, 1, 9) } : null,
  };
}
