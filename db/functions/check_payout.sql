-- A payout moves along its states only, and its amount is settled when it is sent. Its lines are written while it is a draft.
CREATE OR REPLACE FUNCTION check_payout() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.run_id, NEW.merchant_id, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.run_id, OLD.merchant_id, OLD.created_at)
    OR OLD.state <> 'draft' AND (NEW.cents, NEW.account_id, NEW.attempt) IS DISTINCT FROM (OLD.cents, OLD.account_id, OLD.attempt)
    OR NEW.cents > OLD.cents
    OR NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (('draft', 'sent'), ('draft', 'dropped'), ('sent', 'confirmed'),
      ('sent', 'failed'), ('confirmed', 'returned')) THEN
    RAISE EXCEPTION 'payout % cannot change so', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_transition';
  END IF;
  IF NEW.state = 'sent' AND OLD.state = 'draft'
    AND NOT EXISTS (SELECT FROM payout_runs r WHERE r.id = NEW.run_id AND r.state = 'approved') THEN
    RAISE EXCEPTION 'the run of payout % is not approved', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_approved';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payouts_check BEFORE UPDATE ON payouts
  FOR EACH ROW EXECUTE FUNCTION check_payout();
