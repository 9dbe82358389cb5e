import type { ConsoleMail } from "@/lib/notifications/console/contract";
import type { NoteView, TimelineEntry } from "@/lib/orders/console/contract-detail";
import type { KeptCodes } from "@/lib/orders/console/rules";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import {
  type Dispute,
  type Event,
  MAX_TIMELINE,
  type Payment,
  type PaymentReview,
  type Refund,
  type StaffEvent,
  type Warning,
} from "./read-order-parts";

type Parts = {
  payments: Payment[];
  refunds: Refund[];
  disputes: Dispute[];
  warnings: readonly Warning[];
  reviews: readonly PaymentReview[];
  mails: ConsoleMail[];
  notes: NoteView[];
  events: readonly Event[];
  staffEvents: readonly StaffEvent[];
  kept: KeptCodes | null;
};

/** One list of all that happened, the oldest first. */
export function toTimeline({
  payments,
  refunds,
  disputes,
  warnings,
  reviews,
  mails,
  notes,
  events,
  staffEvents,
  kept,
}: Parts): TimelineEntry[] {
  const entry = (
    at: string,
    kind: TimelineEntry["kind"],
    event: string,
    detail: string | null = null,
    actor: string | null = null,
    device: string | null = null,
  ): TimelineEntry => ({ at: instant(at), kind, event, detail, actor, device });
  const usd = (cents: number) => `US$${toDecimal(cents).toFixed(2)}`;
  const entries = [
    ...events.map(({ id, event, detail, actor, device, at }) =>
      entry(
        at,
        id as TimelineEntry["kind"],
        event,
        id === "order" && event === "assigned" ? kept : detail,
        actor,
        device,
      ),
    ),
    ...payments.flatMap(({ created_at, updated_at, state, cents, transaction_id, last_error }) => [
      entry(created_at, "payment", "opened", [usd(cents), transaction_id].filter(Boolean).join(" · ")),
      ...(state === "succeeded" || state === "canceled" ? [entry(updated_at, "payment", state)] : []),
      ...(last_error && state !== "succeeded" ? [entry(updated_at, "payment", "failed", last_error)] : []),
    ]),
    ...refunds.flatMap(({ created_at, updated_at, state, cents, reason }) => [
      entry(created_at, "refund", "created", `${usd(cents)} · ${reason}`),
      ...(state === "pending" ? [] : [entry(updated_at, "refund", state, usd(cents))]),
    ]),
    ...disputes.flatMap(({ created_at, closed_at, reason, status }) => [
      entry(created_at, "dispute", "opened", reason),
      ...(closed_at ? [entry(closed_at, "dispute", "closed", status)] : []),
    ]),
    ...warnings.flatMap(({ created_at, decided_at, fraud_type, state }) => [
      entry(created_at, "warning", "received", fraud_type),
      ...(decided_at ? [entry(decided_at, "warning", state)] : []),
    ]),
    ...reviews.flatMap(({ created_at, closed_at, reason, closed_reason }) => [
      entry(created_at, "review", "opened", reason),
      ...(closed_at ? [entry(closed_at, "review", "closed", closed_reason)] : []),
    ]),
    ...mails.flatMap(({ created_at, sent_at, state, event, codes, to_address }) => {
      const about = codes === null || codes === "all" ? event : `${event}.${codes}`;
      return [
        entry(created_at, "email", "queued", about, to_address),
        ...(sent_at ? [entry(sent_at, "email", "sent", about, to_address)] : []),
        ...(state === "failed" || state === "dropped"
          ? [entry(created_at, "email", state, about, to_address)]
          : []),
      ];
    }),
    ...notes.map(({ created_at, text, written_by }) =>
      entry(created_at, "note", "written", text, written_by),
    ),
    // Oldest first, because entries of one transaction have one time.
    ...[...staffEvents].reverse().map(({ event, detail, actor, at, cents, reason, mail_event }) => {
      const parts = [cents === null ? null : usd(cents), reason, mail_event, detail].filter(Boolean);
      return entry(at, "staff", event, parts.length > 0 ? parts.join(" · ") : null, actor);
    }),
  ];
  return entries.sort((a, b) => a.at.localeCompare(b.at)).slice(-MAX_TIMELINE);
}
