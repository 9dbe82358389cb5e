-- An order keeps when its lines were put into the cart, so that a cart is counted once.
ALTER TABLE "order_lines" ADD COLUMN "cart_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "cart_source" text;--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "order_lines_by_cart" ON "order_lines" USING btree ("cart_at") WHERE cart_at is not null;
