CREATE TABLE "product_revisions" (
	"product_id" integer NOT NULL,
	"revision" integer NOT NULL,
	"line" jsonb NOT NULL,
	"source" text NOT NULL,
	"by" text NOT NULL,
	"note" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "product_revisions_product_id_revision_pk" PRIMARY KEY("product_id","revision"),
	CONSTRAINT "product_revisions_source" CHECK (source in ('import', 'console'))
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" text PRIMARY KEY NOT NULL,
	"texts" jsonb NOT NULL,
	"link" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "announcements_period" CHECK (starts_at <= ends_at)
);
--> statement-breakpoint
CREATE TABLE "import_pictures" (
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "import_pictures_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
CREATE TABLE "import_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"sha256" text NOT NULL,
	"name" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"lines" integer NOT NULL,
	"counts" jsonb NOT NULL,
	"report" jsonb NOT NULL,
	"started_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"beat_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "import_runs_kind" CHECK (kind in ('catalog', 'keys', 'coupons')),
	CONSTRAINT "import_runs_state" CHECK (state in ('running', 'done', 'failed', 'broken')),
	CONSTRAINT "import_runs_ended" CHECK ((state = 'running') = (ended_at is null))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_account";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_state";--> statement-breakpoint
DROP INDEX "orders_by_transaction";--> statement-breakpoint
ALTER TABLE "rate_limits" ALTER COLUMN "bucket" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "search_synonyms" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "search_synonyms" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "evidence_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "asked_by" text;--> statement-breakpoint
ALTER TABLE "product_revisions" ADD CONSTRAINT "product_revisions_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_pictures" ADD CONSTRAINT "import_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_pictures" ADD CONSTRAINT "import_pictures_hash_product_images_hash_fk" FOREIGN KEY ("hash") REFERENCES "public"."product_images"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announcements_by_start" ON "announcements" USING btree ("starts_at");--> statement-breakpoint
CREATE INDEX "announcements_by_end" ON "announcements" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "import_pictures_hash" ON "import_pictures" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "import_runs_running" ON "import_runs" USING btree ("kind","sha256") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "import_runs_by_time" ON "import_runs" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "posts_by_time" ON "posts" USING btree ("published_at","id");--> statement-breakpoint
CREATE INDEX "plans_of_product" ON "plans" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX "coupons_used" ON "coupons" USING btree ("campaign_id") WHERE state = 'used';--> statement-breakpoint
CREATE INDEX "replacement_requests_by_state" ON "replacement_requests" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "replacement_requests_of_user" ON "replacement_requests" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_daily_ran_out" ON "stock_daily" USING btree ("day") WHERE ran_out > 0;--> statement-breakpoint
CREATE INDEX "disputes_by_due" ON "disputes" USING btree (coalesce("evidence_due_at", "created_at"),"id") WHERE is_open;--> statement-breakpoint
CREATE INDEX "disputes_closed" ON "disputes" USING btree ("created_at","id") WHERE not is_open;--> statement-breakpoint
CREATE INDEX "payments_of_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refund_requests_of_line" ON "refund_requests" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "refund_requests_refused" ON "refund_requests" USING btree ("decided_at","id") WHERE state = 'refused';--> statement-breakpoint
CREATE INDEX "refunds_failed" ON "refunds" USING btree ("updated_at","id") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "referrals_by_time" ON "referrals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "referrals_by_state" ON "referrals" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_time" ON "reviews" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_state" ON "reviews" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_product" ON "reviews" USING btree ("product_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_transaction" ON "orders" USING btree ("transaction_id") WHERE transaction_id is not null;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_source" CHECK (source in ('import', 'console'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_source" CHECK (source in ('import', 'console'));--> statement-breakpoint
ALTER TABLE "search_synonyms" ADD CONSTRAINT "search_synonyms_source" CHECK (source in ('import', 'console'));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_account" CHECK (account in ('provider_cash', 'sales', 'refunds', 'other_cash'));--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_two_people" CHECK (decided_by is null or (decided_by <> user_id and decided_by is distinct from asked_by));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_state" CHECK (state in ('pending', 'submitted', 'succeeded', 'failed', 'cancelled', 'settled'));--> statement-breakpoint
-- The coupons that the shop gives by itself are called coupons everywhere, also in a coupon's own title. A title that staff
-- have changed stays.
UPDATE "campaigns" SET "title" = '{"en": "Daily coupon", "zh": "每日优惠券", "ja": "デイリークーポン"}'
  WHERE "id" = 'daily' AND "title" = '{"en": "Daily voucher", "zh": "每日代金券", "ja": "デイリークーポン"}';--> statement-breakpoint
UPDATE "campaigns" SET "title" = '{"en": "First-order coupon", "zh": "首单优惠券", "ja": "初回購入クーポン"}'
  WHERE "id" = 'new_user' AND "title" = '{"en": "First-order voucher", "zh": "首单代金券", "ja": "初回購入クーポン"}';
