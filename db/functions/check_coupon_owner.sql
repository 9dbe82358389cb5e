-- Rejects a change of a coupon's owner.
CREATE OR REPLACE FUNCTION check_coupon_owner() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'coupon % belongs to %', OLD.id, OLD.user_id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'coupons_bound';
END $$;

CREATE OR REPLACE TRIGGER coupons_bound BEFORE UPDATE OF user_id ON coupons
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id) EXECUTE FUNCTION check_coupon_owner();
