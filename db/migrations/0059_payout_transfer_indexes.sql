-- outside
CREATE INDEX CONCURRENTLY "payout_attempts_open" ON "payout_attempts" USING btree ("created_at") WHERE ended_at is null and file_id is null;
--> statement-breakpoint
-- outside
CREATE UNIQUE INDEX CONCURRENTLY "payout_attempts_transfer" ON "payout_attempts" USING btree ("transfer_id");
