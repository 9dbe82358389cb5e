import type { RefundView, RightView } from "./contract";

/** Whether a code was redeemed at the vendor. */
export const REDEMPTIONS = ["unknown", "unredeemed", "redeemed"] as const;
export type Redemption = (typeof REDEMPTIONS)[number];

/** Days in which a refundable pass may be returned: 15 × 24 h from the payment (docs/product.md#81-refunds). */
export const REFUND_DAYS = 15;
/** Passes shorter than this are never refundable (docs/product.md#81-refunds: daily and weekly). */
export const REFUNDABLE_FROM_DAYS = 30;

export const REFUND_REASONS = [
  "refundable",
  "before_delivery",
  "before_delivery_and_days",
  "free",
  "limited_time",
  "short_pass",
  "window_over",
  "redeemed",
  "gift_seen",
  "disputed",
  "gone",
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export type RefundFacts = {
  /** Days of the pass; null for lifetime. */
  durationDays: number | null;
  /** What the shopper pays or paid for the line, in cents. */
  paidCents: number;
  /** Bought, or offered now, at a limited-time price. */
  limitedTime: boolean;
  /** When the payment was verified; null before the purchase. */
  paidAt: Date | null;
  /** A pre-order: it can be cancelled until a code is delivered, and its window counts from then. */
  preOrder?: boolean;
  /** Paid, and no code is delivered yet: the line waits for stock or for its release. */
  undelivered?: boolean;
  /** When the last unit was delivered; null before. */
  deliveredAt?: Date | null;
  redemption: Redemption;
  /** Someone claimed it as a gift: once a code was seen, nothing is refunded. */
  giftClaimed?: boolean;
  /** The payment is disputed, or its dispute was lost: the bank decides. */
  disputed?: boolean;
  /** The rule copied to the order line at purchase; without it today's rule counts. */
  rule?: RefundRule;
};

export type RefundDecision = {
  refundable: boolean;
  /** The refund in cents; 0 when nothing is refunded. */
  amountCents: number;
  /** The last moment to request it; null when there is none, or before payment. */
  until: Date | null;
  reason: RefundReason;
  /** The vendor must confirm first that the code is unused. */
  needsVendorConfirmation: boolean;
};

/**
 * The one refund decision (docs/product.md#81-refunds): product page, cart, order, markup and staff tools show its
 * result. Pure: the caller passes the time.
 */
export function refundDecision(facts: RefundFacts, now: Date): RefundDecision {
  const notRefundable = (reason: RefundReason): RefundDecision => ({
    refundable: false,
    amountCents: 0,
    until: null,
    reason,
    needsVendorConfirmation: false,
  });
  if (facts.paidCents === 0) return notRefundable("free");
  const base = decideByRule(facts);
  if (!facts.disputed && (facts.undelivered || (facts.preOrder && !facts.paidAt)))
    return {
      refundable: true,
      amountCents: facts.paidCents,
      until: null,
      reason: base === "refundable" && facts.preOrder ? "before_delivery_and_days" : "before_delivery",
      needsVendorConfirmation: false,
    };
  if (base !== "refundable") return notRefundable(base);
  if (facts.disputed) return notRefundable("disputed");
  if (facts.giftClaimed && facts.redemption !== "unredeemed") return notRefundable("gift_seen");
  if (facts.redemption === "redeemed") return notRefundable("redeemed");
  const start = (facts.preOrder && facts.deliveredAt) || facts.paidAt;
  const until = start && new Date(start.getTime() + (facts.rule?.days ?? REFUND_DAYS) * 86_400_000);
  if (until && now >= until) return { ...notRefundable("window_over"), until };
  return {
    refundable: true,
    amountCents: facts.paidCents,
    until,
    reason: "refundable",
    needsVendorConfirmation: facts.paidAt !== null && facts.redemption === "unknown",
  };
}

/** What the rule of the purchase says about a delivered pass; without one, today's rule. */
function decideByRule({ rule, limitedTime, durationDays }: RefundFacts): RefundReason {
  if (rule) return rule.refundable ? "refundable" : rule.reason;
  if (limitedTime) return "limited_time";
  return durationDays !== null && durationDays < REFUNDABLE_FROM_DAYS ? "short_pass" : "refundable";
}

/** The decision about a pass that is not paid yet. */
export const refundBeforePayment = (
  pass: Pick<RefundFacts, "durationDays" | "paidCents" | "limitedTime" | "preOrder">,
  now: Date,
): RefundDecision => refundDecision({ ...pass, paidAt: null, redemption: "unknown" }, now);

/** The part of the rule that is copied to an order line at purchase, so that later changes do not affect it. */
export type RefundRule = { days: number; refundable: boolean; reason: RefundReason };

/** The redemption of one code, and whether it may have been seen (`shown`). */
export type CodeRedemption = { redemption: Redemption; shown: boolean };

/**
 * The redemption of a line, by all codes that serve or served its units: redeemed if one code is, unknown if one shown
 * code may be.
 */
export function lineRedemption(codes: readonly CodeRedemption[]): Redemption {
  if (codes.some((code) => code.redemption === "redeemed")) return "redeemed";
  return codes.some((code) => code.redemption === "unknown" && code.shown) ? "unknown" : "unredeemed";
}

/** The decision as the API shows it, with the statutory right beside it. */
export function toRefundView(decision: RefundDecision, right: RightView | null): RefundView {
  return {
    refundable: decision.refundable,
    amount: decision.amountCents / 100,
    until: decision.until?.toISOString() ?? null,
    reason: decision.reason,
    days: REFUND_DAYS,
    right,
  };
}

/** What a pass says before it is ordered: the country of the order, and so the statutory right, is not known yet. */
export function toOfferView(pass: Parameters<typeof refundBeforePayment>[0], now: Date): RefundView {
  const right = { state: "by_country", amount: pass.paidCents / 100, until: null } as const;
  return toRefundView(refundBeforePayment(pass, now), pass.paidCents === 0 ? null : right);
}

/**
 * The vendor's time to confirm whether a code was used; then the request is approved (docs/product.md#81-refunds).
 */
export const VENDOR_CONFIRMATION_HOURS = 48;
/** Hours before that at which a merchant who has not answered is reminded. */
export const VENDOR_REMINDER_HOURS = 24;
