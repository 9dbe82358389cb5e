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
} from "./generate-words";

/** Products one after the other, the same for the same seed; none is kept. */

export type MadePlan = {
  id: number;
  type: PassType;
  days: number | null;
  cents: number;
  availability: "in_stock" | "pre_order" | "paused";
  keys: number;
  /** by when its codes must be redeemed: days from now */
  redeemIn: number | null;
  deal: { cents: number; days: number } | null;
};
export type Made = {
  id: number;
  slug: string;
  vendor: string;
  category: string;
  sortNum: number;
  texts: { en: Text; zh?: Text; ja?: Text };
  plans: MadePlan[];
};

export const CATEGORIES = 40;
const FIRST = { product: 1001, plan: 5001 };

export function* productsOf(count: number, seed: number): Generator<Made> {
  const random = seeded(seed);
  const words = vocabulary(seed + 1);
  const vendors = Math.max(10, Math.floor(count / 50));
  let plan = FIRST.plan;
  for (let i = 0; i < count; i++) {
    const en = latinText(random, words);
    const plans = plansOf(random, plan);
    plan += plans.length;
    yield {
      id: FIRST.product + i,
      slug: `${en.name.toLowerCase().replaceAll(" ", "-")}-${i}`,
      vendor: `${words.latin[(skewed(random, vendors) * 31) % words.latin.length]!} works ${skewed(random, vendors)}`,
      category: `bench-${skewed(random, CATEGORIES)}`,
      sortNum: Math.floor(1_000_000 * random() ** 6), // a few go well, a tenth of all has none of it
      texts: {
        en,
        zh: random() < 0.6 ? chineseText(random, words) : undefined,
        ja: random() < 0.55 ? japaneseText(random, words) : undefined,
      },
      plans,
    };
  }
}

const WORTH: Record<PassType, number> = { day: 1, week: 3, month: 8, year: 60, lifetime: 150 };

function plansOf(random: Random, firstId: number): MadePlan[] {
  const types = PASS_TYPES.filter(() => random() < 0.45);
  const chosen = types.length > 0 ? types : [PASS_TYPES[skewed(random, PASS_TYPES.length)]!];
  const base = Math.exp(random() * 4) * 90;
  return chosen.map((type, position) => planOf(random, firstId + position, type, base * WORTH[type]));
}

function planOf(random: Random, id: number, type: PassType, worth: number): MadePlan {
  const free = random() < 0.005;
  const cents = free ? 0 : Math.max(50, Math.floor(worth / 10) * 10 - 1);
  const state = random();
  return {
    id,
    type,
    days: PASS_DAYS[type],
    cents,
    availability: state < 0.02 ? "pre_order" : state < 0.04 ? "paused" : "in_stock",
    keys: random() < 0.15 ? 0 : 1 + (random() < 0.1 ? skewed(random, 30) : 0),
    redeemIn: random() < 0.01 ? between(random, 20, 400) : null,
    deal:
      !free && cents > 200 && random() < 0.001 ? { cents: cents - 100, days: between(random, 1, 9) } : null,
  };
}
