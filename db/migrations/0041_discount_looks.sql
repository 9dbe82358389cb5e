ALTER TABLE "merchant_discounts" ADD COLUMN "looked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "merchant_discounts" ADD COLUMN "looked_gross_cents" bigint;--> statement-breakpoint
ALTER TABLE "merchant_discounts" ADD COLUMN "looked_discount_cents" bigint;