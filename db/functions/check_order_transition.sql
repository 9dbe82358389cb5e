-- Rejects a change of status that is not in order_transitions, which equals TRANSITIONS in lib/orders/rules.ts.
CREATE OR REPLACE FUNCTION check_order_transition() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IS DISTINCT FROM OLD.status AND NOT EXISTS (
    SELECT 1 FROM order_transitions WHERE from_status = OLD.status AND to_status = NEW.status
  ) THEN
    RAISE EXCEPTION 'order % cannot go from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_transition';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER orders_transition BEFORE UPDATE OF status ON orders
  FOR EACH ROW EXECUTE FUNCTION check_order_transition();
