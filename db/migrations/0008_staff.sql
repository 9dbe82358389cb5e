CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"subject" text NOT NULL,
	"asked_by" text NOT NULL,
	"concerns" text,
	"roles" text[] NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"alone" boolean DEFAULT false NOT NULL,
	"note" text,
	CONSTRAINT "approvals_state" CHECK (state in ('asked', 'approved', 'refused', 'expired')),
	CONSTRAINT "approvals_two_people" CHECK (decided_by is null or decided_by <> asked_by or alone),
	CONSTRAINT "approvals_not_concerned" CHECK (decided_by is null or concerns is null or decided_by <> concerns),
	CONSTRAINT "approvals_decided" CHECK ((state in ('approved', 'refused')) = (decided_by is not null) and (decided_by is null) = (decided_at is null))
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"factor_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"vault_key_id" text NOT NULL,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "staff_members" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"roles" text[] NOT NULL,
	"granted_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "staff_members_roles" CHECK (cardinality(roles) > 0 and roles <@ array['support', 'catalogue', 'finance', 'admin'])
);
--> statement-breakpoint
DROP INDEX "audit_by_subject";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "factor_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "staff_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "staff_reauthenticated_at" timestamp with time zone;--> statement-breakpoint
-- A constant default rewrites no row; the default of new rows follows.
ALTER TABLE "audit_entries" ADD COLUMN "xact" "xid8" DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ALTER COLUMN "xact" SET DEFAULT pg_current_xact_id();--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_concerns_users_id_fk" FOREIGN KEY ("concerns") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_factor_id_second_factors_id_fk" FOREIGN KEY ("factor_id") REFERENCES "public"."second_factors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_members" ADD CONSTRAINT "staff_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_open" ON "approvals" USING btree ("created_at","id") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "approvals_by_time" ON "approvals" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_seals_position" ON "audit_seals" USING btree ("position");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_hash" ON "recovery_codes" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "recovery_codes_factor" ON "recovery_codes" USING btree ("factor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "second_factors_live" ON "second_factors" USING btree ("user_id") WHERE confirmed_at is not null and ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "second_factors_new" ON "second_factors" USING btree ("user_id") WHERE confirmed_at is null and ended_at is null;--> statement-breakpoint
CREATE INDEX "second_factors_user" ON "second_factors" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_members_live" ON "staff_members" USING btree ("user_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "staff_members_user" ON "staff_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "orders_by_time" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_unfinished" ON "orders" USING btree ("status","created_at","id") WHERE status not in ('completed', 'shipped');--> statement-breakpoint
CREATE INDEX "orders_by_send_email" ON "orders" USING btree (lower("send_email") collate "C","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_transaction" ON "orders" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "orders_by_coupon" ON "orders" USING btree ("coupon_id","created_at","id") WHERE coupon_id is not null;--> statement-breakpoint
CREATE INDEX "audit_by_actor" ON "audit_entries" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "audit_by_subject" ON "audit_entries" USING btree ("subject","id");