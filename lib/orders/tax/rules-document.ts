import type { PassType } from "@/lib/catalog/rules";
import type { TaxTreatment } from "@/lib/payments/tax/rules";

export const TAX_DOCUMENT_KINDS = ["invoice", "credit_note"] as const;
export type TaxDocumentKind = (typeof TAX_DOCUMENT_KINDS)[number];

/** A line of an invoice, with the product's names of then by language. */
export type TaxDocumentLine = {
  names: Record<string, string>;
  vendor: string;
  pass_type: PassType;
  duration_days: number | null;
  quantity: number;
  unit_cents: number;
  discount_cents: number;
  gross_cents: number;
  tax_cents: number;
};

/** All that an invoice or credit note says, as it was when it was issued. Money is in US cents. */
export type TaxDocumentContent = {
  id: string;
  kind: TaxDocumentKind;
  number: string;
  /** the invoice that it corrects */
  corrects: string | null;
  order_number: string;
  /** ISO 8601; documents write their days in `time_zone` */
  issued_at: string;
  paid_at: string;
  time_zone: string;
  seller: {
    name: string;
    address: string[];
    registration: string | null;
    tax_ids: string[];
    contact: string[];
  };
  buyer: { name: string | null; lines: string[]; country: string; vat_id: string | null; email: string };
  country: string;
  treatment: TaxTreatment;
  bps: number;
  /** of a credit note: none, for it names the invoice */
  lines: TaxDocumentLine[];
  gross_cents: number;
  tax_cents: number;
  /** The tax in the currency in which it is declared, in its minor unit. null: it is declared in US dollars, or no rate was known. */
  local: { currency: string; rate: number; day: string; tax_minor: number } | null;
};

/** `I2026-00042`: the year's series counts all invoices, `C2026` all credit notes. */
export const documentNumber = (series: string, number: number): string =>
  `${series}-${String(number).padStart(5, "0")}`;

/** The series of a document, which begins anew each year (UTC). */
export const seriesOf = (kind: TaxDocumentKind, at: Date): string =>
  `${kind === "credit_note" ? "C" : "I"}${at.getUTCFullYear()}`;
