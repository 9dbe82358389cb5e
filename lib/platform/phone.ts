import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import type { Locale } from "@/lib/platform/i18n/locales";
import { foldPhone, PHONE_COUNTRY } from "./phone-country";

const CALLING_CODE = /^\+?([1-9]\d{0,3})$/;

/** The digits of a country's calling code ("+81"); undefined for another text. */
export const callingCodeOf = (text: string | null | undefined): string | undefined =>
  CALLING_CODE.exec(text ?? "")?.[1];

/**
 * Reads an international number, or a national one: of the chosen country ("JP", "+81"), or else of the country where the
 * page's language is spoken. undefined: it is none.
 */
export function parsePhone(text: string, locale: Locale, chosen?: string | null): PhoneNumber | undefined {
  const folded = foldPhone(text);
  const submitted = chosen?.toUpperCase() ?? "";
  const country: CountryCode | undefined = isSupportedCountry(submitted) ? submitted : undefined;
  const callingCode = callingCodeOf(submitted);
  const number = parsePhoneNumberFromString(folded, {
    defaultCountry: country ?? (callingCode ? undefined : PHONE_COUNTRY[locale]),
    defaultCallingCode: country ? undefined : callingCode,
    extract: false,
  });
  const isGuessed = !country && !callingCode && !folded.startsWith("+");
  // A country that the user did not choose is assumed only if the number is valid there.
  if (!(isGuessed ? number?.isValid() : number?.isPossible())) return undefined;
  // The chosen country distinguishes countries that share a calling code.
  if (number && country && !number.country) number.country = country;
  return number;
}
