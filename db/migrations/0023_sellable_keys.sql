-- outside
ALTER TABLE "plans" VALIDATE CONSTRAINT "plans_redeem_margin";--> statement-breakpoint
-- The keys that were imported before get their last moment to sell, a thousand at a time.
-- outside
DO $$
BEGIN
  LOOP
    UPDATE keys SET redeem_by = redeem_by WHERE id IN (
      SELECT id FROM keys WHERE sell_by IS NULL AND redeem_by IS NOT NULL AND state IN ('available', 'reserved', 'withheld')
      ORDER BY plan_id, redeem_by, created_at, id LIMIT 1000 FOR UPDATE);
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "keys_in_stock" ON "keys" USING btree ("plan_id","redeem_by","created_at","id","sell_by") WHERE state = 'available';--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "keys_next_sell_by" ON "keys" USING btree ("sell_by") WHERE state = 'available' and sell_by is not null;--> statement-breakpoint
-- outside
DROP INDEX CONCURRENTLY IF EXISTS "keys_available";--> statement-breakpoint
-- outside
DROP INDEX CONCURRENTLY IF EXISTS "keys_next_redeem_by";
