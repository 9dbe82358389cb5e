import type { PayoutProvider } from "./provider";

/** The shop's bank: payouts stand in a file, and finance says what became of them (lib/payouts/bank-files). */
export const manual: PayoutProvider = {
  method: "manual",
  createAccount: async () => null,
  accountLink: async () => null,
  accountState: async (id) => ({ id, state: "active", requirements: [] }),
  send: async () => ({ result: "queued" }),
  find: async () => null,
  // A bank sends money back, it is not taken.
  reverse: async () => "empty",
};
