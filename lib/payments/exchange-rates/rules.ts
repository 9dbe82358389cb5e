/** The currencies of approximate prices (docs/product.md#26-checkout-and-payment), US dollars first. */
export const CURRENCIES = [
  "USD",
  "EUR",
  "GBP",
  "JPY",
  "CNY",
  "TWD",
  "HKD",
  "KRW",
  "SGD",
  "AUD",
  "NZD",
  "CAD",
  "CHF",
  "SEK",
  "INR",
  "BRL",
  "MXN",
] as const;
/** Rates are kept of these too: in them invoices name the tax of a country. */
export const RATED_CURRENCIES = [...CURRENCIES, "CZK", "DKK", "HUF", "NOK", "PLN", "RON"] as const;

export type Currency = (typeof CURRENCIES)[number];

export const isCurrency = (value: unknown): value is Currency =>
  CURRENCIES.some((currency) => currency === value);
