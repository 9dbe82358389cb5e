-- The last moment to sell a key: its last day to redeem less the margin of its plan. The lock, which a change of the margin
-- takes too (move_sell_by.sql), makes an import that runs at the same time read the new margin.
CREATE OR REPLACE FUNCTION set_key_sell_by() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.redeem_by IS NULL THEN
    NEW.sell_by := NULL;
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(70419, NEW.plan_id);
  NEW.sell_by := NEW.redeem_by - make_interval(hours => 24 * (SELECT sell_margin(pl) FROM plans pl WHERE pl.id = NEW.plan_id));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keys_sell_by BEFORE INSERT OR UPDATE OF redeem_by, plan_id ON keys
  FOR EACH ROW EXECUTE FUNCTION set_key_sell_by();
