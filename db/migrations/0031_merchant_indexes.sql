-- outside
CREATE INDEX CONCURRENTLY "merchants_stopped" ON "merchants" USING btree ("keys_stopped_at") WHERE keys_stopped_at is not null;--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "merchants_renamed" ON "merchants" USING btree ("proposed_name_at") WHERE proposed_name_at is not null;