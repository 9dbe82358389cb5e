DROP INDEX "refunds_one_per_line";--> statement-breakpoint
DROP INDEX "keys_available";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "refunded_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "refunded_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "intent_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_once" ON "refunds" USING btree ("order_id",coalesce(order_line_id, ''),"reason",coalesce(intent_id, '')) WHERE state <> 'failed';--> statement-breakpoint
CREATE INDEX "keys_available" ON "keys" USING btree ("plan_id","redeem_by","created_at","id") WHERE state = 'available';--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_refunded" CHECK (refunded_quantity between 0 and quantity and refunded_cents between 0 and total_cents);