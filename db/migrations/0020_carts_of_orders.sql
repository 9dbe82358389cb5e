-- An order keeps when its lines were put into the cart, so that a cart is counted once.
ALTER TABLE "order_lines" ADD COLUMN "cart_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "cart_source" text;
