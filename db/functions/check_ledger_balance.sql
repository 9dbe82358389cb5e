-- Rejects a commit in which the entries of a transfer do not sum to zero.
CREATE OR REPLACE FUNCTION check_ledger_balance() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'transfer % does not balance', NEW.transfer_id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balance';
  END IF;
  RETURN NULL;
END $$;

-- CREATE OR REPLACE does not work for constraint triggers.
DROP TRIGGER IF EXISTS ledger_balance ON ledger_entries;
CREATE CONSTRAINT TRIGGER ledger_balance AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_ledger_balance();
