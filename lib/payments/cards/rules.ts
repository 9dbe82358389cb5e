/** The sandbox's cards. */
export const SELECTABLE_CARDS = ["visa", "mastercard", "authentication", "declined"] as const;
export type SelectableCard = (typeof SELECTABLE_CARDS)[number];
/** The same, and the two results of an authentication request. */
export const SANDBOX_CARDS = [...SELECTABLE_CARDS, "approved", "refused"] as const;
export type SandboxCard = (typeof SANDBOX_CARDS)[number];

/** Limits card testing with stolen numbers: requests in an hour, two for each card. */
export const CARD_SETUPS_PER_HOUR = 30;
/** How long a page waits for the provider, in milliseconds; the cards then load after the page. */
export const CARDS_TIMEOUT_MS = 2500;

/** Brand names, equal in all languages; an unknown brand is shown as "card". */
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

/** A card is valid until the end of its month. */
export const isExpired = ({ exp_month, exp_year }: Expiry, now: Date): boolean =>
  Date.UTC(exp_year, exp_month, 1) <= now.getTime();

/** The expiry with a full year: 04/2029. */
export const expiryText = ({ exp_month, exp_year }: Expiry): string =>
  `${String(exp_month).padStart(2, "0")}/${exp_year}`;
