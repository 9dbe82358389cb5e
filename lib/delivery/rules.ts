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
export function normalizeKey(text: string): string {
  return text.normalize("NFKC").replace(/\s+/gu, "").toUpperCase();
}

/** A pass that was said to have begun may be said otherwise for this long: a wrong date, the wrong pass. */
export const ACTIVATION_MINUTES = 60;

/** A pass of so many days is announced so many days before it ends, the longest first. */
export const REMIND_BEFORE: readonly { fromDays: number; days: number }[] = [
  { fromDays: 30, days: 3 },
  { fromDays: 7, days: 1 },
];
/** A code that nobody has seen is announced so many days before it must be redeemed. */
export const REMIND_REDEEM_DAYS = 7;

/** What a reminder is about. */
export const REMINDERS = ["ends", "redeem_by"] as const;
export type Reminder = (typeof REMINDERS)[number];

/** How the code of a pass came to its owner. */
export const REVEAL_WAYS = ["shown", "mailed"] as const;

export const REPLACEMENT_REASON_MAX = 1000;

const DAY_MS = 86_400_000;

/** When a pass ends: so many days after it began, or was first shown. Null before that, and for lifetime. */
export function passEnd(begun: string | Date | null, durationDays: number | null): Date | null {
  return begun && durationDays !== null ? new Date(new Date(begun).getTime() + durationDays * DAY_MS) : null;
}

/** Who revealed a code, as custody keeps it: the user's id, and the device behind a space. */
export const encodeRevealActor = (userId: string, device: string | undefined) =>
  device ? `${userId} ${device}` : userId;

/** The device of a `revealActor`; null when none was known. */
export const deviceFromActor = (actor: string) => /^\S+ (.+)$/s.exec(actor)?.[1] ?? null;
