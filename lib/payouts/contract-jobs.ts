import { z } from "zod";

const Run = z.object({ runId: z.string() });
/** Writes the payouts of a run. */
export const FillRun = { name: "fill-payout-run", schema: Run };
/** Asks the payment provider for the transfers of all payouts that were sent and have none. */
export const SendTransfers = { name: "send-payout-transfers", schema: z.object({}) };
/** Reads the state of a merchant's account at the payment provider. */
export const RefreshProviderAccount = {
  name: "refresh-provider-account",
  schema: z.object({ accountId: z.string(), eventId: z.string().optional() }),
};
/** Sends the payouts of an approved run. */
export const SendRun = { name: "send-payout-run", schema: Run };
