CREATE TABLE "merchants" (
	"id" text PRIMARY KEY NOT NULL,
	"handle" text NOT NULL,
	"name" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"trust" text DEFAULT 'new' NOT NULL,
	"state_note" text,
	"state_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"country" text,
	"locale" text DEFAULT 'en' NOT NULL,
	"support_email" text,
	"website" text,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"closed_until" timestamp with time zone,
	"application_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "merchants_handle_unique" UNIQUE("handle"),
	CONSTRAINT "merchants_state" CHECK (state in ('invited', 'active', 'paused', 'suspended', 'ended')),
	CONSTRAINT "merchants_trust" CHECK (trust in ('new', 'trusted'))
);
--> statement-breakpoint
CREATE TABLE "key_batches" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"sha256" text NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"statement" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"lines" integer NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"report" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"beat_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "key_batches_source" CHECK (source in ('issued', 'licensed')),
	CONSTRAINT "key_batches_state" CHECK (state in ('running', 'done', 'failed')),
	CONSTRAINT "key_batches_ended" CHECK ((state = 'running') = (ended_at is null))
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"networks" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoked_by" text
);
--> statement-breakpoint
CREATE TABLE "commission_rules" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text,
	"category" text,
	"pass_type" text,
	"bps" integer NOT NULL,
	"fixed_cents" integer DEFAULT 0 NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "commission_rules_amounts" CHECK (bps between 0 and 10000 and fixed_cents >= 0),
	CONSTRAINT "commission_rules_type" CHECK (pass_type is null or pass_type in ('day', 'week', 'month', 'year', 'lifetime'))
);
--> statement-breakpoint
CREATE TABLE "merchant_invites" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"locale" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "merchant_invites_role" CHECK (role in ('owner', 'member')),
	CONSTRAINT "merchant_invites_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "merchant_members" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"invited_by" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "merchant_members_role" CHECK (role in ('owner', 'member'))
);
--> statement-breakpoint
CREATE TABLE "merchant_sales" (
	"line_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"order_id" text NOT NULL,
	"product_id" integer NOT NULL,
	"plan_id" integer NOT NULL,
	"sold_at" timestamp with time zone NOT NULL,
	"buyer" text NOT NULL,
	"units" integer NOT NULL,
	"refunded_units" integer DEFAULT 0 NOT NULL,
	"gross_cents" integer NOT NULL,
	"discount_cents" integer NOT NULL,
	"funded_by" text NOT NULL,
	"rule_id" text NOT NULL,
	"commission_cents" integer NOT NULL,
	"net_cents" integer NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"commission_back_cents" integer DEFAULT 0 NOT NULL,
	"net_back_cents" integer DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'sold' NOT NULL,
	"available_at" timestamp with time zone NOT NULL,
	CONSTRAINT "merchant_sales_state" CHECK (state in ('sold', 'reduced', 'refunded')),
	CONSTRAINT "merchant_sales_funded_by" CHECK (funded_by in ('shop', 'merchant')),
	CONSTRAINT "merchant_sales_refunded" CHECK (refunded_units between 0 and units and refunded_cents between 0 and gross_cents)
);
--> statement-breakpoint
CREATE TABLE "product_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"product_id" integer,
	"state" text DEFAULT 'draft' NOT NULL,
	"base_revision" integer NOT NULL,
	"content" jsonb NOT NULL,
	"note" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"proposed_at" timestamp with time zone,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"revision" integer,
	CONSTRAINT "product_changes_state" CHECK (state in ('draft', 'proposed', 'returned', 'approved', 'refused', 'cancelled')),
	CONSTRAINT "product_changes_decided" CHECK ((state in ('approved', 'refused')) = (decided_at is not null) and (state = 'draft' or state = 'cancelled' or proposed_at is not null))
);
--> statement-breakpoint
CREATE TABLE "review_replies" (
	"review_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"text" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"written_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"note" text,
	CONSTRAINT "review_replies_state" CHECK (state in ('waiting', 'shown', 'refused'))
);
--> statement-breakpoint
-- The trigger products_queue_listing goes on with "published"; db/functions writes it again with "listed".
ALTER TABLE "products" RENAME COLUMN "listed" TO "published";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "blocked_reason" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "listed" boolean GENERATED ALWAYS AS (published and blocked_reason is null) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "merchant_id" text DEFAULT null;--> statement-breakpoint
-- One merchant for each vendor, without members.
INSERT INTO "merchants" ("id", "handle", "name")
  SELECT 'mch_' || left(md5("vendor_slug"), 20), "vendor_slug", min("vendor") FROM "products" GROUP BY "vendor_slug";--> statement-breakpoint
