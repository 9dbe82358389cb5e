CREATE TABLE "price_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "price_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" integer NOT NULL,
	"kind" text NOT NULL,
	"cents" integer,
	"was_cents" integer,
	"at" timestamp with time zone NOT NULL,
	"deal_id" text,
	"by" text NOT NULL,
	CONSTRAINT "price_changes_kind" CHECK (kind in ('price', 'list', 'deal_start', 'deal_end')),
	CONSTRAINT "price_changes_deal" CHECK ((kind in ('deal_start', 'deal_end')) = (deal_id is not null)),
	CONSTRAINT "price_changes_cents" CHECK (cents is not null or kind = 'list')
);
--> statement-breakpoint
CREATE TABLE "stock_daily" (
	"day" date NOT NULL,
	"plan_id" integer NOT NULL,
	"opening" integer NOT NULL,
	"closing" integer NOT NULL,
	"lowest" integer NOT NULL,
	"ran_out" integer NOT NULL,
	CONSTRAINT "stock_daily_day_plan_id_pk" PRIMARY KEY("day","plan_id")
);
--> statement-breakpoint
CREATE TABLE "sales_daily" (
	"day" date PRIMARY KEY NOT NULL,
	"orders" integer NOT NULL,
	"revenue_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"delivered" integer NOT NULL,
	"delivery_seconds" integer,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "price_changes" ADD CONSTRAINT "price_changes_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_daily" ADD CONSTRAINT "stock_daily_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "price_changes_of_plan" ON "price_changes" USING btree ("plan_id","at");--> statement-breakpoint
CREATE INDEX "key_events_by_time" ON "key_events" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "orders_by_payment" ON "orders" USING btree ("paid_at") WHERE paid_at is not null;--> statement-breakpoint
CREATE INDEX "ledger_by_time" ON "ledger_entries" USING brin ("created_at");--> statement-breakpoint
-- The present prices are the first entries. They are known to have been in force since the last import of the product.
INSERT INTO "price_changes" ("plan_id", "kind", "cents", "at", "by")
SELECT pl.id, c.kind, c.cents, p.updated_at, 'migration'
FROM "plans" pl JOIN "products" p ON p.id = pl.product_id
CROSS JOIN LATERAL (VALUES ('price', pl.price_cents), ('list', pl.list_price_cents)) c(kind, cents)
WHERE c.cents IS NOT NULL ORDER BY pl.id;--> statement-breakpoint
INSERT INTO "price_changes" ("plan_id", "kind", "cents", "was_cents", "at", "deal_id", "by")
SELECT d.plan_id, c.kind, c.cents, c.was_cents, c.at, d.id, 'migration'
FROM "deals" d JOIN "plans" pl ON pl.id = d.plan_id
CROSS JOIN LATERAL (VALUES ('deal_start', d.price_cents, pl.price_cents, d.created_at),
  ('deal_end', pl.price_cents, d.price_cents, greatest(d.created_at, least(d.ended_at, d.ends_at)))) c(kind, cents, was_cents, at)
ORDER BY d.created_at, d.id, c.kind DESC;
