-- Rejects transitions that a coupon's state must not make. A used coupon is available again only if its order was
-- refunded before delivery.
CREATE OR REPLACE FUNCTION check_coupon_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'used' AND NEW.state = 'open' AND EXISTS (
    SELECT 1 FROM orders WHERE id = OLD.order_id AND status = 'refunded' AND shipped_at IS NULL
  ) THEN
    RETURN NEW;
  END IF;
  IF (OLD.state, NEW.state) NOT IN (('open', 'reserved'), ('open', 'revoked'), ('reserved', 'open'), ('reserved', 'used')) THEN
    RAISE EXCEPTION 'coupon % cannot go from % to %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'coupons_transition';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER coupons_transition BEFORE UPDATE OF state ON coupons
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_coupon_state();
