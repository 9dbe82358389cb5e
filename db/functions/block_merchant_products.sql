-- The products of a merchant follow its state.
CREATE OR REPLACE FUNCTION block_merchant_products() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET blocked_reason = CASE WHEN NEW.state <> 'active' THEN 'merchant_' || NEW.state END
    WHERE merchant_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER merchants_state_products AFTER UPDATE OF state ON merchants
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION block_merchant_products();
