import { z } from "zod";
import { REFUND_REQUEST_STATES, REFUSERS } from "@/lib/payments/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { REFUND_REASONS } from "./rules";
import { RIGHT_STATES } from "./rules-withdrawal";

/** The statutory right of withdrawal from a pass (docs/product.md#82-withdrawal). */
export const RightView = z.object({
  /** `by_country`: before an order, where the reader's country is not known; `seen` and `over`: it has ended */
  state: z.enum(RIGHT_STATES),
  amount: Usd,
  /** a time on the last day that is promised; null before the payment */
  until: Instant.nullable(),
});
export type RightView = z.output<typeof RightView>;

/** The refund decision as screens, markup and the API show it. */
export const RefundView = z.object({
  refundable: z.boolean(),
  amount: Usd,
  until: Instant.nullable(),
  reason: z.enum(REFUND_REASONS),
  days: z.int(),
  /** null: the pass is free, or the order's country gives no such right */
  right: RightView.nullable(),
});
export type RefundView = z.output<typeof RefundView>;

/** What comes back of a pass before an order, as the texts of a sheet: the sentence, bars of `days` out of `all`, and notes. */
export const RefundSheet = z.object({
  title: z.string(),
  close: z.string(),
  sentence: z.string(),
  bars: z.array(z.object({ label: z.string(), text: z.string(), days: z.int() })),
  all: z.int(),
  /** below the bars: their first and their last day */
  first: z.string(),
  last: z.string(),
  notes: z.array(z.string()),
  policy: z.string(),
});
export type RefundSheet = z.output<typeof RefundSheet>;

export const RefundRequestState = z.object({
  state: z.enum(REFUND_REQUEST_STATES),
  asked_at: Instant,
  /** when it is approved without an answer; null once decided */
  answer_by: Instant.nullable(),
  /** a withdrawal that states this country, another than the order's: staff decide by `answer_by`; null: any other request */
  stated_country: z.string().nullable(),
  /** null: not refused */
  refused_by: z.enum(REFUSERS).nullable(),
  /** what the shop's staff wrote; null: the vendor refused, or nothing was written */
  refusal_reason: z.string().nullable(),
});
export type RefundRequestState = z.output<typeof RefundRequestState>;
