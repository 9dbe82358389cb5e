ALTER TABLE "saved_views" ADD COLUMN "shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" ADD COLUMN "is_default" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_list";--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_list" CHECK (list in ('orders', 'customers', 'mails', 'applications', 'products', 'keys', 'refunds', 'reviews', 'disputes', 'replacements', 'merchants', 'changes', 'batches', 'posts', 'referrals', 'audit')) NOT VALID;--> statement-breakpoint
-- outside
ALTER TABLE "saved_views" VALIDATE CONSTRAINT "saved_views_list";
