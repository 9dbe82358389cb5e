-- Rejects a key for a unit that does not exist: the line must be of the same plan and have at least that quantity. The
-- generic plan is forced, because every key of a sale runs this check.
CREATE OR REPLACE FUNCTION check_key_unit() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' AS $$
BEGIN
  IF NEW.order_line_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM order_lines WHERE id = NEW.order_line_id AND plan_id = NEW.plan_id AND quantity >= NEW.slot
  ) THEN
    RAISE EXCEPTION 'key % does not fit unit % of line %', NEW.id, NEW.slot, NEW.order_line_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'keys_unit';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keys_unit BEFORE INSERT OR UPDATE OF order_line_id, slot, plan_id ON keys
  FOR EACH ROW EXECUTE FUNCTION check_key_unit();
