-- What the shop owes merchants is booked: the ledger knows whose share an entry is, and each sale what the ledger has of it. The
-- check allows more than the one before, and the new columns are empty: NOT VALID saves reading the tables under their locks.
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_account";--> statement-breakpoint
-- Payouts have no order. The release before reads entries by their order only.
-- squawk-ignore ban-drop-not-null
ALTER TABLE "ledger_entries" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "line_id" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_account" CHECK (account in ('provider_cash', 'sales', 'refunds', 'other_cash', 'merchant_share', 'merchant_payable')) NOT VALID;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD COLUMN "booked_cents" integer DEFAULT 0 NOT NULL;
