import { z } from "zod";
import { Instant, Usd } from "@/lib/wire";
import { REFUND_REASONS } from "./rules-refund";

/** The refund decision as screens, markup and the API show it. */
export const RefundView = z.object({
  refundable: z.boolean(),
  amount: Usd,
  until: Instant.nullable(),
  reason: z.enum(REFUND_REASONS),
  days: z.int(),
});
export type RefundView = z.output<typeof RefundView>;
