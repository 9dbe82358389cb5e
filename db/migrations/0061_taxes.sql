-- Taxes of orders, invoices and credit notes. The check allows more than the one before: NOT VALID saves reading the table under its
-- lock. The indexed tables are new and empty.
CREATE TABLE "order_taxes" (
	"order_id" text PRIMARY KEY NOT NULL,
	"billing_country" text,
	"card_country" text,
	"network_country" text,
	"answer" text,
	"answered_at" timestamp with time zone,
	"evidence" text,
	"country" text,
	"treatment" text,
	"bps" integer,
	"decided_at" timestamp with time zone,
	"company" text,
	"company_address" text,
	"vat_id" text,
	"vat_check" text,
	"vat_checked_at" timestamp with time zone,
	"vat_reference" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "order_taxes_evidence" CHECK (evidence in ('agreed', 'single', 'conflict', 'answered', 'business', 'none')),
	CONSTRAINT "order_taxes_treatment" CHECK (treatment in ('taxed', 'reverse_charge', 'outside')),
	CONSTRAINT "order_taxes_vat_check" CHECK (vat_check in ('valid', 'invalid', 'unchecked')),
	CONSTRAINT "order_taxes_vat" CHECK ((vat_id is null) = (vat_check is null) and (vat_id is null) = (company is null)),
	CONSTRAINT "order_taxes_decided" CHECK (decided_at is null or (evidence is not null and country is not null and treatment is not null and bps is not null))
);
--> statement-breakpoint
CREATE TABLE "tax_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"series" text NOT NULL,
	"number" integer NOT NULL,
	"order_id" text NOT NULL,
	"invoice_id" text,
	"country" text NOT NULL,
	"treatment" text NOT NULL,
	"bps" integer NOT NULL,
	"gross_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"content" jsonb NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "tax_documents_kind" CHECK (kind in ('invoice', 'credit_note')),
	CONSTRAINT "tax_documents_treatment" CHECK (treatment in ('taxed', 'reverse_charge', 'outside')),
	CONSTRAINT "tax_documents_sums" CHECK (gross_cents > 0 and tax_cents between 0 and gross_cents and number > 0),
	CONSTRAINT "tax_documents_credit" CHECK (kind <> 'credit_note' or invoice_id is not null),
	CONSTRAINT "tax_documents_untaxed" CHECK (treatment = 'taxed' or (bps = 0 and tax_cents = 0))
);
--> statement-breakpoint
CREATE TABLE "tax_rates" (
	"country" text NOT NULL,
	"kind" text NOT NULL,
	"valid_from" date NOT NULL,
	"bps" integer NOT NULL,
	"source" text NOT NULL,
	"source_day" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "tax_rates_country_kind_valid_from_pk" PRIMARY KEY("country","kind","valid_from"),
	CONSTRAINT "tax_rates_kind" CHECK (kind in ('standard', 'reduced')),
	CONSTRAINT "tax_rates_bps" CHECK (bps between 0 and 5000)
);
--> statement-breakpoint
CREATE TABLE "tax_series" (
	"series" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_account";
--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "order_taxes" ADD CONSTRAINT "order_taxes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "tax_documents" ADD CONSTRAINT "tax_documents_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "tax_documents" ADD CONSTRAINT "tax_documents_invoice" FOREIGN KEY ("invoice_id") REFERENCES "public"."tax_documents"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "order_taxes_to_check" ON "order_taxes" USING btree ("vat_checked_at") WHERE vat_check = 'unchecked' and decided_at is not null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "order_taxes_conflicts" ON "order_taxes" USING btree ("decided_at") WHERE evidence = 'conflict';
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "tax_documents_number" ON "tax_documents" USING btree ("series","number");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "tax_documents_of_order" ON "tax_documents" USING btree ("order_id");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "tax_documents_by_time" ON "tax_documents" USING btree ("created_at","id");
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_account" CHECK (account in ('provider_cash', 'sales', 'refunds', 'other_cash', 'merchant_share', 'merchant_payable', 'payouts_in_transit', 'bank_cash', 'platform_loss', 'sales_tax', 'tax_payable')) NOT VALID;