import { addressLines } from "@/lib/accounts/billing/rules";
import type { TradeField } from "@/lib/merchants/trade-file/rules";

type Address = {
  line1: string;
  line2: string;
  city: string;
  region: string;
  postal_code: string;
  country: string;
};

/** A stored value as lines of text: the name of a country in the reader's language, codes of choices as they are. */
export function tradeFileLines(
  field: TradeField,
  value: unknown,
  countryName: (code: string) => string,
): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "string") return [value];
  if (field === "address") {
    const { country, ...address } = value as Address;
    return addressLines(address, countryName(country));
  }
  const { none, locale: _, ...parts } = value as Record<string, unknown>;
  return none === true
    ? []
    : Object.values(parts).filter((part): part is string => typeof part === "string" && part !== "");
}
