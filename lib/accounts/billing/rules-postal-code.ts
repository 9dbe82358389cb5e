import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";
import { foldText } from "@/lib/platform/fold-text";

/** Formats in use that postcode-validator lacks: Argentina's short spelling. */
const EXTRA_FORMATS: Readonly<Record<string, RegExp>> = { AR: /^\d{4}$/ };

/** Whether a postal code has its country's format; true for countries without a known format. */
export function isPostalCode(code: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true;
  const compact = code.replace(/[\s-]/g, "").toUpperCase();
  // Spaces and hyphens are ignored, because their places differ by country.
  const spellings = [code, compact];
  for (let at = 1; at < compact.length; at++)
    for (const mark of [" ", "-"]) spellings.push(compact.slice(0, at) + mark + compact.slice(at));
  if (spellings.some((spelling) => postcodeValidator(spelling, country))) return true;
  return EXTRA_FORMATS[country]?.test(compact) === true;
}

/** The stored spelling: plain digits and capital letters, also from full-width input, without Japan's postal mark. */
export const normalizePostalCode = (code: string): string =>
  foldText(code)
    .trim()
    .replace(/^〒\s*/, "")
    .replace(/[\u2010-\u2015\u2212ー]/g, "-")
    .replace(/\s+/gu, " ")
    .trim()
    .toUpperCase();
