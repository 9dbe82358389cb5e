-- Staff ask for the replacement of a code, and somebody else decides; withheld codes are found by their plan.
-- outside
CREATE INDEX CONCURRENTLY "keys_withheld" ON "keys" USING btree ("plan_id") WHERE state = 'withheld';--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD COLUMN "asked_by" text;--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_two_people" CHECK (asked_by is null or decided_by is null or decided_by <> asked_by) NOT VALID;
