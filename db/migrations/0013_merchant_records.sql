CREATE TABLE "stock_alerts" (
	"plan_id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"notified_at" timestamp with time zone,
	CONSTRAINT "stock_alerts_kind" CHECK (kind in ('days', 'codes', 'off')),
	CONSTRAINT "stock_alerts_value" CHECK (value >= 0)
);
--> statement-breakpoint
CREATE TABLE "plan_carts_daily" (
	"plan_id" integer NOT NULL,
	"day" date NOT NULL,
	"carts" integer NOT NULL,
	CONSTRAINT "plan_carts_daily_plan_id_day_pk" PRIMARY KEY("plan_id","day")
);
--> statement-breakpoint
CREATE TABLE "product_searches" (
	"product_id" integer NOT NULL,
	"merchant_id" text NOT NULL,
	"content" text NOT NULL,
	"searches" integer NOT NULL,
	"place" integer NOT NULL,
	CONSTRAINT "product_searches_product_id_content_pk" PRIMARY KEY("product_id","content")
);
--> statement-breakpoint
CREATE TABLE "product_views_daily" (
	"product_id" integer NOT NULL,
	"day" date NOT NULL,
	"views" integer NOT NULL,
	CONSTRAINT "product_views_daily_product_id_day_pk" PRIMARY KEY("product_id","day")
);
--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_list";--> statement-breakpoint
DROP INDEX "merchant_sales_of_plan";--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "product_changes" ADD COLUMN "kind" text NOT NULL;--> statement-breakpoint
ALTER TABLE "product_changes" ADD COLUMN "risk" text NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "stock_alerts" ADD CONSTRAINT "stock_alerts_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_carts_daily" ADD CONSTRAINT "plan_carts_daily_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_searches" ADD CONSTRAINT "product_searches_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_searches" ADD CONSTRAINT "product_searches_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_views_daily" ADD CONSTRAINT "product_views_daily_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plan_carts_daily_by_day" ON "plan_carts_daily" USING btree ("day");--> statement-breakpoint
CREATE INDEX "product_searches_of_merchant" ON "product_searches" USING btree ("merchant_id","searches","product_id");--> statement-breakpoint
CREATE INDEX "product_views_daily_by_day" ON "product_views_daily" USING btree ("day");--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_batches_newest" ON "key_batches" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "replacement_requests_of_merchant" ON "replacement_requests" USING btree ("merchant_id","created_at","id") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "replacement_requests_decided_of_merchant" ON "replacement_requests" USING btree ("merchant_id","decided_at","id") WHERE state <> 'asked';--> statement-breakpoint
CREATE INDEX "merchant_sales_of_product" ON "merchant_sales" USING btree ("product_id","sold_at","line_id");--> statement-breakpoint
CREATE INDEX "refund_requests_of_merchant" ON "refund_requests" USING btree ("merchant_id","answer_by","id") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "refund_requests_decided_of_merchant" ON "refund_requests" USING btree ("merchant_id","decided_at","id") WHERE state <> 'asked';--> statement-breakpoint
CREATE INDEX "reviews_of_merchant" ON "reviews" USING btree ("merchant_id","created_at","id") WHERE state = 'published';--> statement-breakpoint
CREATE INDEX "merchant_sales_of_plan" ON "merchant_sales" USING btree ("plan_id","sold_at","line_id");--> statement-breakpoint
ALTER TABLE "product_changes" ADD CONSTRAINT "product_changes_kind" CHECK (kind in ('new', 'plans', 'details', 'price', 'availability', 'texts'));--> statement-breakpoint
ALTER TABLE "product_changes" ADD CONSTRAINT "product_changes_risk" CHECK (risk in ('low', 'high'));--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_list" CHECK (list in ('orders', 'customers', 'mails', 'applications', 'products', 'keys', 'refunds', 'reviews'));