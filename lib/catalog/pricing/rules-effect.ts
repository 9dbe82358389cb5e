import { type CurrentPrice, currentPrice } from "./rules";
import { type PriceProblem, priceProblem } from "./rules-guardrails";
import type { PriceEntry } from "./rules-history";

// What a change of a plan's prices would show, before it is written.

/** The prices of a plan; `deal` is the running one, with its end in milliseconds since 1970. */
export type EditedPrices = {
  durationDays: number | null;
  regularCents: number;
  listPriceCents: number | null;
  deal: { cents: number; endsAt: number; quantity: number; claimed: number } | null;
};

const NEXT_DEAL = "next";

/** The id of the deal that began last. */
const lastDeal = (history: readonly PriceEntry[]) =>
  history.findLast(({ kind }) => kind === "deal_start")?.dealId ?? NEXT_DEAL;

/** Whether a deal begins: a running one with the same end continues, even at another price. */
const beginsDeal = (current: EditedPrices | null, { deal }: EditedPrices): boolean =>
  deal !== null && current?.deal?.endsAt !== deal.endsAt;

/** The history as the triggers on plans and deals will continue it (db/functions/record_plan_prices.sql, record_deal_price.sql). */
function continueHistory(
  history: readonly PriceEntry[],
  current: EditedPrices | null,
  next: EditedPrices,
  at: number,
): PriceEntry[] {
  const entries: PriceEntry[] = [...history];
  const running = current?.deal ? lastDeal(history) : null;
  const { regularCents: cents, deal } = next;
  if (cents !== current?.regularCents) entries.push({ kind: "price", cents, at, dealId: null });
  const isNew = beginsDeal(current, next);
  if (running && (!deal || isNew)) entries.push({ kind: "deal_end", cents, at, dealId: running });
  if (!deal || (!isNew && deal.cents === current?.deal?.cents)) return entries;
  const dealId = isNew ? NEXT_DEAL : running;
  entries.push({ kind: "deal_start", cents: deal.cents, at, dealId });
  entries.push({ kind: "deal_end", cents, at: deal.endsAt, dealId });
  return entries;
}

/** What buyers see at these prices. `history` holds the plan's entries in the order in which they were written. */
export const shownPrice = (
  { regularCents, listPriceCents, durationDays, deal }: EditedPrices,
  history: readonly PriceEntry[],
  now: Date,
): CurrentPrice =>
  currentPrice(
    {
      priceCents: regularCents,
      listPriceCents,
      durationDays,
      history,
      deal: deal && {
        id: NEXT_DEAL,
        priceCents: deal.cents,
        endsAt: new Date(deal.endsAt),
        quantity: deal.quantity,
        claimed: deal.claimed,
      },
    },
    now,
  );

/** What buyers will see after the change, and the rule that it breaks; `current` is null for a new plan. */
export function priceEffect(
  current: EditedPrices | null,
  next: EditedPrices,
  history: readonly PriceEntry[],
  now: Date,
): { shown: CurrentPrice; problem: PriceProblem | null } {
  const toPrices = ({ regularCents, listPriceCents, deal }: EditedPrices) => ({
    regularCents,
    listPriceCents,
    dealCents: deal?.cents ?? null,
  });
  const proposed = { ...toPrices(next), newDeal: beginsDeal(current, next) };
  return {
    shown: shownPrice(next, continueHistory(history, current, next, now.getTime()), now),
    problem: current && priceProblem(toPrices(current), proposed, history, now),
  };
}

/** The percentage of a reduction from the price beside the current one; null without one of this shop. */
export function reductionPercent({ priceCents, comparison }: CurrentPrice): number | null {
  if (comparison?.kind !== "previous") return null;
  return Math.round((1 - priceCents / comparison.cents) * 100);
}
