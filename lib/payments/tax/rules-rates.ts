import { z } from "zod";
import { isInEu, TAX_COUNTRIES, TAX_KINDS } from "./rules";

export type TaxRate = {
  country: string;
  kind: (typeof TAX_KINDS)[number];
  /** from when it holds, until the next of its country and kind */
  from: string;
  bps: number;
  source: string;
};

/** How a country outside of the EU treats a business that names its tax id, which no service checks. */
export type BusinessRule = {
  country: string;
  /** the form of an id, without spaces and punctuation */
  id: RegExp;
  /** as people write one */
  example: string;
  /** the business owes the tax itself */
  reverseCharge: boolean;
};

const Day = z.iso.date();
const File = z.object({
  date: Day,
  rates: z
    .array(
      z.object({
        country: z.enum(TAX_COUNTRIES),
        kind: z.enum(TAX_KINDS),
        from: Day,
        percent: z.number().min(0).max(50),
        source: z.string().min(1).max(300),
      }),
    )
    .min(1),
  businesses: z
    .array(
      z.object({
        country: z.enum(TAX_COUNTRIES).refine((country) => !isInEu(country)),
        id: z.string().min(1).max(200),
        example: z.string().min(1).max(30),
        reverse_charge: z.boolean(),
        source: z.string().min(1).max(300),
      }),
    )
    .default([]),
});

/**
 * Reads a file of tax rates: `{ date, rates: [{ country, kind, from, percent, source }] }`, where `date` is the day on which the
 * sources said so, and `businesses: [{ country, id, example, reverse_charge, source }]`. Rates have at most two decimals.
 * @throws Error that says what is wrong
 */
export function parseTaxRates(json: unknown): { day: string; rates: TaxRate[]; businesses: BusinessRule[] } {
  const parsed = File.safeParse(json);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const seen = new Set<string>();
  const rates = parsed.data.rates.map(({ percent, ...rate }) => {
    const name = `${rate.country} ${rate.kind} from ${rate.from}`;
    if (seen.has(name)) throw new Error(`${name} is there twice`);
    seen.add(name);
    const bps = Math.round(percent * 100);
    if (bps / 100 !== percent) throw new Error(`${name} has more than two decimals`);
    return { ...rate, bps };
  });
  const missing = TAX_COUNTRIES.filter(
    (country) => !rates.some((rate) => rate.country === country && rate.kind === "standard"),
  );
  if (missing.length > 0) throw new Error(`the standard rates of ${missing.join(", ")} are missing`);
  const businesses = parsed.data.businesses.map(
    ({ id, reverse_charge: reverseCharge, country, example }) => ({
      country,
      id: new RegExp(`^(?:${id})$`),
      example,
      reverseCharge,
    }),
  );
  return { day: parsed.data.date, rates, businesses };
}
