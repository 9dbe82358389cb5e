import { splitByLargestRemainder } from "@/lib/platform/money";

/** What is taxed at which rate. Passes are electronic services, which all countries tax at the standard rate. */
export const TAX_KINDS = ["standard", "reduced"] as const;
export type TaxKind = (typeof TAX_KINDS)[number];

/** The member states of the EU, by ISO 3166-1. */
export const EU_COUNTRIES: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** The countries whose rates the shop knows. */
export const TAX_COUNTRIES: readonly string[] = [...EU_COUNTRIES, "CH", "GB", "JP", "NO"];

export const isInEu = (country: string): boolean => EU_COUNTRIES.includes(country);

/** The registration under which a seller outside of the EU declares to it (non-Union scheme), beside those of countries. */
export const EU_SCHEME = "EU";

/** Who sells: its country, its tax numbers by country, and whether the tax is added to its prices, which include it otherwise. */
export type TaxSettings = {
  country: string;
  ids: Readonly<Record<string, string>>;
  pricesWithoutTax?: boolean;
};

/** How an order is taxed. `taxed`: the total includes the tax of `country`. `outside`: the shop owes no tax there. */
export const TAX_TREATMENTS = ["taxed", "reverse_charge", "outside"] as const;
export type TaxTreatment = (typeof TAX_TREATMENTS)[number];

/** Whether the shop owes the tax of sales to consumers in a country: it is registered there, or in the EU for all of it. */
export function owesTaxIn(country: string, { country: own, ids }: TaxSettings): boolean {
  if (isInEu(country)) return isInEu(own) || EU_SCHEME in ids || country in ids;
  return TAX_COUNTRIES.includes(country) && (country === own || country in ids);
}

/** `vatCountry`: of the buyer's valid VAT id; null: a consumer, or an id that is not valid or could not be checked. */
export function taxTreatment(
  { country, vatCountry }: { country: string; vatCountry: string | null },
  settings: TaxSettings,
): TaxTreatment {
  if (vatCountry !== null && vatCountry !== settings.country) return "reverse_charge";
  return owesTaxIn(country, settings) ? "taxed" : "outside";
}

const EURO = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" ");
const CURRENCIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EURO.map((country) => [country, "EUR"])),
  CH: "CHF",
  CZ: "CZK",
  DK: "DKK",
  GB: "GBP",
  HU: "HUF",
  JP: "JPY",
  NO: "NOK",
  PL: "PLN",
  RO: "RON",
  SE: "SEK",
};

/** The currency in which a country's tax is declared, which invoices name beside US dollars: in the EU that of the seller's country. */
export function declaredCurrency(country: string, { country: own }: TaxSettings): string | null {
  if (!isInEu(country)) return CURRENCIES[country] ?? null;
  return isInEu(own) ? (CURRENCIES[own] ?? "EUR") : "EUR";
}

/** The tax that an amount includes, in cents, half up. `bps`: the rate, 1900 for 19 %. */
export const taxWithin = (grossCents: number, bps: number): number =>
  Number((2n * BigInt(grossCents) * BigInt(bps) + 10_000n + BigInt(bps)) / (2n * (10_000n + BigInt(bps))));

/** The tax that is added to an amount without tax, in cents, half up. `taxWithin` the sum of both is the same. */
export const taxOnTop = (netCents: number, bps: number): number =>
  Number((2n * BigInt(netCents) * BigInt(bps) + 10_000n) / 20_000n);

/** The tax of each line: that of the sum, split by largest remainder. */
export const taxOfLines = (grossCents: readonly number[], bps: number): number[] =>
  splitByLargestRemainder(
    taxWithin(
      grossCents.reduce((sum, cents) => sum + cents, 0),
      bps,
    ),
    grossCents,
  );

/**
 * The tax within the refunded part of an invoice, so far. It depends on the sums only, so that many small refunds end where
 * one does.
 */
export const taxBack = (invoice: { grossCents: number; taxCents: number }, backCents: number): number =>
  invoice.grossCents === 0
    ? 0
    : splitByLargestRemainder(invoice.taxCents, [backCents, invoice.grossCents - backCents])[0]!;

/** The pieces of evidence of where a buyer is, ISO 3166-1; null: not known. */
export type TaxEvidence = {
  billing: string | null;
  card: string | null;
  /** of the connection's address, by a configured lookup */
  network: string | null;
};

/**
 * `agreed`: two pieces match. `single`: there is one only. `conflict`: there are several, and none match, which the buyer is asked
 * about. `answered`: the buyer named one of them. `business`: a valid VAT id decides. `none`: nothing is known.
 */
export const TAX_EVIDENCE_STATES = ["agreed", "single", "conflict", "answered", "business", "none"] as const;
export type TaxEvidenceState = (typeof TAX_EVIDENCE_STATES)[number];

/**
 * Where a buyer is taxed (docs/product.md#821-tax). Until the buyer answers about a contradiction, the country that was named in the
 * checkout counts; without any, the seller's.
 */
export function decideCountry(
  evidence: TaxEvidence,
  { answer, vatCountry, own }: { answer: string | null; vatCountry: string | null; own: string },
): { country: string; state: TaxEvidenceState } {
  const pieces = [evidence.billing, evidence.card, evidence.network].filter((piece) => piece !== null);
  if (vatCountry) return { country: vatCountry, state: "business" };
  const matching = pieces.find((piece, index) => pieces.indexOf(piece) !== index);
  if (matching) return { country: matching, state: "agreed" };
  if (answer && pieces.includes(answer)) return { country: answer, state: "answered" };
  const [first] = pieces;
  if (!first) return { country: own, state: "none" };
  return { country: first, state: pieces.length > 1 ? "conflict" : "single" };
}
