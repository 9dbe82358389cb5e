ALTER TABLE "key_batches" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "key_batches" ADD COLUMN "withdrawn_by_shop" boolean DEFAULT false NOT NULL;