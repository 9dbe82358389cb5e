CREATE TABLE "announcements" (
	"id" text PRIMARY KEY NOT NULL,
	"texts" jsonb NOT NULL,
	"link" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "announcements_period" CHECK (starts_at <= ends_at)
);
--> statement-breakpoint
ALTER TABLE "rate_limits" ALTER COLUMN "bucket" SET DATA TYPE text collate "C";--> statement-breakpoint
CREATE INDEX "announcements_by_start" ON "announcements" USING btree ("starts_at");--> statement-breakpoint
CREATE INDEX "announcements_by_end" ON "announcements" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "coupons_used" ON "coupons" USING btree ("campaign_id") WHERE state = 'used';--> statement-breakpoint
CREATE INDEX "replacement_requests_by_state" ON "replacement_requests" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_daily_ran_out" ON "stock_daily" USING btree ("day") WHERE ran_out > 0;--> statement-breakpoint
CREATE INDEX "refunds_failed" ON "refunds" USING btree ("updated_at","id") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "referrals_by_time" ON "referrals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "referrals_by_state" ON "referrals" USING btree ("state","created_at","id");