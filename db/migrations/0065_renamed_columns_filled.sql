-- outside
DO $$
BEGIN
  LOOP
    UPDATE wait_list SET outcome = CASE state WHEN 'told' THEN 'notified' ELSE 'cancelled' END
      WHERE id IN (SELECT id FROM wait_list WHERE outcome IS NULL AND state <> 'waiting' LIMIT 10000);
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;
--> statement-breakpoint
-- outside
CREATE UNIQUE INDEX CONCURRENTLY "wait_list_waiting" ON "wait_list" USING btree ("user_id","plan_id") WHERE outcome is null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "wait_list_next" ON "wait_list" USING btree ("plan_id","created_at") WHERE outcome is null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "wait_list_notified" ON "wait_list" USING btree ("plan_id","ended_at") WHERE outcome = 'notified';
