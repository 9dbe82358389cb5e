-- Numbers a new order.
CREATE OR REPLACE FUNCTION set_order_number() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.order_number IS NULL THEN
    NEW.order_number := next_order_number(NEW.created_at);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER orders_number BEFORE INSERT ON orders
  FOR EACH ROW EXECUTE FUNCTION set_order_number();

-- Orders that were placed between the migration and this function.
UPDATE orders SET order_number = next_order_number(created_at) WHERE order_number IS NULL;
