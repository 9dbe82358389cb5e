ALTER TABLE "merchants" ADD COLUMN "proposed_name" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "proposed_name_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "name_note" text;