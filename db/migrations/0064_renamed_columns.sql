-- The triggers keep the former columns in step for the release that runs beside this one (db/functions/keep_wait_list_state.sql, keep_beat_at.sql).
-- shop_now() is stable: no table is rewritten.
-- squawk-ignore adding-field-with-default
ALTER TABLE "key_batches" ADD COLUMN "heartbeat_at" timestamp with time zone DEFAULT shop_now();
--> statement-breakpoint
-- squawk-ignore adding-field-with-default
ALTER TABLE "import_runs" ADD COLUMN "heartbeat_at" timestamp with time zone DEFAULT shop_now();
--> statement-breakpoint
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "wait_list" ADD COLUMN "outcome" text CONSTRAINT "wait_list_outcome" CHECK (outcome in ('notified', 'cancelled'));
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_wait_list_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.state IS DISTINCT FROM OLD.state THEN
    NEW.outcome := CASE NEW.state WHEN 'told' THEN 'notified' WHEN 'left' THEN 'cancelled' END;
  ELSE
    NEW.state := CASE NEW.outcome WHEN 'notified' THEN 'told' WHEN 'cancelled' THEN 'left' ELSE 'waiting' END;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER wait_list_former BEFORE INSERT OR UPDATE OF state, outcome ON wait_list
  FOR EACH ROW EXECUTE FUNCTION keep_wait_list_state();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_beat_at() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.beat_at IS DISTINCT FROM OLD.beat_at THEN
    NEW.heartbeat_at := NEW.beat_at;
  ELSE
    NEW.beat_at := coalesce(NEW.heartbeat_at, NEW.beat_at);
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER key_batches_former BEFORE INSERT OR UPDATE OF beat_at, heartbeat_at ON key_batches
  FOR EACH ROW EXECUTE FUNCTION keep_beat_at();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER import_runs_former BEFORE INSERT OR UPDATE OF beat_at, heartbeat_at ON import_runs
  FOR EACH ROW EXECUTE FUNCTION keep_beat_at();
--> statement-breakpoint
UPDATE key_batches SET heartbeat_at = beat_at WHERE state = 'running';
--> statement-breakpoint
UPDATE import_runs SET heartbeat_at = beat_at WHERE state = 'running';
--> statement-breakpoint
ALTER TABLE "wait_list" DROP CONSTRAINT "wait_list_state";
