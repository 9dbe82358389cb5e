const DAY_MS = 86_400_000;
/** Passes up to this many days have a hole a day, or an hour of a single day; longer ones have one a week or a month. */
const DAYS_MAX = 31;
const WEEKS_MAX = 90;
const MONTHS_MAX = 36;

/**
 * The states of a ticket, each with its own shape (docs/product.md#12-look): unused, its code mailed without a known
 * start, running, ended, refunded, not delivered yet, and an unclaimed gift.
 */
export const TICKET_STATES = ["whole", "mailed", "torn", "ended", "refunded", "waiting", "gift"] as const;
export type TicketState = (typeof TICKET_STATES)[number];

/** The holes of a ticket's perforation (docs/product.md#12-look). */
export type Perforation = {
  /** Holes: one for each unit of time; null: a lifetime pass, which has one ∞ cut. */
  units: number | null;
  /** Units that have passed. */
  spent: number;
  /** The index of the unit that runs now; null: not started, or ended. */
  present: number | null;
};

/** The ∞ cut of a lifetime pass, as a path in a box of 44 by 24. */
export const LIFETIME_CUT =
  "M22 12C17 4.5 13.5 2.5 10.5 2.5a9.5 9.5 0 0 0 0 19c3 0 6.5-2 11.5-9.5s8.5-9.5 11.5-9.5a9.5 9.5 0 0 1 0 19c-3 0-6.5-2-11.5-9.5Z";

type Time = string | Date | null;

/** How many units of time a pass of so many days has: 1 → 24 hours, 7 → 7 days, 365 → 12 months; null for lifetime. */
export function ticketUnits(durationDays: number | null): number | null {
  if (durationDays === null) return null;
  if (durationDays === 1) return 24;
  if (durationDays <= DAYS_MAX) return durationDays;
  if (durationDays < WEEKS_MAX) return Math.round(durationDays / 7);
  return Math.min(MONTHS_MAX, Math.round((durationDays * 12) / 365));
}

/**
 * The perforation of a pass at a time. `start` and `end` of its time are null before it has begun; without a start it is the
 * end less the duration. Pure: the caller passes the time.
 */
export function perforation(
  { durationDays, start, end }: { durationDays: number | null; start?: Time; end: Time },
  now: Time & (string | Date),
): Perforation {
  const units = ticketUnits(durationDays);
  if (units === null || durationDays === null || end === null) return { units, spent: 0, present: null };
  const endMs = new Date(end).getTime();
  const startMs = start ? new Date(start).getTime() : endMs - durationDays * DAY_MS;
  const elapsed = new Date(now).getTime() - startMs;
  if (elapsed >= endMs - startMs) return { units, spent: units, present: null };
  const spent = Math.max(0, Math.floor((elapsed * units) / (endMs - startMs)));
  return { units, spent, present: spent };
}

/** What a unit of a pass is called: the n-th hour, day, week or month. */
export function ticketUnit(durationDays: number): "hour" | "day" | "week" | "month" {
  if (durationDays === 1) return "hour";
  if (durationDays <= DAYS_MAX) return "day";
  return durationDays < WEEKS_MAX ? "week" : "month";
}
