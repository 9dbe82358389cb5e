CREATE TABLE "merchant_discounts" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"gross_cents" bigint NOT NULL,
	"discount_cents" bigint NOT NULL,
	"high_since" timestamp with time zone,
	"counted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "merchant_discounts" ADD CONSTRAINT "merchant_discounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "merchant_discounts_high" ON "merchant_discounts" USING btree ("high_since") WHERE high_since is not null;