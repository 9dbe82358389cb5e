import { type Consent, deviceFromActor, type KeyEvent, type REPLACEMENT_STATES } from "@/lib/delivery/rules";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import type { ConsoleDispute } from "@/lib/orders/console/contract-disputes";
import type { RefundRule } from "@/lib/payments/refunds/rules";

/** A consent to immediate delivery, by the checkout or by showing a code. */
export type EvidenceConsent = {
  line_id: string;
  /** the code that was shown; null: given with the payment, for all codes of the line */
  key_id: string | null;
  at: string;
  consent: Consent | null;
};

/** An event of the custody of a code. */
export type EvidenceEvent = {
  key_id: string;
  event: KeyEvent;
  actor: string;
  at: string;
  position: number | null;
  hash: string | null;
};

/** What the evidence for a dispute is written from. It contains no code. */
export type EvidenceFacts = {
  dispute: ConsoleDispute;
  order: ConsoleOrderDetail;
  buyer: {
    since: string;
    verified_at: string | null;
    /** when the terms were accepted, at registration */
    accepted_at: string | null;
    billed_to: string[];
    time_zone: string | null;
  };
  rules: {
    line_id: string;
    rule: RefundRule;
    total_cents: number;
    immediate: boolean | null;
    in_library: boolean;
  }[];
  consents: EvidenceConsent[];
  events: EvidenceEvent[];
  /** what the buyer requested, and staff for the buyer */
  requests: {
    kind: "refund" | "replacement" | "withdrawal";
    at: string;
    by_staff: boolean;
    state: (typeof REPLACEMENT_STATES)[number] | null;
    /** the buyer's words, with codes masked; those of staff are internal */
    words: string | null;
  }[];
  /** `deleted`: the buyer's account was erased */
  people: { buyer_id: string; claimer_id: string | null };
};

/** Times in the document are in UTC, to the second. */
export const evidenceTime = (at: string): string =>
  `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

export const EVIDENCE_ACTORS = ["buyer", "recipient", "shop", "staff"] as const;

/** Who acted on a code, and on which device. Staff and jobs are not named. */
export function evidenceActor(
  actor: string,
  { buyer_id, claimer_id }: EvidenceFacts["people"],
): { who: (typeof EVIDENCE_ACTORS)[number]; device: string | null } {
  const [id = ""] = actor.split(" ", 1);
  const device = deviceFromActor(actor);
  if (id === buyer_id) return { who: "buyer", device };
  if (claimer_id !== null && id === claimer_id) return { who: "recipient", device };
  return { who: id.startsWith("usr_") || id.startsWith("staff:") ? "staff" : "shop", device: null };
}
