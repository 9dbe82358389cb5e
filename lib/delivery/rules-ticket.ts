import type { TicketState } from "@/lib/platform/ticket";

export type TicketFacts = {
  /** A code is assigned. */
  delivered: boolean;
  /** The code was shown or mailed. */
  seen: boolean;
  revealedAt: string | null;
  activatedAt: string | null;
  /** Null before the start, and for lifetime passes. */
  endsAt: string | null;
  refunded: boolean;
  /** Given to someone, or received. */
  gift: boolean;
};

/** The state of a pass's ticket at a time. Pure: the caller passes the time. */
export function ticketState(facts: TicketFacts, now: string | Date): TicketState {
  if (facts.refunded) return "refunded";
  const started = facts.revealedAt !== null || facts.activatedAt !== null;
  if (started && facts.endsAt !== null && Date.parse(facts.endsAt) <= new Date(now).getTime()) return "ended";
  if (started) return "torn";
  if (facts.gift) return "gift";
  if (!facts.delivered) return "waiting";
  return facts.seen ? "mailed" : "whole";
}

/** A refunded pass stays in the Library this long. */
export const REFUNDED_SHOWN_HOURS = 24;

type LibraryFacts = {
  seen: boolean;
  revealed_at: string | null;
  activated_at: string | null;
  ends_at: string | null;
  gift_claimed_at?: string | null;
};

/** The state of a delivered pass of the Library or of an order, at a time. */
export const passState = (pass: LibraryFacts, now: string | Date): TicketState =>
  ticketState(
    {
      delivered: true,
      seen: pass.seen,
      revealedAt: pass.revealed_at,
      activatedAt: pass.activated_at,
      endsAt: pass.ends_at,
      refunded: false,
      gift: (pass.gift_claimed_at ?? null) !== null,
    },
    now,
  );
