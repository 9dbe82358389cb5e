import { splitByLargestRemainder } from "@/lib/platform/money";

/** The statutory right to withdraw from a contract concluded at a distance: 14 days, without a reason. */
export const WITHDRAWAL_DAYS = 14;
/** After a code was proved, the review stays open this long before the code has to be proved again. */
export const WITHDRAWAL_REVIEW_MINUTES = 30;

/** Why units of a line stay, or `open`: they can be given back. */
export const WITHDRAWAL_REASONS = [
  "open",
  "unpaid",
  "free",
  "returned",
  "shown",
  "over",
  "disputed",
] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];

export type WithdrawalFacts = {
  /** null: the order is not paid, or it is over */
  paidAt: Date | null;
  totalCents: number;
  /** money and units of the line, less what went back already */
  leftCents: number;
  leftUnits: number;
  /** delivered codes of it that somebody can have seen, and those that nobody has */
  shown: number;
  unseen: number;
  /** the buyer agreed that delivery begins at once, and that the right ends with it */
  agreed: boolean;
  /** the buyer's bank has, or had, the money in dispute */
  disputed: boolean;
};

export type WithdrawalDecision = {
  units: number;
  amountCents: number;
  /** why not all of it: `open` when all can go back */
  reason: WithdrawalReason;
};

/** The first moment after the fourteenth day from the payment, wherever on earth the buyer counts the days. */
export const withdrawalEnds = (paidAt: Date) =>
  new Date(paidAt.getTime() + (WITHDRAWAL_DAYS + 1) * 86_400_000);

/**
 * What a buyer may withdraw from, unit by unit. What was not delivered: always (docs/reliability.md#orders).
 * A delivered code: within 14 days, as long as nobody saw it, or when nobody agreed to immediate delivery. Pure.
 */
export function withdrawalDecision(facts: WithdrawalFacts, now: Date): WithdrawalDecision {
  const no = (reason: WithdrawalReason) => ({ units: 0, amountCents: 0, reason });
  if (!facts.paidAt) return no("unpaid");
  if (facts.totalCents === 0) return no("free");
  if (facts.leftUnits === 0 || facts.leftCents === 0) return no("returned");
  if (facts.disputed) return no("disputed");
  const over = now >= withdrawalEnds(facts.paidAt);
  const missing = facts.leftUnits - facts.shown - facts.unseen;
  const units = missing + (over ? 0 : facts.unseen + (facts.agreed ? 0 : facts.shown));
  if (units === 0) return no(over ? "over" : "shown");
  const amountCents = splitByLargestRemainder(facts.leftCents, [units, facts.leftUnits - units])[0]!;
  if (units === facts.leftUnits) return { units, amountCents, reason: "open" };
  return { units, amountCents, reason: over ? "over" : "shown" };
}
