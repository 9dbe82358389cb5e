-- Of an account to which a merchant is paid only its seal and its cancellation change, and it is cancelled once.
CREATE OR REPLACE FUNCTION check_payout_account() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.id, NEW.merchant_id, NEW.method, NEW.scheme, NEW.country, NEW.last_four, NEW.created_by, NEW.created_at)
      IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.method, OLD.scheme, OLD.country, OLD.last_four, OLD.created_by, OLD.created_at)
    OR NEW.counts_from > OLD.counts_from OR NEW.counts_from < OLD.counts_from AND OLD.cancelled_at IS NOT NULL
    OR OLD.cancelled_at IS NOT NULL AND (NEW.cancelled_at, NEW.cancelled_by) IS DISTINCT FROM (OLD.cancelled_at, OLD.cancelled_by) THEN
    RAISE EXCEPTION 'payout account % cannot change', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_accounts_final';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payout_accounts_check BEFORE UPDATE OR DELETE ON payout_accounts
  FOR EACH ROW EXECUTE FUNCTION check_payout_account();
