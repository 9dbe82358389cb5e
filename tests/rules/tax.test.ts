import { describe, expect, it } from "vitest";
import builtIn from "@/db/seed/tax-rates.json";
import { quartersAround } from "@/lib/orders/console/rules-quarters";
import {
  decideCountry,
  EU_COUNTRIES,
  owesTaxIn,
  TAX_COUNTRIES,
  type TaxEvidence,
  taxBack,
  taxOfLines,
  taxOnTop,
  taxTreatment,
  taxWithin,
} from "@/lib/payments/tax/rules";
import { parseTaxRates } from "@/lib/payments/tax/rules-rates";

const irish = { country: "IE", ids: { IE: "IE0000000X", JP: "T0000000000000" } };
const american = { country: "US", ids: {} };

describe("rates of taxes", () => {
  it("come with the shop for 27 countries of the EU and four others, each with a source", () => {
    const { day, rates } = parseTaxRates(builtIn);
    expect(EU_COUNTRIES).toHaveLength(27);
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const country of TAX_COUNTRIES)
      expect(
        rates.filter((rate) => rate.country === country && rate.source.startsWith("https://")),
      ).not.toEqual([]);
    expect(rates.filter(({ country }) => country === "FI").map(({ bps }) => bps)).toEqual([2400, 2550]);
  });

  it("are refused when a country is missing, a rate is there twice or has three decimals", () => {
    const without = { ...builtIn, rates: builtIn.rates.filter(({ country }) => country !== "MT") };
    expect(() => parseTaxRates(without)).toThrow("the standard rates of MT are missing");
    const twice = { ...builtIn, rates: [...builtIn.rates, builtIn.rates[0]] };
    expect(() => parseTaxRates(twice)).toThrow("AT standard from 2024-01-01 is there twice");
    const fine = { ...builtIn.rates[0]!, from: "2030-01-01", percent: 20.125 };
    expect(() => parseTaxRates({ ...builtIn, rates: [...builtIn.rates, fine] })).toThrow(
      "more than two decimals",
    );
    expect(() => parseTaxRates({ rates: [] })).toThrow("date");
  });
});

describe("the tax within a price", () => {
  it("is rounded half up, and is less than a cent off its share", () => {
    expect(taxWithin(11_900, 1900)).toBe(1900);
    expect(taxWithin(1490, 1900)).toBe(238);
    expect(taxWithin(1, 2550)).toBe(0);
    expect(taxWithin(3, 10_000)).toBe(2); // 1.5
    for (let gross = 0; gross < 3000; gross += 7)
      expect(Math.abs(taxWithin(gross, 2550) - (gross * 2550) / 12_550)).toBeLessThanOrEqual(0.5);
  });

  it("is that of the sum, split over the lines to the cent", () => {
    expect(taxOfLines([333, 333, 334], 1900)).toEqual([53, 53, 54]);
    expect(taxOfLines([1, 1, 1], 2000)).toEqual([1, 0, 0]);
  });

  it("comes back in parts that end at the whole", () => {
    const invoice = { grossCents: 997, taxCents: taxWithin(997, 2700) };
    let back = 0;
    for (let cents = 1; cents <= 997; cents += 1) {
      const next = taxBack(invoice, cents);
      expect(next - back).toBeGreaterThanOrEqual(0);
      back = next;
    }
    expect(back).toBe(invoice.taxCents);
    expect(taxBack({ grossCents: 0, taxCents: 0 }, 0)).toBe(0);
  });
});

describe("the tax of an order", () => {
  it("that is added to a price is the one within the sum, at every rate", () => {
    expect(taxOnTop(1_499, 1_900)).toBe(285);
    expect(taxOnTop(50, 900)).toBe(5); // 4.5
    for (const { bps } of parseTaxRates(builtIn).rates)
      for (let net = 0; net < 20_000; net += 131)
        expect(taxWithin(net + taxOnTop(net, bps), bps)).toBe(taxOnTop(net, bps));
  });
});

describe("the country of a buyer", () => {
  const decide = (evidence: Partial<TaxEvidence>, more: { answer?: string; vatCountry?: string } = {}) =>
    decideCountry(
      { billing: null, card: null, network: null, ...evidence },
      { answer: more.answer ?? null, vatCountry: more.vatCountry ?? null, own: "IE" },
    );

  it("needs two pieces of evidence that match", () => {
    expect(decide({ billing: "DE", card: "DE" })).toEqual({ country: "DE", state: "agreed" });
    expect(decide({ billing: "FR", card: "DE", network: "DE" })).toEqual({ country: "DE", state: "agreed" });
    expect(decide({ card: "DE" })).toEqual({ country: "DE", state: "single" });
    expect(decide({})).toEqual({ country: "IE", state: "none" });
  });

  it("is asked of the buyer when the pieces contradict each other, and follows the answer when a piece supports it", () => {
    expect(decide({ billing: "FR", card: "DE" })).toEqual({ country: "FR", state: "conflict" });
    expect(decide({ billing: "FR", card: "DE" }, { answer: "DE" })).toEqual({
      country: "DE",
      state: "answered",
    });
    expect(decide({ billing: "FR", card: "DE" }, { answer: "MT" })).toEqual({
      country: "FR",
      state: "conflict",
    });
  });

  it("is that of a business's VAT id, whatever the card says", () => {
    expect(decide({ billing: "FR", card: "US" }, { vatCountry: "FR" })).toEqual({
      country: "FR",
      state: "business",
    });
  });
});

describe("the treatment of a sale", () => {
  it("is taxed where the seller declares taxes, and outside elsewhere", () => {
    const of = (country: string) => taxTreatment({ country, vatCountry: null }, irish);
    expect(EU_COUNTRIES.map(of)).toEqual(EU_COUNTRIES.map(() => "taxed"));
    expect(["JP", "GB", "US"].map(of)).toEqual(["taxed", "outside", "outside"]);
    expect(owesTaxIn("DE", american)).toBe(false);
    expect(owesTaxIn("DE", { ...american, ids: { EU: "EU372000000" } })).toBe(true);
  });

  it("is reversed for a business of another country, not of the seller's own", () => {
    expect(taxTreatment({ country: "DE", vatCountry: "DE" }, irish)).toBe("reverse_charge");
    expect(taxTreatment({ country: "IE", vatCountry: "IE" }, irish)).toBe("taxed");
  });
});

describe("the quarters of the page of taxes", () => {
  it("lead back, and forward up to the present one", () => {
    expect(quartersAround("2026-Q4", "2026-Q4")).toEqual([
      "2026-Q4",
      "2026-Q3",
      "2026-Q2",
      "2026-Q1",
      "2025-Q4",
    ]);
    expect(quartersAround("2026-Q3", "2026-Q4")[0]).toBe("2026-Q4");
    expect(quartersAround("2025-Q4", "2026-Q4").slice(0, 3)).toEqual(["2026-Q2", "2026-Q1", "2025-Q4"]);
    expect(quartersAround("2027-Q2", "2026-Q4")[0]).toBe("2027-Q2");
  });
});
