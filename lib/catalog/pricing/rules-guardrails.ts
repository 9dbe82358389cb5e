import { CHARGED_DAYS, LOWEST_PRICE_DAYS, type PriceEntry } from "./rules-history";

// What a change of a plan's price must keep to (docs/product.md#818-prices-and-their-history), for every writer of prices.

const DAY_MS = 86_400_000;
/** Milliseconds between two changes of a plan's price. */
const PAUSE_MS = 30_000;
/** Changes of a plan's price in 24 hours. */
const CHANGES_A_DAY = 20;
/** The share by which a price may differ from the one of 24 hours ago without approval. */
const SHARE_A_DAY = 0.5;

/** The prices of a plan in cents. `dealCents` is that of its running deal; null: none. */
export type PlanPrices = { regularCents: number; listPriceCents: number | null; dealCents: number | null };

/** The prices after the change; `newDeal`: the deal begins with it. */
export type ProposedPrices = PlanPrices & { newDeal: boolean };

/**
 * `too_soon`: 30 seconds have not passed; `too_many`: 20 changes in 24 hours; `needs_approval`: more than half above or
 * below the price of 24 hours ago; `raised_recently`: a reduction of a price that was raised in the last 30 days, so that
 * the earlier price beside it would not be true.
 */
export type PriceProblem = "too_soon" | "too_many" | "needs_approval" | "raised_recently";

type Step = { cents: number; at: number };

/** The regular prices in order of time, without repetitions. */
function regularSteps(history: readonly PriceEntry[]): Step[] {
  const steps: Step[] = [];
  const entries = history.filter(({ kind }) => kind === "price").toSorted((a, b) => a.at - b.at);
  for (const { cents, at } of entries)
    if (cents !== null && steps.at(-1)?.cents !== cents) steps.push({ cents, at });
  return steps;
}

/** The regular prices in force since a moment, that of the moment included. */
function pricesSince(steps: readonly Step[], begin: number): number[] {
  return steps
    .filter((_, i) => (steps[i + 1]?.at ?? Number.POSITIVE_INFINITY) > begin)
    .map(({ cents }) => cents);
}

/** Whether the earlier price is above the lowest regular price of the last 30 days. */
const wasRaised = (steps: readonly Step[], wasCents: number, now: number): boolean =>
  wasCents > Math.min(...pricesSince(steps, now - LOWEST_PRICE_DAYS * DAY_MS));

/**
 * Why the prices of a plan may not change so, or null. `history` holds its entries in the order in which they were
 * written; `approved`: a second person has approved the difference. A change of the list price alone is free.
 */
export function priceProblem(
  current: PlanPrices,
  next: ProposedPrices,
  history: readonly PriceEntry[],
  now: Date,
  { approved = false } = {},
): PriceProblem | null {
  const time = now.getTime();
  const { regularCents, listPriceCents, dealCents, newDeal } = next;
  const newRegular = regularCents !== current.regularCents;
  const changedDeal = dealCents !== null && (newDeal || dealCents !== current.dealCents);
  if (!newRegular && !changedDeal) return null;

  const steps = regularSteps(history);
  const deals = history.filter(({ kind }) => kind === "deal_start");
  const changes = new Set([...steps.slice(1), ...deals].map(({ at }) => at).filter((at) => at <= time));
  if ([...changes].some((at) => at > time - PAUSE_MS)) return "too_soon";
  if ([...changes].filter((at) => at > time - DAY_MS).length >= CHANGES_A_DAY) return "too_many";

  const reference = pricesSince(steps, time - DAY_MS)[0] ?? current.regularCents;
  const written = [newRegular ? regularCents : null, changedDeal ? dealCents : null];
  if (
    !approved &&
    written.some((cents) => cents !== null && Math.abs(cents - reference) > reference * SHARE_A_DAY)
  )
    return "needs_approval";

  const cheaperDeal = changedDeal && (newDeal || current.dealCents === null || dealCents < current.dealCents);
  const replacesRaised = dealCents !== null && regularCents > current.regularCents;
  if ((cheaperDeal || replacesRaised) && wasRaised(steps, regularCents, time)) return "raised_recently";
  const charged = pricesSince(steps, time - CHARGED_DAYS * DAY_MS);
  const reduced =
    regularCents < current.regularCents && listPriceCents !== null && charged.includes(listPriceCents);
  return reduced && wasRaised(steps, listPriceCents, time) ? "raised_recently" : null;
}
