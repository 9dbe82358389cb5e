-- Rejects a commit after which a merchant has members but no owner.
CREATE OR REPLACE FUNCTION check_merchant_owner() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM merchants WHERE id = NEW.merchant_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM merchant_members WHERE merchant_id = NEW.merchant_id AND ended_at IS NULL)
    AND NOT EXISTS (SELECT FROM merchant_members WHERE merchant_id = NEW.merchant_id AND ended_at IS NULL AND role = 'owner')
  THEN
    RAISE EXCEPTION 'merchant % has no owner', NEW.merchant_id USING ERRCODE = 'check_violation', CONSTRAINT = 'merchant_owner';
  END IF;
  RETURN NULL;
END $$;

-- CREATE OR REPLACE does not work for constraint triggers.
DROP TRIGGER IF EXISTS merchant_owner ON merchant_members;
CREATE CONSTRAINT TRIGGER merchant_owner AFTER INSERT OR UPDATE ON merchant_members DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_merchant_owner();
