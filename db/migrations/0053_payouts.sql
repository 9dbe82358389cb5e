-- Payouts to merchants and their statements. The check allows more than the one before: NOT VALID saves reading the table under its
-- lock. The indexed tables are new and empty.
CREATE TABLE "bank_files" (
	"id" text PRIMARY KEY NOT NULL,
	"run_id" text NOT NULL,
	"format" text NOT NULL,
	"payouts" integer NOT NULL,
	"cents" bigint NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "bank_files_format" CHECK (format in ('pain', 'csv'))
);
--> statement-breakpoint
CREATE TABLE "payout_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"method" text NOT NULL,
	"scheme" text NOT NULL,
	"country" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"vault_key_id" text NOT NULL,
	"last_four" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"counts_from" timestamp with time zone NOT NULL,
	"cancelled_at" timestamp with time zone,
	"cancelled_by" text,
	CONSTRAINT "payout_accounts_method" CHECK (method in ('manual')),
	CONSTRAINT "payout_accounts_scheme" CHECK (scheme in ('iban', 'routing')),
	CONSTRAINT "payout_accounts_cancelled" CHECK ((cancelled_at is null) = (cancelled_by is null))
);
--> statement-breakpoint
CREATE TABLE "payout_attempts" (
	"payout_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"key" text NOT NULL,
	"account_id" text NOT NULL,
	"cents" integer NOT NULL,
	"file_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"reason" text,
	"ended_by" text,
	"ended_at" timestamp with time zone,
	CONSTRAINT "payout_attempts_payout_id_attempt_pk" PRIMARY KEY("payout_id","attempt"),
	CONSTRAINT "payout_attempts_key_unique" UNIQUE("key"),
	CONSTRAINT "payout_attempts_amount" CHECK (cents > 0)
);
--> statement-breakpoint
CREATE TABLE "payout_lines" (
	"payout_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"line_id" text NOT NULL,
	"cents" integer NOT NULL,
	CONSTRAINT "payout_lines_payout_id_attempt_line_id_pk" PRIMARY KEY("payout_id","attempt","line_id"),
	CONSTRAINT "payout_lines_amount" CHECK (cents <> 0)
);
--> statement-breakpoint
CREATE TABLE "payout_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"state" text DEFAULT 'preparing' NOT NULL,
	"prepared_by" text NOT NULL,
	"prepared_to" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"asked_by" text,
	"approved_by" text,
	"approved_at" timestamp with time zone,
	"approved_cents" bigint,
	"sent_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "payout_runs_state" CHECK (state in ('preparing', 'draft', 'approved', 'sent', 'closed', 'cancelled')),
	CONSTRAINT "payout_runs_origin" CHECK (origin in ('weekly', 'manual')),
	CONSTRAINT "payout_runs_two_people" CHECK (approved_by is null or approved_by <> asked_by),
	CONSTRAINT "payout_runs_approved" CHECK (state not in ('approved', 'sent', 'closed') or (approved_by is not null and asked_by is not null and approved_cents is not null))
);
--> statement-breakpoint
CREATE TABLE "payout_terms" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"weekday" integer NOT NULL,
	"threshold_cents" integer NOT NULL,
	"stopped_at" timestamp with time zone,
	"stop_note" text,
	"stopped_by" text,
	CONSTRAINT "payout_terms_weekday" CHECK (weekday between 1 and 7),
	CONSTRAINT "payout_terms_threshold" CHECK (threshold_cents > 0),
	CONSTRAINT "payout_terms_stop" CHECK ((stopped_at is null) = (stopped_by is null))
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"run_id" text,
	"merchant_id" text NOT NULL,
	"account_id" text,
	"state" text DEFAULT 'draft' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"cents" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"state_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "payouts_state" CHECK (state in ('draft', 'sent', 'confirmed', 'failed', 'returned', 'dropped', 'written_off')),
	CONSTRAINT "payouts_amount" CHECK (case when run_id is null then cents < 0 else cents > 0 or state in ('draft', 'dropped') end)
);
--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"statement_id" text NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"cents" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"line_id" text,
	"names" jsonb,
	"pass_type" text,
	"duration_days" integer,
	"units" integer,
	CONSTRAINT "statement_lines_kind" CHECK (kind in ('sale', 'return', 'correction', 'payout', 'payout_back', 'write_off'))
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"from_at" timestamp with time zone,
	"to_at" timestamp with time zone NOT NULL,
	"opening_cents" bigint NOT NULL,
	"closing_cents" bigint NOT NULL,
	"lines" integer NOT NULL,
	"held" jsonb NOT NULL,
	"hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "statements_kind" CHECK (kind in ('monthly', 'on_demand'))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_account";--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD COLUMN "paid_out_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_files" ADD CONSTRAINT "bank_files_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_account_id_payout_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payout_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_file_id_bank_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."bank_files"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_approved_by_users_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_account_id_payout_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payout_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "bank_files_of_run" ON "bank_files" USING btree ("run_id","created_at");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payout_accounts_of_merchant" ON "payout_accounts" USING btree ("merchant_id","counts_from");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payout_attempts_of_file" ON "payout_attempts" USING btree ("file_id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payout_lines_of_line" ON "payout_lines" USING btree ("line_id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payout_runs_by_time" ON "payout_runs" USING btree ("created_at","id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payout_runs_open" ON "payout_runs" USING btree ("created_at") WHERE state in ('preparing', 'draft', 'approved');--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "payouts_once" ON "payouts" USING btree ("run_id","merchant_id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "payouts_one_draft" ON "payouts" USING btree ("merchant_id") WHERE state = 'draft';--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payouts_of_merchant" ON "payouts" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payouts_of_run" ON "payouts" USING btree ("run_id","state","merchant_id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "statement_lines_position" ON "statement_lines" USING btree ("statement_id","position");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "statements_number" ON "statements" USING btree ("merchant_id","number");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "statements_by_time" ON "statements" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_account" CHECK (account in ('provider_cash', 'sales', 'refunds', 'other_cash', 'merchant_share', 'merchant_payable', 'payouts_in_transit', 'bank_cash', 'platform_loss')) NOT VALID;
