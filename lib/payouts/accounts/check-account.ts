import { electronicFormatIBAN, isValidBIC, isValidIBAN } from "ibantools";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { PayoutAccountInput } from "./contract";
import type { AccountDetails } from "./rules";

/** The numbers of banks by country; elsewhere a bank is named by its BIC. */
const BANK_NUMBERS: Readonly<Record<string, (text: string) => boolean>> = {
  US: isAbaNumber,
  JP: (text) => /^\d{7}$/.test(text),
  CN: (text) => /^\d{12}$/.test(text),
};

/** Whether the digits of a number of a bank in the United States have the right sum. */
function isAbaNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const weights = [3, 7, 1];
  const sum = [...text].reduce((total, digit, i) => total + Number(digit) * weights[i % 3]!, 0);
  return sum > 0 && sum % 10 === 0;
}

const compact = (text: string) => text.replace(/[\s-]/g, "").toUpperCase();

/** Letters that banks take in a name: every file of theirs can hold it. */
const HOLDER = /^[\p{L}\p{M}\p{N} .,'()+/&:?-]+$/u;

/**
 * The details of an account as typed, in the form in which banks write them.
 * @throws ShopError holder_invalid, iban_invalid, bank_number_invalid, account_number_invalid
 */
export function checkAccount(input: PayoutAccountInput, locale: Locale): AccountDetails {
  const refuse = (path: string, name: ErrorName): never => {
    throw new ShopError(name, { issues: [{ path, message: errorMessage(name, locale) }] });
  };
  const holder = input.holder.normalize("NFC").replace(/\s+/g, " ");
  if (!HOLDER.test(holder)) refuse("holder", "holder_invalid");
  if (input.scheme === "iban") {
    const iban = electronicFormatIBAN(input.iban) ?? "";
    if (!isValidIBAN(iban)) refuse("iban", "iban_invalid");
    return { scheme: "iban", holder, iban };
  }
  const [bank, account] = [compact(input.bank), compact(input.account)];
  if (!(BANK_NUMBERS[input.country] ?? isValidBIC)(bank)) refuse("bank", "bank_number_invalid");
  if (!/^[A-Z0-9]{4,34}$/.test(account)) refuse("account", "account_number_invalid");
  return { scheme: "routing", holder, country: input.country, bank, account };
}

export const numberOf = (details: AccountDetails): string =>
  details.scheme === "iban" ? details.iban : details.account;

export const countryOf = (details: AccountDetails): string =>
  details.scheme === "iban" ? details.iban.slice(0, 2) : details.country;
