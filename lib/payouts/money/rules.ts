/** Why a part of a merchant's balance is not available yet, the strongest reason first. */
export const HOLD_REASONS = ["dispute", "warning", "request", "replacement", "window", "reserve"] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/**
 * What an entry of a merchant's account stands for: a sale, what came back of one, what was corrected upwards, a payout, one
 * that did not arrive, or a debt that the shop wrote off.
 */
export const ENTRY_KINDS = ["sale", "return", "correction", "payout", "payout_back", "write_off"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What a statement says was held: the cents of so many sales, why, and until which moment; null: until somebody has decided. */
export type StatedHold = { reason: HoldReason; until: string | null; cents: number; sales: number };

/** Of the newest sales of a merchant that is new here, this part is held for so many days, in hundredths of a per cent. */
export const RESERVE_BPS = 1_000;
export const RESERVE_DAYS = 60;
