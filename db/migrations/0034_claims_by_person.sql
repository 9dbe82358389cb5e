ALTER TABLE "purchase_claims" ADD COLUMN "person" text;--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_claims_person" ON "purchase_claims" USING btree ("person","plan_id","slot");