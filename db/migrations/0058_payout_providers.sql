-- The new checks allow more than the ones before: NOT VALID saves reading the table under its lock.
CREATE TABLE "payout_findings" (
	"id" text PRIMARY KEY NOT NULL,
	"payout_key" text,
	"cents" integer NOT NULL,
	"destination" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"minimum_cents" integer NOT NULL,
	"provider_available_cents" bigint,
	"provider_pending_cents" bigint,
	"provider_needed_cents" bigint,
	"provider_read_at" timestamp with time zone,
	CONSTRAINT "payout_settings_one" CHECK (id = 1 and minimum_cents between 100 and 10000000)
);
--> statement-breakpoint
CREATE TABLE "provider_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"country" text NOT NULL,
	"state" text NOT NULL,
	"requirements" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"read_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "provider_accounts_state" CHECK (state in ('pending', 'active', 'restricted', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"country" text NOT NULL,
	"display_name" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"requirements" jsonb NOT NULL,
	"link" jsonb,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_accounts_state" CHECK (state in ('pending', 'active', 'restricted', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"available_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_payouts_status" CHECK (status in ('pending', 'paid', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"reversed_cents" integer DEFAULT 0 NOT NULL,
	"spent_cents" integer DEFAULT 0 NOT NULL,
	"transfer_group" text,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_transfers_amount" CHECK (amount_cents > 0 and reversed_cents between 0 and amount_cents)
);
--> statement-breakpoint
ALTER TABLE "payout_accounts" DROP CONSTRAINT "payout_accounts_method";--> statement-breakpoint
ALTER TABLE "payout_accounts" DROP CONSTRAINT "payout_accounts_scheme";--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD COLUMN "provider_account_id" text;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "transfer_id" text;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "lacks_funds" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint

-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint

-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint
ALTER TABLE "sandbox_transfers" ADD CONSTRAINT "sandbox_transfers_account_id_sandbox_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."sandbox_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint

-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payout_findings_by_time" ON "payout_findings" USING btree ("created_at");--> statement-breakpoint

-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "provider_accounts_of_merchant" ON "provider_accounts" USING btree ("merchant_id") WHERE state <> 'closed';--> statement-breakpoint

-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "sandbox_transfers_of_group" ON "sandbox_transfers" USING btree ("transfer_group","created_at");--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_provider_account_id_provider_accounts_id_fk" FOREIGN KEY ("provider_account_id") REFERENCES "public"."provider_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_provider" CHECK ((method = 'stripe_connect') = (provider_account_id is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_method" CHECK (method in ('manual', 'stripe_connect')) NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_scheme" CHECK (scheme in ('iban', 'routing', 'provider')) NOT VALID;
--> statement-breakpoint
-- What was a constant until now.
INSERT INTO "payout_settings" ("id", "minimum_cents") VALUES (1, 2500) ON CONFLICT DO NOTHING;
