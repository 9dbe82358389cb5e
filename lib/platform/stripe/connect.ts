import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { z } from "zod";
import { callStripe } from "./call";
import { readPages } from "./lists";

/** The state of `configuration.recipient.capabilities.stripe_balance.stripe_transfers` by which transfers are allowed. */
const STATES = {
  active: "active",
  pending: "pending",
  restricted: "restricted",
  rejected: "closed",
  unsupported: "restricted",
} as const;

/** A connected account (Accounts v2), as far as the shop reads it. */
export const ConnectedAccountView = z
  .object({
    id: z.string().startsWith("acct_"),
    object: z.literal("v2.core.account"),
    closed: z.boolean().nullish(),
    livemode: z.boolean(),
    metadata: z.record(z.string(), z.string()).nullish(),
    identity: z.object({ country: z.string().nullish() }).nullish(),
    configuration: z
      .object({
        recipient: z
          .object({
            capabilities: z
              .object({
                stripe_balance: z
                  .object({ stripe_transfers: z.object({ status: z.string() }).nullish() })
                  .nullish(),
              })
              .nullish(),
          })
          .nullish(),
      })
      .nullish(),
    requirements: z
      .object({ entries: z.array(z.object({ description: z.string().max(200) })).nullish() })
      .nullish(),
  })
  .transform((account) => {
    const status = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status;
    return {
      id: account.id,
      state: account.closed
        ? ("closed" as const)
        : (Object.entries(STATES).find(([name]) => name === status)?.[1] ?? ("pending" as const)),
      requirements: (account.requirements?.entries ?? []).map(({ description }) => description),
      country: account.identity?.country?.toUpperCase() ?? null,
      livemode: account.livemode,
    };
  });
export type ConnectedAccountView = z.output<typeof ConnectedAccountView>;

const AccountLinkView = z.object({ account: z.string(), url: z.url(), livemode: z.boolean() });

export const TransferView = z
  .object({
    id: z.string().startsWith("tr_"),
    object: z.literal("transfer"),
    amount: z.int(),
    amount_reversed: z.int(),
    currency: z.literal("usd"),
    destination: z.string().nullable(),
    transfer_group: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    created: z.int(),
    livemode: z.boolean(),
  })
  .transform((transfer) => ({
    id: transfer.id,
    cents: transfer.amount,
    reversedCents: transfer.amount_reversed,
    destination: transfer.destination,
    group: transfer.transfer_group,
    /** the key of the attempt, which the shop sets */
    key: transfer.metadata.payout_key ?? null,
    livemode: transfer.livemode,
  }));
export type TransferView = z.output<typeof TransferView>;

const ReversalView = z
  .object({ id: z.string().startsWith("trr_"), transfer: z.string(), amount: z.int() })
  .transform(({ id, transfer, amount }) => ({ id, transferId: transfer, cents: amount }));

/** A payout of the shop's own balance to its bank. */
const ProviderPayoutView = z
  .object({
    id: z.string().startsWith("po_"),
    object: z.literal("payout"),
    amount: z.int(),
    currency: z.string(),
    status: z.enum(["paid", "pending", "in_transit", "canceled", "failed"]),
    livemode: z.boolean(),
  })
  .transform(({ id, amount, currency, status, livemode }) => ({
    id,
    cents: amount,
    currency,
    status,
    livemode,
  }));
export type ProviderPayoutView = z.output<typeof ProviderPayoutView>;

const Amounts = z.array(z.object({ amount: z.int(), currency: z.string() }));
const BalanceView = z
  .object({ object: z.literal("balance"), available: Amounts, pending: Amounts, livemode: z.boolean() })
  .transform(({ available, pending, livemode }) => {
    const usd = (amounts: z.output<typeof Amounts>) =>
      amounts.filter(({ currency }) => currency === "usd").reduce((sum, { amount }) => sum + amount, 0);
    return { availableCents: usd(available), pendingCents: usd(pending), livemode };
  });
const BalanceSettingsView = z.object({ object: z.literal("balance_settings") });

const NO_RETRIES = { maxNetworkRetries: 0 };
const INCLUDE = ["configuration.recipient", "identity", "requirements"] as const;

type NewAccount = {
  merchantId: string;
  name: string;
  email: string;
  country: string;
  idempotencyKey: string;
};
type NewTransfer = { key: string; idempotencyKey: string; accountId: string; cents: number; group: string };

