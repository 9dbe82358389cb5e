ALTER TABLE "verification_codes" ADD COLUMN "asked_from" text;--> statement-breakpoint
ALTER TABLE "verification_codes" ADD COLUMN "tries_elsewhere" integer DEFAULT 0 NOT NULL;