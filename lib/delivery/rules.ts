/** Life of one activation code: it only ever moves right (reserved may fall back to available, unsold). */
export const KEY_STATES = ["available", "reserved", "assigned", "quarantined", "revoked"] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** Custody events, append-only per key. */
export const KEY_EVENTS = [
  "imported",
  "reserved",
  "released",
  "assigned",
  "mailed",
  "revealed",
  "quarantined",
  "revoked",
  "activated",
  "resealed",
] as const;
export type KeyEvent = (typeof KEY_EVENTS)[number];

/** What becomes of a wish for another code. */
export const REPLACEMENT_STATES = ["asked", "approved", "refused"] as const;
export type ReplacementState = (typeof REPLACEMENT_STATES)[number];

/** How an unrevealed code is drawn. Nothing of the code itself is kept in clear, so nothing of it can be shown. */
export const MASKED_CODE = "•••• •••• ••••";

/** A paid line that waits for stock is refunded by itself after this long (pre-orders: after their release). */
export const STOCK_DEADLINE_HOURS = 72;

/** One code, one spelling: case, width and spacing do not make another code. */
export function normalizedKey(text: string): string {
  return text.normalize("NFKC").replace(/\s+/gu, "").toUpperCase();
}
