-- Indexes of what is due, and partitions by month for visits, searches and source events (docs/operations.md#partitions).
-- Statements that are marked `outside` run before the others of their file, each alone, and may run again.
-- outside
CREATE INDEX CONCURRENTLY "sessions_by_end" ON "sessions" USING btree (least("revoked_at", "expires_at"));
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "verification_codes_by_time" ON "verification_codes" USING btree ("created_at");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "verification_codes_of_user" ON "verification_codes" USING btree ("user_id") WHERE user_id is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "plans_by_duration" ON "plans" USING btree ("duration_days");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "keys_to_remind" ON "keys" USING btree (coalesce(activated_at, first_revealed_at)) WHERE state = 'assigned' and (reminded_at is null or reminded_at < coalesce(activated_at, first_revealed_at));
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "keys_to_redeem" ON "keys" USING btree ("redeem_by") WHERE state = 'assigned' and reminded_at is null and coalesce(activated_at, first_revealed_at) is null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "replacement_requests_without_merchant" ON "replacement_requests" USING btree ("id") WHERE merchant_id is null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "mails_of_user" ON "mails" USING btree ((refs->>'userId')) WHERE refs->>'userId' is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "mails_of_order" ON "mails" USING btree ((refs->>'orderId')) WHERE refs->>'orderId' is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "wait_list_told" ON "wait_list" USING btree ("plan_id","ended_at") WHERE state = 'told';
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "wait_list_of_user" ON "wait_list" USING btree ("user_id");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "gifts_by_recipient" ON "gifts" USING btree (lower("recipient_email")) WHERE recipient_email is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "orders_to_complete" ON "orders" USING btree ("id") WHERE status = 'shipped';
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "refund_requests_of_user" ON "refund_requests" USING btree ("user_id");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "refund_requests_without_merchant" ON "refund_requests" USING btree ("id") WHERE merchant_id is null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "webhook_events_by_time" ON "webhook_events" USING btree ("created_at");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "reviews_without_merchant" ON "reviews" USING btree ("id") WHERE merchant_id is null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "source_events_of_user" ON "source_events" USING btree ("user_id","created_at") WHERE user_id is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "payments_by_time" ON "payments" USING brin ("created_at");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "refunds_by_time" ON "refunds" USING brin ("created_at");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "cart_lines_by_time" ON "cart_lines" USING btree ("created_at");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "merchant_invites_by_email" ON "merchant_invites" USING btree ("email");
--> statement-breakpoint
-- outside
DO $$
DECLARE t text;
BEGIN
  -- The rows that exist, and those of this month, become the first partition. The check proves it without a lock.
  FOREACH t IN ARRAY ARRAY['searches', 'source_events', 'visits'] LOOP
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = t::regclass AND conname = t || '_first') THEN
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (created_at < %L) NOT VALID', t, t || '_first',
        date_trunc('month', (now() + interval '2 days') AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC');
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
-- outside
ALTER TABLE "searches" VALIDATE CONSTRAINT "searches_first";
--> statement-breakpoint
-- outside
ALTER TABLE "source_events" VALIDATE CONSTRAINT "source_events_first";
--> statement-breakpoint
-- outside
ALTER TABLE "visits" VALIDATE CONSTRAINT "visits_first";
--> statement-breakpoint
CREATE TABLE "job_progress" (
	"name" text PRIMARY KEY NOT NULL,
	"place" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
DO $$
DECLARE
  t text;
  until text;
  last bigint;
  x text;
BEGIN
  FOREACH t IN ARRAY ARRAY['searches', 'source_events', 'visits'] LOOP
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', t);
    SELECT (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1] INTO until
      FROM pg_constraint WHERE conrelid = t::regclass AND conname = t || '_first';
    EXECUTE format('SELECT last_value + 1 FROM %s', pg_get_serial_sequence(t, 'id')) INTO last;
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP IDENTITY', t);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', t, t || '_first');
    FOR x IN SELECT indexname FROM pg_indexes WHERE schemaname = current_schema AND tablename = t || '_first' LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', x, t || '_first' || substr(x, length(t) + 1));
    END LOOP;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at)', t, t || '_first');
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', t, t || '_first');
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', t, last);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', t, t || '_first', until);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', t || '_first', t || '_first');
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', t || '_default', t);
  END LOOP;
END $$;
--> statement-breakpoint
-- The first partition has these indexes already, so that nothing is built.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "searches_by_time" ON "searches" USING btree ("created_at");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "searches_of_user" ON "searches" USING btree ("user_id");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "source_events_by_time" ON "source_events" USING btree ("created_at");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "source_events_of_order" ON "source_events" USING btree ("order_id");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "source_events_of_user" ON "source_events" USING btree ("user_id","created_at") WHERE user_id is not null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "source_events_of_visitor" ON "source_events" USING btree ("visitor","created_at") WHERE visitor is not null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "visits_by_path" ON "visits" USING btree ("path","created_at");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "visits_by_time" ON "visits" USING btree ("created_at");
