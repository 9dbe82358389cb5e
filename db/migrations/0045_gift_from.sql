ALTER TABLE "gifts" ADD COLUMN "from_name" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "proof_hash" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "proof_until" timestamp with time zone;