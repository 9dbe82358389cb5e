-- Staff require a new password of an account that somebody else has entered, and find accounts by name.
ALTER TABLE "users" ADD COLUMN "new_password_required_at" timestamp with time zone;--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "users_by_name" ON "users" USING btree (lower("username") collate "C","created_at","id") WHERE deleted_at is null;
