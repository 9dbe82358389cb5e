CREATE TABLE "stock_alerts" (
	"plan_id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "stock_alerts_kind" CHECK (kind in ('days', 'codes', 'off')),
	CONSTRAINT "stock_alerts_value" CHECK (value >= 0)
);
--> statement-breakpoint
ALTER TABLE "stock_alerts" ADD CONSTRAINT "stock_alerts_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_batches_newest" ON "key_batches" USING btree ("created_at","id");