import { z } from "zod";
import {
  ACCOUNT_SCHEMES,
  LEAST_MINIMUM_CENTS,
  MAXIMUM_THRESHOLD_CENTS,
  PAYOUT_METHODS,
  PROVIDER_ACCOUNT_STATES,
} from "@/lib/payouts/rules";
import { Instant } from "@/lib/platform/api/fields";
import { isWholeCents } from "@/lib/platform/money";

/** An account of a merchant, as everyone sees it: never its number. */
export const PayoutAccountView = z.object({
  account_id: z.string(),
  scheme: z.enum(ACCOUNT_SCHEMES),
  /** ISO code of the bank's country */
  country: z.string(),
  last_four: z.string(),
  /** an address; null: a person who is gone */
  set_by: z.string().nullable(),
  set_at: Instant,
  counts_from: Instant,
});
export type PayoutAccountView = z.output<typeof PayoutAccountView>;

/** GET /merchant/money/account. While `waiting` is there nothing is paid. */
export const PayoutAccounts = z.object({
  current: PayoutAccountView.nullable(),
  waiting: PayoutAccountView.nullable(),
  /** how a new account is given: by its numbers, or at the payment provider, by the country of the trader file */
  method: z.enum(PAYOUT_METHODS),
  /** the merchant's account at the payment provider; null: none, or closed */
  provider: z
    .object({
      state: z.enum(PROVIDER_ACCOUNT_STATES),
      /** what the provider still asks for, in its words */
      requirements: z.array(z.string()),
    })
    .nullable(),
});
export type PayoutAccounts = z.output<typeof PayoutAccounts>;

const shortText = (max: number) => z.string().trim().min(1).max(max);

/** POST /merchant/money/account: an IBAN, or the bank's and the account's number with the bank's country. */
export const PayoutAccountInput = z.discriminatedUnion("scheme", [
  z.object({
    scheme: z.literal("iban"),
    holder: shortText(70).meta({ example: "Kettle Row Software Ltd" }),
    iban: shortText(50).meta({ example: "DE89 3704 0044 0532 0130 00" }),
  }),
  z.object({
    scheme: z.literal("routing"),
    holder: shortText(70),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .meta({ example: "US" }),
    /** US: ABA routing number; JP: bank and branch; CN: CNAPS code; elsewhere the bank's BIC */
    bank: shortText(20).meta({ example: "021000021" }),
    account: shortText(40).meta({ example: "000123456789" }),
  }),
]);
export type PayoutAccountInput = z.output<typeof PayoutAccountInput>;

/** POST /merchant/money/connect: the provider's page for the merchant's details; it works once, for some minutes. */
export const ProviderLink = z.object({ url: z.url() });

/** POST /merchant/money/account/cancel */
export const CancelAccountInput = z.object({ account_id: z.string().min(1).max(64) });

/** POST /merchant/money/terms */
export const PayoutTermsInput = z.object({
  /** ISO number of the day of the week, from Monday */
  weekday: z.int().min(1).max(7),
  /** in USD */
  threshold: z
    .number()
    .min(LEAST_MINIMUM_CENTS / 100)
    .max(MAXIMUM_THRESHOLD_CENTS / 100)
    .refine(isWholeCents),
});
export type PayoutTermsInput = z.output<typeof PayoutTermsInput>;
export const PayoutTermsView = z.object({ weekday: z.int(), threshold: z.number() });
