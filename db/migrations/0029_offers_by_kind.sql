-- The next migration puts the second one in its place: until then lists are read as before.
CREATE INDEX "plan_offers_category_type" ON "plan_offers" USING btree ("category","type","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "plan_offers_new_dear" ON "plan_offers" USING btree ("cents" desc,"sort_num" desc,"product_id","per_day");
