/** What the sandbox's labelled picker of cards offers, and the two answers to a bank's question. */
export const SANDBOX_CARDS = [
  "visa",
  "mastercard",
  "authentication",
  "declined",
  "approved",
  "refused",
] as const;
export type SandboxCard = (typeof SANDBOX_CARDS)[number];

/** Those of them that one picks; the others answer the bank. */
export const PICKED_CARDS = [
  "visa",
  "mastercard",
  "authentication",
  "declined",
] as const satisfies SandboxCard[];
export type PickedCard = (typeof PICKED_CARDS)[number];

/** A stranger's stolen numbers are tried out where cards are kept: so many asks an hour, two to a card. */
export const CARD_SETUPS_PER_HOUR = 30;
/** A page does not wait longer than this for the provider; its cards come afterwards then. */
export const CARDS_TIMEOUT_MS = 2500;

/** Names of brands, which are the same in every language; a brand that is not here is only called a card. */
const BRAND_NAMES: Readonly<Record<string, string>> = {
  amex: "American Express",
  diners: "Diners Club",
  discover: "Discover",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

export const brandName = (brand: string): string | null =>
  Object.hasOwn(BRAND_NAMES, brand) ? (BRAND_NAMES[brand] ?? null) : null;

type Expiry = { exp_month: number; exp_year: number };

/** A card holds until the end of the month that stands on it. */
export const isExpired = ({ exp_month, exp_year }: Expiry, now: Date): boolean =>
  Date.UTC(exp_year, exp_month, 1) <= now.getTime();

/** As it stands on the card, with all of the year: 04/2029. */
export const expiryText = ({ exp_month, exp_year }: Expiry): string =>
  `${String(exp_month).padStart(2, "0")}/${exp_year}`;
