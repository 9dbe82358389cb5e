DROP INDEX "plan_offers_dear";--> statement-breakpoint
CREATE INDEX "plan_offers_category_type" ON "plan_offers" USING btree ("category","type","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "plan_offers_dear" ON "plan_offers" USING btree ("cents" desc,"sort_num" desc,"product_id","per_day");