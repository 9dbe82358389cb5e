import { z } from "zod";

const Run = z.object({ runId: z.string() });
/** Writes the payouts of a run. */
export const FillRun = { name: "fill-payout-run", schema: Run };
/** Sends the payouts of an approved run. */
export const SendRun = { name: "send-payout-run", schema: Run };