/**
 * The calls about merchants' accounts and transfers to them: Accounts v2, separate charges and transfers. Never make them inside a
 * transaction.
 */
export const connectCalls = (stripe: Stripe) => ({
  /** The shop bears fees and losses; the account can do nothing but receive. The same key returns the same account again. */
  createAccount({ merchantId, name, email, country, idempotencyKey }: NewAccount) {
    const account = {
      display_name: name,
      contact_email: email,
      dashboard: "express",
      identity: { country: country.toLowerCase() },
      defaults: { responsibilities: { fees_collector: "application", losses_collector: "application" } },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
      metadata: { merchant_id: merchantId },
      include: [...INCLUDE],
    } satisfies Stripe.V2.Core.AccountCreateParams;
    const create = () => stripe.v2.core.accounts.create(account, { idempotencyKey });
    return callStripe("create_account", ConnectedAccountView, create, {});
  },

  /** @throws ProviderError unknown_object */
  retrieveAccount: (id: string) =>
    callStripe(
      "retrieve_account",
      ConnectedAccountView,
      () => stripe.v2.core.accounts.retrieve(id, { include: [...INCLUDE] }),
      { id },
    ),

  /** The address at which the merchant gives its details to the provider; it works once and for a short time. */
  async createAccountLink(
    account: string,
    { returnUrl, refreshUrl }: { returnUrl: string; refreshUrl: string },
  ) {
    const link = {
      account,
      use_case: {
        type: "account_onboarding",
        account_onboarding: { return_url: returnUrl, refresh_url: refreshUrl },
      },
    } satisfies Stripe.V2.Core.AccountLinkCreateParams;
    const create = () => stripe.v2.core.accountLinks.create(link);
    return callStripe("create_account_link", AccountLinkView, create, { account });
  },

  /**
   * Moves money of the shop's balance to an account. The same idempotency key returns the same transfer again; the client does not retry.
   * @throws ProviderError `refused`: `balance_insufficient`, or the account cannot receive
   */
  createTransfer({ key, idempotencyKey, accountId, cents, group }: NewTransfer) {
    const transfer = {
      amount: cents,
      currency: "usd",
      destination: accountId,
      transfer_group: group,
      metadata: { payout_key: key },
    };
    const create = () => stripe.transfers.create(transfer, { idempotencyKey, ...NO_RETRIES });
    return callStripe("create_transfer", TransferView, create, { key, cents, destination: accountId });
  },

  /** Takes a whole transfer back. @throws ProviderError `refused`: it is back already, or the account no longer has the money */
  reverseTransfer: (id: string, cents: number) =>
    callStripe(
      "reverse_transfer",
      ReversalView,
      () =>
        stripe.transfers.createReversal(
          id,
          { amount: cents },
          { idempotencyKey: `reverse:${randomUUID()}`, ...NO_RETRIES },
        ),
      { transferId: id, cents },
    ),

  retrieveTransfer: (id: string) =>
    callStripe("retrieve_transfer", TransferView, () => stripe.transfers.retrieve(id), { id }),

  /** All transfers of a group, which is a payout run. */
  transfersOfGroup: (group: string) =>
    readPages("list_transfers", TransferView, (page) =>
      stripe.transfers.list({ transfer_group: group, ...page }),
    ),
  transfersSince: (date: Date) =>
    readPages("list_transfers", TransferView, (page) =>
      stripe.transfers.list({ created: { gte: Math.floor(date.getTime() / 1000) }, ...page }),
    ),
  payoutsSince: (date: Date) =>
    readPages("list_payouts", ProviderPayoutView, (page) =>
      stripe.payouts.list({ created: { gte: Math.floor(date.getTime() / 1000) }, ...page }),
    ),

  balance: () => callStripe("retrieve_balance", BalanceView, () => stripe.balance.retrieve(), {}),
  /** Sets the minimum that the provider leaves on the balance when it pays out to the shop's bank. */
  keepBalance: (cents: number) =>
    callStripe(
      "keep_balance",
      BalanceSettingsView,
      () =>
        stripe.balanceSettings.update({
          payments: { payouts: { minimum_balance_by_currency: { usd: cents } } },
        }),
      {},
    ),
});
export type ConnectProvider = ReturnType<typeof connectCalls>;
