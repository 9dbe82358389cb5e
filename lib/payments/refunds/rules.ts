/** What is known of a code's use at the maker's. */
export const REDEMPTIONS = ["unknown", "unredeemed", "redeemed"] as const;
export type Redemption = (typeof REDEMPTIONS)[number];

/** Days in which a refundable pass may be given back: 15 × 24 h from payment (decisions.md; 30 appears nowhere). */
export const REFUND_DAYS = 15;
/** Passes shorter than this are never refundable (spec §9: daily and weekly). */
export const REFUNDABLE_FROM_DAYS = 30;

export const REFUND_REASONS = [
  "refundable",
  "free",
  "limited_time",
  "short_pass",
  "window_over",
  "redeemed",
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export type RefundFacts = {
  /** Days of the pass; null for lifetime. */
  durationDays: number | null;
  /** What the shopper pays or paid for the line, in cents. */
  paidCents: number;
  /** Bought, or offered now, at a limited-time price. */
  limitedTime: boolean;
  /** When the payment was verified; null while it is only an offer. */
  paidAt: Date | null;
  redemption: Redemption;
  /** The rule that was copied onto the order line at purchase; without it today's rule counts. */
  rule?: RefundRule;
};

export type RefundDecision = {
  refundable: boolean;
  /** What would come back, in cents; 0 when nothing. */
  amountCents: number;
  /** The last moment to ask; null when there is none, or before payment. */
  until: Date | null;
  reason: RefundReason;
  /** The maker has to say first whether the code was used. */
  asksMaker: boolean;
};

/**
 * The one refund decision (decisions.md "Refund window"): product page, cart, order, markup and refund desk all
 * show its answer. Pure: the caller gives the time.
 */
export function refundDecision(facts: RefundFacts, now: Date): RefundDecision {
  const no = (reason: RefundReason): RefundDecision => ({
    refundable: false,
    amountCents: 0,
    until: null,
    reason,
    asksMaker: false,
  });
  if (facts.paidCents === 0) return no("free");
  if (facts.rule && !facts.rule.refundable) return no(facts.rule.reason);
  if (!facts.rule && facts.limitedTime) return no("limited_time");
  if (!facts.rule && facts.durationDays !== null && facts.durationDays < REFUNDABLE_FROM_DAYS)
    return no("short_pass");
  if (facts.redemption === "redeemed") return no("redeemed");
  const until =
    facts.paidAt && new Date(facts.paidAt.getTime() + (facts.rule?.days ?? REFUND_DAYS) * 86_400_000);
  if (until && now >= until) return { ...no("window_over"), until };
  return {
    refundable: true,
    amountCents: facts.paidCents,
    until,
    reason: "refundable",
    asksMaker: facts.paidAt !== null && facts.redemption === "unknown",
  };
}

/** The part of the rule that is copied onto an order line at purchase, so that later changes do not touch it. */
export type RefundRule = { days: number; refundable: boolean; reason: RefundReason };

/** What the shop knows of one code of a line: what its maker says, and whether anybody can have seen it. */
export type CodeRedemption = { redemption: Redemption; shown: boolean };

/** What is known of a whole line: one used code is enough to say no, one that may have been used to have to ask. */
export function lineRedemption(codes: readonly CodeRedemption[]): Redemption {
  if (codes.some((code) => code.redemption === "redeemed")) return "redeemed";
  return codes.some((code) => code.redemption === "unknown" && code.shown) ? "unknown" : "unredeemed";
}

/** The decision in the API's words (contract-refund.ts). */
export function refundView(decision: RefundDecision) {
  return {
    refundable: decision.refundable,
    amount: decision.amountCents / 100,
    until: decision.until?.toISOString() ?? null,
    reason: decision.reason,
    days: REFUND_DAYS,
  };
}

/** A merchant who is asked whether a code was used has this long; silence decides for the shopper (decisions.md). */
export const VENDOR_CONFIRMATION_HOURS = 48;
