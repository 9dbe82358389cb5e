-- The funnel by source and searches without results (docs/product.md#13-staff-console); views of two more lists.
CREATE TABLE "empty_searches" (
	"content" text NOT NULL,
	"locale" text NOT NULL,
	"searches" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "empty_searches_content_locale_pk" PRIMARY KEY("content","locale")
);
--> statement-breakpoint
CREATE TABLE "source_figures_daily" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"visits" integer NOT NULL,
	"product_views" integer NOT NULL,
	"carts" integer NOT NULL,
	"orders" integer NOT NULL,
	"paid" integer NOT NULL,
	CONSTRAINT "source_figures_daily_day_kind_source_pk" PRIMARY KEY("day","kind","source"),
	CONSTRAINT "source_figures_daily_kind" CHECK (kind in ('all', 'none', 'named', 'other'))
);
--> statement-breakpoint
CREATE TABLE "source_figures" (
	"days" integer NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"visits" integer NOT NULL,
	"product_views" integer NOT NULL,
	"carts" integer NOT NULL,
	"orders" integer NOT NULL,
	"paid" integer NOT NULL,
	CONSTRAINT "source_figures_days_kind_source_pk" PRIMARY KEY("days","kind","source"),
	CONSTRAINT "source_figures_kind" CHECK (kind in ('all', 'none', 'named', 'other'))
);
--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_list";--> statement-breakpoint
ALTER TABLE "cart_lines" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "visits" ADD COLUMN "source" text;--> statement-breakpoint
-- The table is new.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "empty_searches_by_count" ON "empty_searches" USING btree ("searches","content","locale");--> statement-breakpoint
-- The table is new.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "source_figures_daily_of_source" ON "source_figures_daily" USING btree ("kind","source","day");--> statement-breakpoint
-- The table is new.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "source_figures_by_visits" ON "source_figures" USING btree ("days","visits","kind","source") WHERE kind <> 'all';--> statement-breakpoint
-- The table is small: a person has 100 views at most.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_list" CHECK (list in ('orders', 'customers', 'mails', 'applications', 'products', 'keys', 'refunds', 'reviews', 'disputes', 'replacements'));