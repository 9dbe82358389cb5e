import type { RightView } from "@/lib/payments/refunds/contract";
import { hasWithdrawalRight, WITHDRAWAL_DAYS } from "@/lib/payments/refunds/rules-withdrawal";
import { splitByLargestRemainder } from "@/lib/platform/money";

/** Zones outside Europe/… whose people live in those countries. Old systems name Central European Time CET, and so on. */
const WITHDRAWAL_ZONES: readonly string[] = [
  "CET",
  "EET",
  "MET",
  "WET",
  "Africa/Ceuta",
  "America/Cayenne",
  "America/Guadeloupe",
  "America/Martinique",
  "America/Marigot",
  "Arctic/Longyearbyen",
  "Asia/Famagusta",
  "Asia/Nicosia",
  "Atlantic/Azores",
  "Atlantic/Canary",
  "Atlantic/Madeira",
  "Atlantic/Reykjavik",
  "Indian/Mayotte",
  "Indian/Reunion",
];

/**
 * Whether the statutory right of withdrawal concerns a buyer: by the country (ISO 3166-1), else by the time
 * zone; with neither it applies. The order page and `withdrawalDecision` follow the same answer
 * (docs/product.md#82-withdrawal).
 */
export function withdrawalApplies(country: string | null, timeZone: string | null): boolean {
  if (country !== null) return hasWithdrawalRight(country);
  // Browsers that hide their zone name UTC.
  if (timeZone === null || timeZone === "UTC" || timeZone.startsWith("Etc/")) return true;
  return timeZone.startsWith("Europe/") || WITHDRAWAL_ZONES.includes(timeZone);
}

/** The token of a verified code is valid this long. */
export const WITHDRAWAL_REVIEW_MINUTES = 30;

/** Why units of a line cannot be withdrawn; `open`: they can. `review`: staff decide about the rest. */
export const WITHDRAWAL_REASONS = [
  "open",
  "unpaid",
  "free",
  "returned",
  "shown",
  "elsewhere",
  "review",
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
  /** the right of withdrawal applies where the buyer lives (`withdrawalApplies`) */
  applies: boolean;
  /** delivered units of which a code may have been seen, and units of which none was */
  shown: number;
  unrevealed: number;
  /** the order was paid with a choice of immediate delivery, so that every code that was seen is consented to */
  chosen: boolean;
  /** for orders from before the choice existed: the buyer consented to immediate delivery */
  consented: boolean;
  /** the payment is or was disputed */
  disputed: boolean;
};

export type WithdrawalDecision = {
  units: number;
  amountCents: number;
  /** why not all units; `open`: all units */
  reason: WithdrawalReason;
};

/** 15 × 24 hours after the payment: the fourteenth day after it has then ended in every time zone. */
export const withdrawalEnds = (paidAt: Date) =>
  new Date(paidAt.getTime() + (WITHDRAWAL_DAYS + 1) * 86_400_000);

/** A time on the fourteenth day after the payment, the last one that is promised; `until` is what `withdrawalEnds` returns. */
export const lastWithdrawalDay = (until: Date | string) => new Date(new Date(until).getTime() - 86_400_000);

/**
 * Decides how many units of a line a buyer may withdraw. Undelivered units can always be withdrawn
 * (docs/reliability.md#orders). Where the right applies, delivered codes can be withdrawn within 14 days while they are
 * unrevealed; revealed codes only in orders from before the delivery choice existed, without a consent
 * (docs/product.md#82-withdrawal). Pure.
 */
export function withdrawalDecision(facts: WithdrawalFacts, now: Date): WithdrawalDecision {
  const none = (reason: WithdrawalReason) => ({ units: 0, amountCents: 0, reason });
  if (!facts.paidAt) return none("unpaid");
  if (facts.totalCents === 0) return none("free");
  if (facts.leftUnits === 0 || facts.leftCents === 0) return none("returned");
  if (facts.disputed) return none("disputed");
  const isOver = now >= withdrawalEnds(facts.paidAt);
  const undelivered = facts.leftUnits - facts.shown - facts.unrevealed;
  const shownUnits = facts.chosen || facts.consented ? 0 : facts.shown;
  const units = undelivered + (isOver || !facts.applies ? 0 : facts.unrevealed + shownUnits);
  const keptReason: WithdrawalReason = facts.applies ? (isOver ? "over" : "shown") : "elsewhere";
  if (units === 0) return none(keptReason);
  const amountCents = splitByLargestRemainder(facts.leftCents, [units, facts.leftUnits - units])[0]!;
  if (units === facts.leftUnits) return { units, amountCents, reason: "open" };
  return { units, amountCents, reason: keptReason };
}

type RightFacts = WithdrawalFacts & {
  /** of an unpaid order: its codes will be emailed right after the payment, and so be seen */
  emailed?: boolean;
};

/**
 * What the pages and emails say about the right: what `withdrawalDecision`, which the form follows, gives back. Null where it
 * does not apply, or nothing is left to give back.
 */
export function rightOf(facts: RightFacts, now: Date): RightView | null {
  if (!facts.applies || facts.totalCents === 0 || facts.disputed) return null;
  if (!facts.paidAt)
    return { state: facts.emailed ? "seen" : "open", amount: facts.totalCents / 100, until: null };
  if (facts.leftUnits === 0 || facts.leftCents === 0) return null;
  const ends = withdrawalEnds(facts.paidAt);
  const until = lastWithdrawalDay(ends).toISOString();
  const { units, amountCents } = withdrawalDecision(facts, now);
  if (units > 0) return { state: "open", amount: amountCents / 100, until };
  return { state: now >= ends ? "over" : "seen", amount: 0, until };
}

/** What staff decide about, because the buyer states another country than the order's. */
export type WithdrawalReview = Pick<WithdrawalDecision, "units" | "amountCents">;
export const NO_REVIEW: WithdrawalReview = { units: 0, amountCents: 0 };

/**
 * Decides for a buyer who states where they live. When that differs from the order's country, only what both allow is
 * withdrawn, and staff decide about the rest: a statement alone causes neither a refund nor a refusal. Pure.
 */
export function statedWithdrawal(
  facts: WithdrawalFacts,
  statedApplies: boolean,
  now: Date,
): { decision: WithdrawalDecision; review: WithdrawalReview } {
  const own = withdrawalDecision(facts, now);
  const stated = withdrawalDecision({ ...facts, applies: statedApplies }, now);
  const [less, more] = own.units <= stated.units ? [own, stated] : [stated, own];
  if (less.units === more.units) return { decision: own, review: NO_REVIEW };
  const review = { units: more.units - less.units, amountCents: more.amountCents - less.amountCents };
  return { decision: { ...less, reason: "review" }, review };
}

/** The decision without a statement. */
export const plainWithdrawal = (facts: WithdrawalFacts, now: Date) => ({
  decision: withdrawalDecision(facts, now),
  review: NO_REVIEW,
});