UPDATE "products" SET "merchant_id" = 'mch_' || left(md5("vendor_slug"), 20);--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "merchant_id" SET NOT NULL;--> statement-breakpoint
-- The shop keeps 15 % of a sale where no other rule says so.
INSERT INTO "commission_rules" ("id", "bps", "valid_from", "created_by") VALUES ('cmr_default', 1500, '2020-01-01', 'system');--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "key_batches" ADD CONSTRAINT "key_batches_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_rules" ADD CONSTRAINT "commission_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_rules" ADD CONSTRAINT "commission_rules_category_categories_slug_fk" FOREIGN KEY ("category") REFERENCES "public"."categories"("slug") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_invites" ADD CONSTRAINT "merchant_invites_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_members" ADD CONSTRAINT "merchant_members_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_members" ADD CONSTRAINT "merchant_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_rule_id_commission_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."commission_rules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_changes" ADD CONSTRAINT "product_changes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_changes" ADD CONSTRAINT "product_changes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_replies" ADD CONSTRAINT "review_replies_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_replies" ADD CONSTRAINT "review_replies_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merchants_by_time" ON "merchants" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "merchants_by_state" ON "merchants" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "merchants_by_name" ON "merchants" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE UNIQUE INDEX "key_batches_file" ON "key_batches" USING btree ("merchant_id","sha256");--> statement-breakpoint
CREATE INDEX "key_batches_by_time" ON "key_batches" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_tokens_of_merchant" ON "api_tokens" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "commission_rules_of_merchant" ON "commission_rules" USING btree ("merchant_id","valid_from");--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_invites_token" ON "merchant_invites" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_invites_open" ON "merchant_invites" USING btree ("merchant_id","email") WHERE accepted_at is null and revoked_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_members_live" ON "merchant_members" USING btree ("merchant_id","user_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "merchant_members_of_user" ON "merchant_members" USING btree ("user_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "merchant_sales_by_time" ON "merchant_sales" USING btree ("merchant_id","sold_at","line_id");--> statement-breakpoint
CREATE INDEX "merchant_sales_by_state" ON "merchant_sales" USING btree ("merchant_id","state","sold_at","line_id");--> statement-breakpoint
CREATE INDEX "merchant_sales_of_plan" ON "merchant_sales" USING btree ("plan_id","sold_at");--> statement-breakpoint
CREATE INDEX "product_changes_of_merchant" ON "product_changes" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "product_changes_by_state" ON "product_changes" USING btree ("state","proposed_at","id");--> statement-breakpoint
CREATE INDEX "product_changes_of_product" ON "product_changes" USING btree ("product_id","created_at");--> statement-breakpoint
CREATE INDEX "review_replies_by_state" ON "review_replies" USING btree ("state","created_at","review_id");--> statement-breakpoint
CREATE INDEX "review_replies_of_merchant" ON "review_replies" USING btree ("merchant_id","created_at","review_id");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_batch_id_key_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."key_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "products_of_merchant" ON "products" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "keys_by_batch" ON "keys" USING btree ("batch_id","state") WHERE batch_id is not null;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_blocked_reason" CHECK (blocked_reason is null or blocked_reason in ('merchant_invited', 'merchant_paused', 'merchant_suspended', 'merchant_ended'));