-- Rejects transitions that a key's state must not make: a key that may have been seen never returns to stock. The states from
-- and to 'withheld', and those from 'available' and 'reserved' to 'quarantined', are of a check after a restore; that from
-- 'quarantined' to 'assigned' is of a refund that the bank has returned; that from 'assigned' to 'available' is of a unit that
-- was given back unseen; that from 'revoked' to 'available' is of a code that was withdrawn unsold and is put back on sale.
CREATE OR REPLACE FUNCTION check_key_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (
    ('available', 'reserved'), ('available', 'revoked'), ('reserved', 'available'), ('reserved', 'assigned'),
    ('assigned', 'quarantined'), ('assigned', 'revoked'), ('quarantined', 'revoked'), ('quarantined', 'assigned'),
    ('available', 'withheld'), ('reserved', 'withheld'), ('available', 'quarantined'), ('reserved', 'quarantined'),
    ('withheld', 'available'), ('withheld', 'quarantined'), ('withheld', 'revoked'), ('assigned', 'available'),
    ('revoked', 'available')
  ) THEN
    RAISE EXCEPTION 'key % cannot go from % to %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'keys_transition';
  END IF;
  IF NEW.state IN ('available', 'reserved') AND (
    coalesce(OLD.opened_at, OLD.mailed_at, OLD.first_revealed_at, OLD.activated_at) IS NOT NULL
    OR coalesce(NEW.opened_at, NEW.mailed_at, NEW.first_revealed_at, NEW.activated_at) IS NOT NULL
    OR OLD.state = 'revoked' AND OLD.order_line_id IS NOT NULL
    OR OLD.state IN ('assigned', 'revoked') AND (OLD.redemption <> 'unknown'
      OR EXISTS (SELECT FROM key_events e WHERE e.key_id = OLD.id AND e.event IN ('mailed', 'revealed', 'activated'))
      OR EXISTS (SELECT FROM replacement_requests r WHERE OLD.id IN (r.key_id, r.new_key_id)))
  ) THEN
    RAISE EXCEPTION 'key % may have been seen, so it cannot be sold', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'keys_unseen';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keys_transition BEFORE UPDATE OF state ON keys
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_key_state();
