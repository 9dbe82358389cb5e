ALTER TABLE "keys" ADD COLUMN "consent" jsonb;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "immediate_delivery" boolean;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "consent" jsonb;