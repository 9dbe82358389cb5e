-- A run of payouts moves along its states only; who approved it and how much stays.
CREATE OR REPLACE FUNCTION check_payout_run() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.origin, NEW.prepared_by, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.origin, OLD.prepared_by, OLD.created_at)
    OR OLD.approved_by IS NOT NULL AND (NEW.asked_by, NEW.approved_by, NEW.approved_at, NEW.approved_cents)
      IS DISTINCT FROM (OLD.asked_by, OLD.approved_by, OLD.approved_at, OLD.approved_cents)
    OR NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (('preparing', 'draft'), ('preparing', 'cancelled'),
      ('draft', 'approved'), ('draft', 'cancelled'), ('approved', 'sent'), ('sent', 'closed')) THEN
    RAISE EXCEPTION 'payout run % cannot change so', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_runs_transition';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payout_runs_check BEFORE UPDATE ON payout_runs
  FOR EACH ROW EXECUTE FUNCTION check_payout_run();
