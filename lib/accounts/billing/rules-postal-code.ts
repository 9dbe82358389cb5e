import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";

/** Formats in use that postcode-validator lacks: Argentina's short form. */
const ALSO: Readonly<Record<string, RegExp>> = { AR: /^\d{4}$/ };

/**
 * Whether a postal code has its country's format; spaces and hyphens are optional. True for countries without a known
 * format.
 */
export function isPostalCode(code: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true;
  const bare = code.replace(/[\s-]/g, "");
  const forms = [code, bare, ...(country === "JP" ? [bare.replace(/^(\d{3})(\d{4})$/, "$1-$2")] : [])];
  return forms.some((form) => postcodeValidator(form, country)) || ALSO[country]?.test(bare) === true;
}

/** The stored form: plain digits and letters, also from full-width input, without Japan's postal mark. */
export const normalizePostalCode = (code: string): string =>
  code
    .normalize("NFKC")
    .replace(/^〒\s*/, "")
    .replace(/[\u2010-\u2015\u2212ー]/g, "-")
    .trim();
