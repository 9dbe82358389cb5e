-- Rejects transitions that a key's state must not make: a sold key never returns to stock. The states from and to
-- 'withheld', and those from 'available' and 'reserved' to 'quarantined', are of a check after a restore; that from
-- 'quarantined' to 'assigned' is of a refund that the bank has returned.
CREATE OR REPLACE FUNCTION check_key_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (
    ('available', 'reserved'), ('available', 'revoked'), ('reserved', 'available'), ('reserved', 'assigned'),
    ('assigned', 'quarantined'), ('assigned', 'revoked'), ('quarantined', 'revoked'), ('quarantined', 'assigned'),
    ('available', 'withheld'), ('reserved', 'withheld'), ('available', 'quarantined'), ('reserved', 'quarantined'),
    ('withheld', 'available'), ('withheld', 'quarantined'), ('withheld', 'revoked')
  ) THEN
    RAISE EXCEPTION 'key % cannot go from % to %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'keys_transition';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keys_transition BEFORE UPDATE OF state ON keys
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_key_state();
