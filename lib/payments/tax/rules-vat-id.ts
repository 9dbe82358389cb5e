/** What the check of a VAT id found. `unchecked`: the service could not be asked. `recorded`: of a country outside of the EU, unchecked. */
export const VAT_CHECKS = ["valid", "invalid", "unchecked", "recorded"] as const;
export type VatCheck = (typeof VAT_CHECKS)[number];

/** Well-formed ids about which the sandbox's stand-in of VIES answers otherwise than "valid". */
export const SANDBOX_VAT_IDS = { invalid: "DE129273398", unchecked: "FR40303265045" } as const;

/** A VAT id without spaces, dots and hyphens. */
export const normalizeVatId = (text: string): string => text.replace(/[\s.\-_/]/g, "").toUpperCase();

/** The country of a VAT id, ISO 3166-1: Greece writes EL. */
export function countryOfVatId(vatId: string): string {
  const prefix = vatId.slice(0, 2);
  return prefix === "EL" ? "GR" : prefix;
}
