import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";

/** Formats in use that postcode-validator lacks: Argentina's short spelling. */
const EXTRA_FORMATS: Readonly<Record<string, RegExp>> = { AR: /^\d{4}$/ };

/** Whether a postal code has its country's format; true for countries without a known format. */
export function isPostalCode(code: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true;
  const compact = code.replace(/[\s-]/g, "");
  const spellings = [code, compact];
  if (country === "JP") spellings.push(compact.replace(/^(\d{3})(\d{4})$/, "$1-$2"));
  if (spellings.some((spelling) => postcodeValidator(spelling, country))) return true;
  return EXTRA_FORMATS[country]?.test(compact) === true;
}

/** The stored spelling: plain digits and letters, also from full-width input, without Japan's postal mark. */
export const normalizePostalCode = (code: string): string =>
  code
    .normalize("NFKC")
    .replace(/^〒\s*/, "")
    .replace(/[\u2010-\u2015\u2212ー]/g, "-")
    .trim();
