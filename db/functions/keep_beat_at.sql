-- A release renamed beat_at to heartbeat_at; the release before it still reads and writes the former one. Remove both in the next release.
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

CREATE OR REPLACE TRIGGER key_batches_former BEFORE INSERT OR UPDATE OF beat_at, heartbeat_at ON key_batches
  FOR EACH ROW EXECUTE FUNCTION keep_beat_at();
CREATE OR REPLACE TRIGGER import_runs_former BEFORE INSERT OR UPDATE OF beat_at, heartbeat_at ON import_runs
  FOR EACH ROW EXECUTE FUNCTION keep_beat_at();
