-- A release renamed wait_list.state to outcome; the release before it still reads and writes the former one. Remove both in the next release.
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

CREATE OR REPLACE TRIGGER wait_list_former BEFORE INSERT OR UPDATE OF state, outcome ON wait_list
  FOR EACH ROW EXECUTE FUNCTION keep_wait_list_state();
