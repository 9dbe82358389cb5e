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
CREATE TABLE "exchange_rates" (
	"id" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"rates" jsonb NOT NULL,
	"fetched_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "exchange_rates_single" CHECK (id = 'current')
);
--> statement-breakpoint
ALTER TABLE "deals" DROP CONSTRAINT "deals_price";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "attribution" jsonb;--> statement-breakpoint
ALTER TABLE "source_events" ADD COLUMN "visitor" text;--> statement-breakpoint
CREATE INDEX "contact_messages_by_time" ON "contact_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_messages_of_user" ON "contact_messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "contact_messages_by_email" ON "contact_messages" USING btree ("email");--> statement-breakpoint
CREATE INDEX "source_events_of_visitor" ON "source_events" USING btree ("visitor","created_at") WHERE visitor is not null;--> statement-breakpoint
-- The import has always refused such a deal price; the check below needs every row to follow.
UPDATE "deals" SET "price_cents" = 50 WHERE "price_cents" < 50;--> statement-breakpoint
-- A pass below the provider's least charge is free, one per person (db/functions/free_cheap_plan.sql).
UPDATE "plans" SET "price_cents" = 0, "purchase_limit" = 1 WHERE "price_cents" BETWEEN 1 AND 49;--> statement-breakpoint
-- The daily coupon has no minimum order, unless staff have set another than the former one.
UPDATE "campaigns" SET "minimum_cents" = 0 WHERE "id" = 'daily' AND "minimum_cents" = 1000;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_price" CHECK (price_cents >= 50);