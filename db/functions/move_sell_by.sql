-- A changed margin changes until when the unsold keys of a plan can be sold. They are locked in the order of buyers
-- (lib/delivery/reserve-keys.ts), so that neither deadlocks with the other.
CREATE OR REPLACE FUNCTION move_sell_by() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(70419, NEW.id);
  WITH dated AS (
    SELECT k.id FROM keys k WHERE k.plan_id = NEW.id AND k.state IN ('available', 'reserved', 'withheld')
      AND k.redeem_by IS NOT NULL
    ORDER BY k.redeem_by, k.created_at, k.id FOR UPDATE)
  UPDATE keys k SET sell_by = k.redeem_by - make_interval(hours => 24 * sell_margin(NEW))
  FROM dated WHERE k.id = dated.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER plans_move_sell_by AFTER UPDATE OF redeem_margin_days, type, duration_days ON plans
  FOR EACH ROW WHEN ((NEW.redeem_margin_days, NEW.type, NEW.duration_days)
    IS DISTINCT FROM (OLD.redeem_margin_days, OLD.type, OLD.duration_days)) EXECUTE FUNCTION move_sell_by();
