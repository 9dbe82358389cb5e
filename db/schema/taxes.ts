import { sql } from "drizzle-orm";
import {
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { TAX_DOCUMENT_KINDS, type TaxDocumentContent } from "@/lib/orders/tax/rules-document";
import { TAX_EVIDENCE_STATES, TAX_KINDS, TAX_TREATMENTS } from "@/lib/payments/tax/rules";
import { VAT_CHECKS } from "@/lib/payments/tax/rules-vat-id";
import { at, createdAt, id, oneOf } from "./columns";
import { orderId, orders } from "./orders";

/** Rates of taxes by the day from which they hold (db/seed/tax-rates.json). */
export const taxRates = pgTable(
  "tax_rates",
  {
    country: text("country").notNull(),
    kind: text("kind", { enum: TAX_KINDS }).notNull(),
    validFrom: date("valid_from").notNull(),
    /** hundredths of a percent */
    bps: integer("bps").notNull(),
    source: text("source").notNull(),
    /** when the source said so */
    sourceDay: date("source_day").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.country, t.kind, t.validFrom] }),
    check("tax_rates_kind", oneOf("kind", TAX_KINDS)),
    check("tax_rates_bps", sql`bps between 0 and 5000`),
  ],
);

/** How an order is taxed, and why. Written when its buyer names a business in the checkout, or at its payment. */
export const orderTaxes = pgTable(
  "order_taxes",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.id),
    /** The evidence, ISO 3166-1: what the buyer named, where the card was issued, where the connection came from. */
    billingCountry: text("billing_country"),
    cardCountry: text("card_country"),
    networkCountry: text("network_country"),
    /** what the buyer answered about a contradiction */
    answer: text("answer"),
    answeredAt: at("answered_at"),
    evidence: text("evidence", { enum: TAX_EVIDENCE_STATES }),
    country: text("country"),
    treatment: text("treatment", { enum: TAX_TREATMENTS }),
    bps: integer("bps"),
    /** when it was decided for the first time; null: the order is not paid */
    decidedAt: at("decided_at"),
    /** of a business, which the invoice names */
    company: text("company"),
    companyAddress: text("company_address"),
    vatId: text("vat_id"),
    vatCheck: text("vat_check", { enum: VAT_CHECKS }),
    vatCheckedAt: at("vat_checked_at"),
    /** the number of the consultation, which proves it; null: the service gave none */
    vatReference: text("vat_reference"),
    createdAt: createdAt(),
  },
  (t) => [
    index("order_taxes_to_check")
      .on(t.vatCheckedAt)
      .where(sql`vat_check = 'unchecked' and decided_at is not null`),
    index("order_taxes_conflicts").on(t.decidedAt).where(sql`evidence = 'conflict'`),
    check("order_taxes_evidence", oneOf("evidence", TAX_EVIDENCE_STATES)),
    check("order_taxes_treatment", oneOf("treatment", TAX_TREATMENTS)),
    check("order_taxes_vat_check", oneOf("vat_check", VAT_CHECKS)),
    check(
      "order_taxes_vat",
      sql`(vat_id is null) = (vat_check is null) and (vat_id is null) = (company is null)`,
    ),
    check(
      "order_taxes_decided",
      sql`decided_at is null or (evidence is not null and country is not null and treatment is not null and bps is not null)`,
    ),
  ],
);

/** The last number of each series of invoices. Its row stays locked until the transaction that took a number ends, so that none is lost. */
export const taxSeries = pgTable("tax_series", {
  series: text("series").primaryKey(),
  last: integer("last").notNull(),
});

/** Invoices and credit notes as they were issued: append-only (a trigger refuses update and delete). */
export const taxDocuments = pgTable(
  "tax_documents",
  {
    id: id(),
    kind: text("kind", { enum: TAX_DOCUMENT_KINDS }).notNull(),
    series: text("series").notNull(),
    number: integer("number").notNull(),
    orderId: orderId(),
    /** The invoice that it corrects: of a credit note, and of an invoice for money that came back. null: an invoice of its own. */
    invoiceId: text("invoice_id"),
    country: text("country").notNull(),
    treatment: text("treatment", { enum: TAX_TREATMENTS }).notNull(),
    bps: integer("bps").notNull(),
    /** The sums, of credit notes above zero too. */
    grossCents: integer("gross_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    content: jsonb("content").$type<TaxDocumentContent>().notNull(),
    /** SHA-256 of the content, which stands in the audit log too */
    hash: text("hash").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("tax_documents_number").on(t.series, t.number),
    index("tax_documents_of_order").on(t.orderId),
    index("tax_documents_by_time").on(t.createdAt, t.id),
    foreignKey({ columns: [t.invoiceId], foreignColumns: [t.id], name: "tax_documents_invoice" }),
    check("tax_documents_kind", oneOf("kind", TAX_DOCUMENT_KINDS)),
    check("tax_documents_treatment", oneOf("treatment", TAX_TREATMENTS)),
    check("tax_documents_sums", sql`gross_cents > 0 and tax_cents between 0 and gross_cents and number > 0`),
    check("tax_documents_credit", sql`kind <> 'credit_note' or invoice_id is not null`),
    check("tax_documents_untaxed", sql`treatment = 'taxed' or (bps = 0 and tax_cents = 0)`),
  ],
);
