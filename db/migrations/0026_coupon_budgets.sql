-- Coupons leave the payment provider's least charge to pay unless their campaign is marked as free; campaigns have a budget
-- per day, and claims are counted per mail domain, device and address group. The new check holds for the defaults: NOT VALID
-- saves reading the table under its lock.
CREATE TABLE "coupon_claims" (
	"coupon_id" text NOT NULL,
	"campaign_id" text NOT NULL,
	"mail_domain" text,
	"device" text,
	"address_group" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "coupon_claims_campaign_id_created_at_coupon_id_pk" PRIMARY KEY("campaign_id","created_at","coupon_id")
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "free" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "daily_budget_cents" integer;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "budget_day" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "promised_today_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "coupons" ADD COLUMN "free" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_daily_budget" CHECK (promised_today_cents >= 0 and (daily_budget_cents is null or daily_budget_cents >= 0)) NOT VALID;--> statement-breakpoint
UPDATE "campaigns" SET "daily_budget_cents" = 25000 WHERE "id" = 'daily';
