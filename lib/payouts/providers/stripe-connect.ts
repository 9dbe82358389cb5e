import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { connectProvider } from "@/lib/platform/stripe/provider";
import type { PayoutProvider } from "./provider";

/** The payment provider: one transfer a payout from the shop's balance (separate charges and transfers, Accounts v2). */
export const stripeConnect: PayoutProvider = {
  method: "stripe_connect",
  createAccount: ({ merchantId, closed, ...input }) => {
    const idempotencyKey = closed > 0 ? `account:${merchantId}:${closed}` : `account:${merchantId}`;
    return connectProvider().createAccount({ merchantId, ...input, idempotencyKey });
  },
  accountLink: async (id, back) => (await connectProvider().createAccountLink(id, back)).url,
  accountState: (id) => connectProvider().retrieveAccount(id),
  async send({ key, run, account, cents, refusals }) {
    try {
      const transfer = { key, accountId: account, cents, group: run };
      const idempotencyKey = refusals > 0 ? `${key}:${refusals}` : key;
      const { id } = await connectProvider().createTransfer({ ...transfer, idempotencyKey });
      return { result: "sent", transferId: id };
    } catch (error) {
      if (!isProviderError(error)) throw error;
      if (error.code === "balance_insufficient") return { result: "lacks_funds" };
      if (error.kind === "refused" || error.kind === "unknown_object")
        return { result: "refused", reason: error.message.slice(0, 500) };
      log.warn({ err: error, key }, "a transfer was not answered and is tried again");
      return { result: "unknown" };
    }
  },
  async find({ key, run }) {
    for await (const transfer of connectProvider().transfersOfGroup(run))
      if (transfer.key === key) return transfer.id;
    return null;
  },
  async reverse({ transferId, cents }) {
    try {
      await connectProvider().reverseTransfer(transferId, cents);
      return "done";
    } catch (error) {
      if (!isProviderError(error, "refused")) throw error;
      // Also when an earlier answer was lost.
      const { reversedCents } = await connectProvider().retrieveTransfer(transferId);
      return reversedCents === cents ? "done" : "empty";
    }
  },
};
