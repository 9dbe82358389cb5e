-- The lines of a payout that was sent never change.
CREATE OR REPLACE FUNCTION check_payout_line() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payouts p WHERE p.id = OLD.payout_id AND p.state <> 'draft') THEN
    RAISE EXCEPTION 'payout % was sent', OLD.payout_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_lines_final';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE OR REPLACE TRIGGER payout_lines_check BEFORE UPDATE OR DELETE ON payout_lines
  FOR EACH ROW EXECUTE FUNCTION check_payout_line();
