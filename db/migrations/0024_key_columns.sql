ALTER TABLE "merchants" ADD COLUMN "foreign_keys" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "keys_stopped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "weak_keys" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "letters_hash" bigint;