CREATE INDEX "plans_of_product" ON "plans" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX "payments_of_order" ON "payments" USING btree ("order_id");