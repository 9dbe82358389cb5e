DROP INDEX "orders_by_transaction";--> statement-breakpoint
DROP INDEX "import_runs_by_time";--> statement-breakpoint
CREATE INDEX "posts_by_time" ON "posts" USING btree ("published_at","id");--> statement-breakpoint
CREATE INDEX "refund_requests_of_line" ON "refund_requests" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "reviews_by_time" ON "reviews" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_transaction" ON "orders" USING btree ("transaction_id") WHERE transaction_id is not null;--> statement-breakpoint
CREATE INDEX "import_runs_by_time" ON "import_runs" USING btree ("created_at","id");