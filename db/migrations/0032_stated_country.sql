ALTER TABLE "refund_requests" ADD COLUMN "stated_country" text;--> statement-breakpoint
ALTER TABLE "sandbox_intents" ADD COLUMN "card_country" text;