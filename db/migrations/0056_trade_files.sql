-- Who merchants are before the law. Merchants that sell already get the notice first (lib/merchants/trade-file/watch-trade-files.ts).
CREATE TABLE "merchant_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	"vault_key_id" text NOT NULL,
	"state" text DEFAULT 'given' NOT NULL,
	"given_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"checked_at" timestamp with time zone,
	"checked_by" text,
	"note" text,
	"expires_at" timestamp with time zone,
	CONSTRAINT "merchant_documents_kind" CHECK (kind in ('register_extract', 'identity', 'tax', 'address', 'licence')),
	CONSTRAINT "merchant_documents_type" CHECK (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
	CONSTRAINT "merchant_documents_state" CHECK (state in ('given', 'checked', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "merchant_trade_fields" (
	"merchant_id" text NOT NULL,
	"field" text NOT NULL,
	"value" jsonb,
	"given_at" timestamp with time zone,
	"given_by" text,
	"checked_at" timestamp with time zone,
	"checked_by" text,
	"checked_how" text,
	"note" text,
	"expires_at" timestamp with time zone,
	CONSTRAINT "merchant_trade_fields_merchant_id_field_pk" PRIMARY KEY("merchant_id","field"),
	CONSTRAINT "merchant_trade_fields_field" CHECK (field in ('legal_name', 'form', 'register', 'tax', 'address', 'phone', 'contact', 'representative', 'documents', 'certification', 'terms')),
	CONSTRAINT "merchant_trade_fields_checked" CHECK (checked_at is null or (value is not null and checked_by is not null))
);
--> statement-breakpoint
CREATE TABLE "merchant_trade_files" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"required_at" timestamp with time zone,
	"state" text DEFAULT 'incomplete' NOT NULL,
	"missing" text[] DEFAULT '{legal_name,form,register,tax,address,phone,contact,representative,documents,certification,terms}' NOT NULL,
	"unchecked" text[] DEFAULT '{}' NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone,
	"expiry_mailed" timestamp with time zone,
	"noticed_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "merchant_trade_files_state" CHECK (state in ('incomplete', 'unchecked', 'complete'))
);
--> statement-breakpoint
-- The check allows one more reason than the one before: NOT VALID saves reading the table under its lock.
ALTER TABLE "products" DROP CONSTRAINT "products_blocked_reason";--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "trade_held_at" timestamp with time zone;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "merchant_documents" ADD CONSTRAINT "merchant_documents_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "merchant_trade_fields" ADD CONSTRAINT "merchant_trade_fields_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "merchant_trade_files" ADD CONSTRAINT "merchant_trade_files_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_documents_of_merchant" ON "merchant_documents" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_documents_by_vault_key" ON "merchant_documents" USING btree ("vault_key_id","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_trade_files_by_state" ON "merchant_trade_files" USING btree ("state","updated_at","merchant_id") WHERE required_at is not null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_trade_files_by_time" ON "merchant_trade_files" USING btree ("updated_at","merchant_id") WHERE required_at is not null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_trade_files_due" ON "merchant_trade_files" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_trade_files_expiring" ON "merchant_trade_files" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_blocked_reason" CHECK (blocked_reason is null or blocked_reason in ('merchant_invited', 'merchant_paused', 'merchant_suspended', 'merchant_ended', 'merchant_unverified')) NOT VALID;--> statement-breakpoint
INSERT INTO merchant_trade_files (merchant_id, required_at)
  SELECT DISTINCT merchant_id, shop_now() FROM merchant_members WHERE ended_at IS NULL;
