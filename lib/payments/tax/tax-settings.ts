import { env } from "@/lib/platform/env";
import type { TaxSettings } from "./rules";

/** Who declares which tax, by configuration (docs/operations.md#tax); null: the shop claims none. */
export function taxSettings(): TaxSettings | null {
  const { TAX_COUNTRY: country, TAX_IDS: ids, TAX_PRICES: prices } = env();
  return country && country !== "off"
    ? { country, ids: ids ?? {}, pricesWithoutTax: prices === "added" }
    : null;
}
