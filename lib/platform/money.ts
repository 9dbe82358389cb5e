/**
 * Money is integer US cents internally and a decimal number in the API (docs/product.md#71-conventions).
 * Browser-safe: imports types only.
 */

import type { LocaleTable } from "./i18n/locales";

const SYMBOL: LocaleTable<string> = { en: "$", zh: "US$", ja: "US$" };
const TAG: LocaleTable<string> = { en: "en-US", zh: "zh-CN", ja: "ja-JP" };
const formats: Record<string, Intl.NumberFormat> = {};

function assertCents(cents: number): void {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not an amount in whole cents: ${cents}`);
}

function formatFor(locale: string): Intl.NumberFormat {
  formats[locale] ??= new Intl.NumberFormat(TAG[locale] ?? TAG.en, { style: "currency", currency: "USD" });
  return formats[locale];
}

/**
 * A localised price: en "$14.90", zh and ja "US$14.90". Always two decimals; 0 is "$0.00".
 * @throws RangeError unless `cents` is an integer.
 */
export function formatPrice(cents: number, locale: string): string {
  assertCents(cents);
  return formatFor(locale)
    .formatToParts(cents / 100)
    .map((part) => (part.type === "currency" ? (SYMBOL[locale] ?? "$") : part.value))
    .join("");
}

/** Cents → decimal dollars (1490 → 14.9). */
export function toDecimal(cents: number): number {
  assertCents(cents);
  return cents / 100;
}

/** Whether decimal dollars are whole cents, which `toCents` takes. */
export function isWholeCents(decimal: number): boolean {
  const cents = Math.round(decimal * 100);
  return decimal >= 0 && Number.isSafeInteger(cents) && cents / 100 === decimal;
}

/**
 * Decimal dollars → cents, exactly: `toCents(toDecimal(n)) === n`.
 * @throws RangeError for more than two decimals, negatives, NaN, infinities, or other text.
 */
export function toCents(decimal: number | string): number {
  if (typeof decimal === "string" && !/^\d{1,13}(\.\d{1,2})?$/.test(decimal)) {
    throw new RangeError(`Not an amount: ${decimal}`);
  }
  const value = Number(decimal);
  if (!isWholeCents(value)) throw new RangeError(`Not an amount with at most two decimals: ${decimal}`);
  return Math.round(value * 100) + 0;
}

/** Like `toCents`, but accepts negative amounts. */
export const toSignedCents = (decimal: number): number =>
  decimal < 0 ? -toCents(-decimal) : toCents(decimal);

/**
 * Splits a total over weights by largest remainder: the parts add up exactly, and each is within a cent of its share;
 * ties favour the earlier part. A weight of 0 gets 0.
 * @throws RangeError for anything but integers ≥ 0, or a positive total without weights.
 */
export function splitByLargestRemainder(totalCents: number, weights: readonly number[]): number[] {
  for (const amount of [totalCents, ...weights]) {
    if (!Number.isSafeInteger(amount) || amount < 0)
      throw new RangeError(`Not an integer of 0 or more: ${amount}`);
  }
  const sum = weights.reduce((a, w) => a + BigInt(w), 0n);
  if (sum === 0n) {
    if (totalCents !== 0) throw new RangeError("The total has no weights to be split over");
    return weights.map(() => 0);
  }
  const shares = weights.map((w, index) => {
    const product = BigInt(totalCents) * BigInt(w);
    return { index, cents: Number(product / sum), rest: product % sum };
  });
  let remainder = totalCents - shares.reduce((a, s) => a + s.cents, 0);
  for (const share of [...shares].sort((a, b) =>
    a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1,
  )) {
    if (remainder === 0) break;
    share.cents += 1;
    remainder -= 1;
  }
  return shares.map((s) => s.cents);
}

/** Price per day in whole cents, rounded half up, and at least 1 for a paid plan. `null` for lifetime. */
export function pricePerDay(cents: number, days: number | null): number | null {
  assertCents(cents);
  if (days === null) return null;
  if (!Number.isSafeInteger(days) || days < 1) throw new RangeError(`Not a number of days: ${days}`);
  if (cents === 0) return 0;
  return Math.max(1, Math.floor((2 * cents + days) / (2 * days)));
}

/** The tax of `percent` that an amount in cents includes, in cents. */
export const includedTax = (cents: number, percent: number): number =>
  Math.round((cents * percent) / (100 + percent));
