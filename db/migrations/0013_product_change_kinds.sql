ALTER TABLE "product_changes" ADD COLUMN "kind" text NOT NULL;--> statement-breakpoint
ALTER TABLE "product_changes" ADD COLUMN "risk" text NOT NULL;--> statement-breakpoint
ALTER TABLE "product_changes" ADD CONSTRAINT "product_changes_kind" CHECK (kind in ('new', 'plans', 'details', 'price', 'availability', 'texts'));--> statement-breakpoint
ALTER TABLE "product_changes" ADD CONSTRAINT "product_changes_risk" CHECK (risk in ('low', 'high'));