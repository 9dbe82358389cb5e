import { z } from "zod";
import { PreviewInput } from "@/lib/staff/preview/contract";

/** POST /admin/keys/batches/{id}/withdraw */
export const WithdrawBatchInput = PreviewInput.extend({
  /** of the request for another code that shows that the batch is bad */
  request_id: z.string().min(1).max(64).optional(),
});
export type WithdrawBatchInput = z.output<typeof WithdrawBatchInput>;
