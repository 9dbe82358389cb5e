import type { KeyEvent, KeyState } from "@/lib/delivery/rules";

/** A custody event as it is sealed. */
export type CustodyEvent = {
  id: number;
  event: KeyEvent;
  orderLineId: string | null;
  actor: string;
  /** ISO 8601 in UTC to the microsecond, as the database has it: a JavaScript Date would drop digits. */
  at: string;
};

/** An event that waits longer than this for its seal is a fault of the worker, or of somebody. */
export const SEALED_WITHIN_MINUTES = 15;

/**
 * What is hashed into a seal: the seal before it (the key's id before the first), its place, and the event. JSON of an
 * array keeps the fields apart, whatever is in them.
 */
export const canonicalEvent = (
  keyId: string,
  position: number,
  previous: string,
  { id, event, orderLineId, actor, at }: CustodyEvent,
): string => JSON.stringify([previous, keyId, position, id, event, orderLineId, actor, at]);

/** Where each event leads; a mail that was under way may be recorded after the key was locked. */
const STEPS: Record<KeyState | "none", Partial<Record<KeyEvent, KeyState>>> = {
  none: { imported: "available" },
  available: { reserved: "reserved", revoked: "revoked" },
  reserved: { released: "available", assigned: "assigned" },
  assigned: {
    mailed: "assigned",
    revealed: "assigned",
    activated: "assigned",
    quarantined: "quarantined",
    revoked: "revoked",
  },
  quarantined: { mailed: "quarantined", revoked: "revoked" },
  revoked: { mailed: "revoked" },
};

/** What a life of a key leads to, and the first event that cannot follow what was before it. */
export function custodyState(events: readonly Pick<CustodyEvent, "id" | "event">[]): {
  state: KeyState | "none";
  illegal?: { id: number; event: KeyEvent; after: KeyState | "none" };
} {
  let state: KeyState | "none" = "none";
  for (const { id, event } of events) {
    if (event === "resealed" && state !== "none") continue;
    const next: KeyState | undefined = STEPS[state][event];
    if (!next) return { state, illegal: { id, event, after: state } };
    state = next;
  }
  return { state };
}
