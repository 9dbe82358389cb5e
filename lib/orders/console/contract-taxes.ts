import { z } from "zod";
import { TAX_DOCUMENT_KINDS } from "@/lib/orders/tax/rules-document";
import { TAX_TREATMENTS } from "@/lib/payments/tax/rules";
import { Instant } from "@/lib/platform/api/fields";

/** How a sum is declared: `oss` in the EU's one-stop shop, `domestic` and `national` to the country itself. */
export const TAX_SCHEMES = ["oss", "domestic", "national", "reverse_charge", "outside"] as const;
export type TaxScheme = (typeof TAX_SCHEMES)[number];

export const Quarter = z
  .string()
  .regex(/^20\d\d-Q[1-4]$/)
  .meta({ example: "2026-Q4", description: "a calendar quarter in UTC" });

/** Default: the quarter of today. */
export const TaxesInput = z.object({ quarter: Quarter.optional() });
export type TaxesInput = z.output<typeof TaxesInput>;

/** What the documents of a quarter declare for a country, rate and period; credit notes count below zero. Amounts in USD. */
export const TaxReportRow = z.object({
  scheme: z.enum(TAX_SCHEMES),
  country: z.string(),
  percent: z.number(),
  /** of the sale: an earlier one is a correction */
  period: Quarter,
  net: z.number(),
  tax: z.number(),
  /** the tax in euros at the rate below, where it is declared in the one-stop shop */
  tax_eur: z.number().nullable(),
});
export type TaxReportRow = z.output<typeof TaxReportRow>;

export const TaxDocumentRow = z.object({
  document_id: z.string(),
  number: z.string(),
  kind: z.enum(TAX_DOCUMENT_KINDS),
  order_id: z.string(),
  order_number: z.string(),
  country: z.string(),
  treatment: z.enum(TAX_TREATMENTS),
  percent: z.number(),
  gross: z.number(),
  tax: z.number(),
  at: Instant,
});
export type TaxDocumentRow = z.output<typeof TaxDocumentRow>;

/** GET /admin/taxes: a quarter's report, its newest 200 documents, and whether ledger and documents agree. */
export const TaxLedger = z.object({
  quarter: Quarter,
  /** of today */
  present: Quarter,
  /** the seller's country; null: no tax is claimed */
  country: z.string().nullable(),
  /** tax of invoices − credit notes, of the ledger, in USD: always equal */
  documents_tax: z.number(),
  ledger_tax: z.number(),
  invoices: z.int(),
  credit_notes: z.int(),
  /** paid orders whose buyer has not answered about contradicting evidence, and VAT ids that could not be checked */
  conflicts: z.int(),
  unchecked: z.int(),
  /** the last day of the quarter, whose rate counts */
  eur_day: z.string(),
  /** euros for one US dollar of that day, or of the next one with a rate; null: not known */
  eur: z.object({ rate: z.number(), day: z.string() }).nullable(),
  report: z.array(TaxReportRow),
  items: z.array(TaxDocumentRow),
});
export type TaxLedger = z.output<typeof TaxLedger>;
