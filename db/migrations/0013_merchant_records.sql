DROP INDEX "merchant_sales_of_plan";--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "merchant_id" text;--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replacement_requests_of_merchant" ON "replacement_requests" USING btree ("merchant_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "merchant_sales_of_product" ON "merchant_sales" USING btree ("product_id","sold_at","line_id");--> statement-breakpoint
CREATE INDEX "refund_requests_of_merchant" ON "refund_requests" USING btree ("merchant_id","answer_by","id") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "refund_requests_decided_of_merchant" ON "refund_requests" USING btree ("merchant_id","decided_at","id") WHERE state <> 'asked';--> statement-breakpoint
CREATE INDEX "reviews_of_merchant" ON "reviews" USING btree ("merchant_id","created_at","id") WHERE state = 'published';--> statement-breakpoint
CREATE INDEX "merchant_sales_of_plan" ON "merchant_sales" USING btree ("plan_id","sold_at","line_id");