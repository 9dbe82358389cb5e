ALTER TABLE "refunds" DROP CONSTRAINT "refunds_state";--> statement-breakpoint
DROP INDEX "refunds_once";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "part" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "requested_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_once" ON "refunds" USING btree ("order_id",coalesce(order_line_id, ''),"reason",coalesce(intent_id, ''),"part") WHERE state not in ('failed', 'cancelled');--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_state" CHECK (state in ('pending', 'submitted', 'succeeded', 'failed', 'cancelled'));