-- Tax that is added to prices, or taken off them. The new checks allow more than the ones before: NOT VALID saves reading the tables
-- under their locks.
ALTER TABLE "merchant_sales" DROP CONSTRAINT "merchant_sales_refunded";
--> statement-breakpoint
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_money";
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_money";
--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "added_tax_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "added_tax_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "order_taxes" ADD COLUMN "price_bps" integer;
--> statement-breakpoint
ALTER TABLE "merchant_sales" ADD CONSTRAINT "merchant_sales_refunded" CHECK (refunded_units between 0 and units and refunded_cents >= 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_money" CHECK (quantity > 0 and unit_price_cents >= 0 and discount_cents >= 0 and total_cents = unit_price_cents * quantity - discount_cents + added_tax_cents and total_cents >= 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_money" CHECK (subtotal_cents >= 0 and discount_cents between 0 and subtotal_cents and total_cents = subtotal_cents - discount_cents + added_tax_cents and total_cents >= 0) NOT VALID;