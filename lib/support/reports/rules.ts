import type { Permission } from "@/lib/platform/auth/permissions";

/** What can be reported. */
export const REPORT_KINDS = ["product", "review", "seller"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const REPORT_REASONS = [
  "illegal",
  "misleading",
  "rights",
  "unsafe",
  "personal_data",
  "abusive",
  "other",
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** `restricted`: the reported thing was hidden or taken off the shop. */
export const REPORT_OUTCOMES = ["restricted", "kept"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

/**
 * What a decision took off the shop. `mark`: the product's revision, or the time of the review's or seller's state,
 * which any later change replaces. `before`: the seller's previous state.
 */
export type Restriction = { mark: string; before?: string };

/** The permission to take something off the shop or put it back, besides the one to decide about reports. */
export const RESTRICT_RIGHTS = {
  product: "products.write",
  review: "reports.decide",
  seller: "merchants.decide",
} as const satisfies Record<ReportKind, Permission>;

/** Who may object to a decision: the reporter, and the owner of the product, shop or review. */
export const REPORT_PARTIES = ["reporter", "affected"] as const;
export type ReportParty = (typeof REPORT_PARTIES)[number];

export const APPEAL_OUTCOMES = ["upheld", "reversed"] as const;
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number];

export type StandingDecision = {
  outcome: ReportOutcome;
  statement: string | null;
  /** ISO 8601, as the objections' times */
  decidedAt: string;
};
export type DecidedAppeal = {
  outcome: AppealOutcome | null;
  statement: string | null;
  /** when it was made, and decided */
  at: string;
  decidedAt: string | null;
};

const opposite = (outcome: ReportOutcome): ReportOutcome => (outcome === "kept" ? "restricted" : "kept");

/** What an objection made at a time asks for, while a decision stands: it is about the one that stood then. */
export const wantedOutcome = (standing: StandingDecision, at: string): ReportOutcome =>
  Date.parse(at) < Date.parse(standing.decidedAt) ? standing.outcome : opposite(standing.outcome);

/** The decision that stands: the first, or that of the last objection that reversed it. `appeals`: by the time of decision. */
export function standingDecision(
  first: StandingDecision,
  appeals: readonly DecidedAppeal[],
): StandingDecision {
  let standing = first;
  for (const { outcome, statement, at, decidedAt } of appeals) {
    if (outcome !== "reversed" || !decidedAt) continue;
    const wanted = wantedOutcome(standing, at);
    if (wanted !== standing.outcome) standing = { outcome: wanted, statement, decidedAt };
  }
  return standing;
}

/** Parts of the list for staff. */
export const REPORT_STATES = ["open", "appealed", "decided"] as const;

export const MAX_REPORT = 2000;
export const MIN_REPORT = 10;
/** How many months after a decision the parties may object to it. */
export const APPEAL_MONTHS = 6;
/** Days for which a report is kept after that period, or after the decision about an objection. */
export const REPORT_DAYS = 90;
