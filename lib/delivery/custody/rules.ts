import type { KeyEvent, KeyState } from "@/lib/delivery/rules";

/** A custody event as it is sealed. */
export type CustodyEvent = {
  id: number;
  event: KeyEvent;
  orderLineId: string | null;
  actor: string;
  /** ISO 8601 in UTC to the microsecond; a JavaScript Date would lose digits. */
  at: string;
  /** of the import of a merchant's key: the file that brought it, and where its codes come from */
  origin: CustodyOrigin | null;
};

export type CustodyOrigin = { batchId: string; sha256: string; source: string; statement: string };

/** An event without a seal after this long indicates a failed worker or tampering. */
export const SEALED_WITHIN_MINUTES = 15;

/**
 * The input of a seal's hash: the previous seal (the key's id for the first), position and event. A JSON array
 * separates the fields. The import of a merchant's key is sealed together with its batch and its statement of source.
 */
export const canonicalEvent = (
  keyId: string,
  position: number,
  previous: string,
  { id, event, orderLineId, actor, at, origin }: CustodyEvent,
): string => {
  const facts = [previous, keyId, position, id, event, orderLineId, actor, at];
  // A key without a batch has the seals of the time before batches.
  if (!origin) return JSON.stringify(facts);
  const { batchId, sha256, source, statement } = origin;
  return JSON.stringify([...facts, batchId, sha256, source, statement]);
};

/** The state after each event. `mailed` may follow `quarantined` or `revoked`, because a running email job may end later. */
const STEPS: Record<KeyState | "none", Partial<Record<KeyEvent, KeyState>>> = {
  none: { imported: "available" },
  available: { reserved: "reserved", revoked: "revoked", withheld: "withheld", quarantined: "quarantined" },
  withheld: { restocked: "available", quarantined: "quarantined", revoked: "revoked" },
  reserved: { released: "available", assigned: "assigned", withheld: "withheld", quarantined: "quarantined" },
  assigned: {
    mailed: "assigned",
    revealed: "assigned",
    activated: "assigned",
    gift_sent: "assigned",
    gift_claimed: "assigned",
    gift_returned: "assigned",
    quarantined: "quarantined",
    revoked: "revoked",
    restocked: "available",
  },
  quarantined: { mailed: "quarantined", revoked: "revoked", unlocked: "assigned" },
  // Only what was withdrawn unsold goes back on sale, which the database checks (db/functions/check_key_state.sql).
  revoked: { mailed: "revoked", restocked: "available" },
};

/** The state that results from a key's events, and the first impossible event. */
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
