CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "search_synonyms" (
	"slug" text PRIMARY KEY NOT NULL,
	"terms" jsonb NOT NULL,
	"query" text NOT NULL,
	"import_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"order_number" text,
	"user_id" text,
	"locale" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_number_months" (
	"month" text PRIMARY KEY NOT NULL,
	"start" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"id" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"rates" jsonb NOT NULL,
	"fetched_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "exchange_rates_single" CHECK (id = 'current')
);
--> statement-breakpoint
ALTER TABLE "deals" DROP CONSTRAINT "deals_price";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "texts" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "search_terms" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "includes" jsonb;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "vendor_slug" text GENERATED ALWAYS AS (case when regexp_replace(normalize(lower(vendor), NFKD), '[\u0300-\u036f'']', '', 'g') ~ '[^ -~]' or regexp_replace(normalize(lower(vendor), NFKD), '[\u0300-\u036f'']', '', 'g') !~ '[a-z0-9]' then ltrim(trim(both '-' from left(regexp_replace(regexp_replace(normalize(lower(vendor), NFKD), '[\u0300-\u036f'']', '', 'g'), '[^a-z0-9]+', '-', 'g'), 60)) || '-', '-') || left(md5(vendor), 8) else trim(both '-' from left(regexp_replace(regexp_replace(normalize(lower(vendor), NFKD), '[\u0300-\u036f'']', '', 'g'), '[^a-z0-9]+', '-', 'g'), 60)) end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "search_terms" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "search_vocabulary" ADD COLUMN "stem" text GENERATED ALWAYS AS (coalesce((ts_lexize('english_stem', word))[1], word)) STORED;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "order_number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "order_number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "attribution" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "cancel_requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "source_events" ADD COLUMN "visitor" text;--> statement-breakpoint
CREATE INDEX "contact_messages_by_time" ON "contact_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_messages_of_user" ON "contact_messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "contact_messages_by_email" ON "contact_messages" USING btree ("email");--> statement-breakpoint
CREATE INDEX "products_by_vendor" ON "products" USING btree ("vendor_slug");--> statement-breakpoint
CREATE INDEX "search_vocabulary_by_stem" ON "search_vocabulary" USING btree ("stem");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number" ON "orders" USING btree ("order_number");--> statement-breakpoint
CREATE INDEX "reviews_rated" ON "reviews" USING btree ("product_id","rating") WHERE state = 'published';--> statement-breakpoint
CREATE INDEX "source_events_of_visitor" ON "source_events" USING btree ("visitor","created_at") WHERE visitor is not null;--> statement-breakpoint
-- The import has always refused such a deal price; the check below needs every row to follow.
UPDATE "deals" SET "price_cents" = 50 WHERE "price_cents" < 50;--> statement-breakpoint
-- A pass below the provider's least charge is free, one per person (db/functions/free_cheap_plan.sql).
UPDATE "plans" SET "price_cents" = 0, "purchase_limit" = 1 WHERE "price_cents" BETWEEN 1 AND 49;--> statement-breakpoint
-- The daily coupon has no minimum order, unless staff have set another than the former one.
UPDATE "campaigns" SET "minimum_cents" = 0 WHERE "id" = 'daily' AND "minimum_cents" = 1000;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_price" CHECK (price_cents >= 50);--> statement-breakpoint
UPDATE "orders" o SET "order_number" = 'PL-' || n.month || '-' || lpad(n.running::text, greatest(4, length(n.running::text)), '0')
FROM (
  SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYMM') AS month,
    row_number() OVER (PARTITION BY to_char(created_at AT TIME ZONE 'UTC', 'YYMM') ORDER BY created_at, id) AS running
  FROM "orders"
) n WHERE n.id = o.id;--> statement-breakpoint
SELECT setval('order_numbers', greatest(1, (SELECT count(*) FROM "orders")), EXISTS (SELECT FROM "orders"));--> statement-breakpoint
INSERT INTO "order_number_months" ("month", "start")
SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYMM'), (SELECT count(*) FROM "orders") - count(*)
FROM "orders" GROUP BY 1;
