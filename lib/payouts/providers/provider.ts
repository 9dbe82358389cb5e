import type { PayoutMethod, ProviderAccountState } from "@/lib/payouts/rules";

export type ProviderAccount = { id: string; state: ProviderAccountState; requirements: string[] };
/** `closed`: how many accounts of the merchant the provider has closed, so that the next one is another. */
export type NewProviderAccount = {
  merchantId: string;
  name: string;
  email: string;
  country: string;
  closed: number;
};
/** A payout as it is sent: `key` names it for ever, `run` groups it. */
export type Order = {
  key: string;
  run: string;
  account: string;
  cents: number;
  /** how often it lacked funds */
  refusals: number;
};

/**
 * `sent`: it has arrived. `queued`: people send it. `lacks_funds`: the shop's balance is too small, try later. `refused`: it will never be
 * sent. `unknown`: it may have been sent; ask again with the same key.
 */
export type Sent =
  | { result: "sent"; transferId: string }
  | { result: "queued" | "lacks_funds" | "unknown" }
  | { result: "refused"; reason: string };

/** One way of paying merchants (docs/product.md#1410-payouts). Never called within a transaction. */
export interface PayoutProvider {
  readonly method: PayoutMethod;
  /** An account that the merchant completes at the provider; null: its owner types the numbers in the shop. */
  createAccount(input: NewProviderAccount): Promise<ProviderAccount | null>;
  /** The provider's page for the merchant's details. */
  accountLink(id: string, back: { returnUrl: string; refreshUrl: string }): Promise<string | null>;
  accountState(id: string): Promise<ProviderAccount>;
  send(order: Order): Promise<Sent>;
  /** What was sent under a key; null: nothing. */
  find(order: Pick<Order, "key" | "run">): Promise<string | null>;
  /** Takes a transfer back; `empty`: the account does not have the money any more. */
  reverse(transfer: { transferId: string; cents: number }): Promise<"done" | "empty">;
}
