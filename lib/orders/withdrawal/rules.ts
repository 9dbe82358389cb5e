import { splitByLargestRemainder } from "@/lib/platform/money";

/** The statutory right of withdrawal for distance contracts: 14 days, without a reason. */
export const WITHDRAWAL_DAYS = 14;
/** The token of a verified code is valid this long. */
export const WITHDRAWAL_REVIEW_MINUTES = 30;

/** Why units of a line stay; `open`: they can be withdrawn. */
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
  /** null: the order is unpaid or closed */
  paidAt: Date | null;
  totalCents: number;
  /** money and units of the line, less earlier refunds */
  leftCents: number;
  leftUnits: number;
  /** delivered codes that may have been seen, and unrevealed ones */
  shown: number;
  unrevealed: number;
  /** the buyer agreed to immediate delivery and to the end of the right */
  agreed: boolean;
  /** the payment is or was disputed */
  disputed: boolean;
};

export type WithdrawalDecision = {
  units: number;
  amountCents: number;
  /** why not everything: `open` when all can be withdrawn */
  reason: WithdrawalReason;
};

/** The end of the fourteenth day after the payment, in every time zone. */
export const withdrawalEnds = (paidAt: Date) =>
  new Date(paidAt.getTime() + (WITHDRAWAL_DAYS + 1) * 86_400_000);

/**
 * What a buyer may withdraw, unit by unit. Undelivered units: always (docs/reliability.md#orders). Delivered codes:
 * within 14 days, unless they were seen after a consent to immediate delivery. Pure.
 */
export function withdrawalDecision(facts: WithdrawalFacts, now: Date): WithdrawalDecision {
  const no = (reason: WithdrawalReason) => ({ units: 0, amountCents: 0, reason });
  if (!facts.paidAt) return no("unpaid");
  if (facts.totalCents === 0) return no("free");
  if (facts.leftUnits === 0 || facts.leftCents === 0) return no("returned");
  if (facts.disputed) return no("disputed");
  const over = now >= withdrawalEnds(facts.paidAt);
  const missing = facts.leftUnits - facts.shown - facts.unrevealed;
  const units = missing + (over ? 0 : facts.unrevealed + (facts.agreed ? 0 : facts.shown));
  if (units === 0) return no(over ? "over" : "shown");
  const amountCents = splitByLargestRemainder(facts.leftCents, [units, facts.leftUnits - units])[0]!;
  if (units === facts.leftUnits) return { units, amountCents, reason: "open" };
  return { units, amountCents, reason: over ? "over" : "shown" };
}
