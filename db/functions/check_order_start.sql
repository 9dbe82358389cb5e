-- Rejects a new order with a status other than pending.
CREATE OR REPLACE FUNCTION check_order_start() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    RAISE EXCEPTION 'an order starts as pending, not as %', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_transition';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER orders_start BEFORE INSERT ON orders
  FOR EACH ROW EXECUTE FUNCTION check_order_start();
