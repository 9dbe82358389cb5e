import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";

/** Codes in use that the table of postcode-validator lacks: Argentina's short form. */
const ALSO: Readonly<Record<string, RegExp>> = { AR: /^\d{4}$/ };

/**
 * Whether a postal code has the form of its country's, with or without the spaces and hyphens that people write or
 * leave out. True where a country has no known form.
 */
export function isPostalCode(code: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true;
  const bare = code.replace(/[\s-]/g, "");
  const forms = [code, bare, ...(country === "JP" ? [bare.replace(/^(\d{3})(\d{4})$/, "$1-$2")] : [])];
  return forms.some((form) => postcodeValidator(form, country)) || ALSO[country]?.test(bare) === true;
}

/** As it is stored: plain digits and letters also from a full-width keyboard, without Japan's postal mark. */
export const normalizePostalCode = (code: string): string =>
  code
    .normalize("NFKC")
    .replace(/^〒\s*/, "")
    .replace(/[\u2010-\u2015\u2212ー]/g, "-")
    .trim();
