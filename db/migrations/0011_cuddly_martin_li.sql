ALTER TABLE "disputes" ADD COLUMN "evidence_due_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "replacement_requests_by_state" ON "replacement_requests" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "replacement_requests_of_user" ON "replacement_requests" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_by_due" ON "disputes" USING btree (coalesce("evidence_due_at", "created_at"),"id") WHERE is_open;--> statement-breakpoint
CREATE INDEX "disputes_closed" ON "disputes" USING btree ("created_at","id") WHERE not is_open;--> statement-breakpoint
CREATE INDEX "reviews_by_state" ON "reviews" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_product" ON "reviews" USING btree ("product_id","created_at","id");