import { z } from "zod";
import type { NoteView } from "@/lib/orders/console/contract-detail";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";

/** GET /admin/disputes: open ones, the next to be due first; closed ones with the newest first. */
export const ConsoleDisputesInput = z.object({
  cursor: Cursor,
  state: z.enum(["open", "closed"]).default("open"),
});
export type ConsoleDisputesInput = z.output<typeof ConsoleDisputesInput>;

export const ConsoleDispute = z.object({
  /** the provider's id */
  dispute_id: z.string(),
  amount: Usd,
  /** in the provider's words: `fraudulent`, `product_not_received` … */
  reason: z.string(),
  /** the provider's status: `needs_response`, `under_review`, `won`, `lost` … */
  status: z.string(),
  is_open: z.boolean(),
  /** until when the bank takes evidence; null: the provider names no day */
  evidence_due_at: Instant.nullable(),
  created_at: Instant,
  closed_at: Instant.nullable(),
  /** the provider's id of the disputed payment */
  transaction_id: z.string(),
  order_id: z.string(),
  order_number: z.string(),
  order_status: z.enum(ORDER_STATUSES),
  customer_id: z.string(),
  email: z.string(),
});
export type ConsoleDispute = z.output<typeof ConsoleDispute>;
export const ConsoleDisputeList = listOf(ConsoleDispute);
export type ConsoleDisputeList = z.output<typeof ConsoleDisputeList>;

/** A dispute with the notes about its order. */
export type ConsoleDisputeDetail = ConsoleDispute & { notes: NoteView[] };

/** GET /admin/disputes/{id}/evidence */
export const DisputeParams = z.object({ id: z.string().trim().min(1).max(100) });
