-- The products of a merchant follow its state, and the hold of its trader file. The listing index is written for all of them at once, because one by one at the
-- commit (db/functions/settle_listing_index.sql) a thousand products take seconds.
CREATE OR REPLACE FUNCTION block_merchant_products() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET blocked_reason = CASE WHEN NEW.state <> 'active' THEN 'merchant_' || NEW.state
    WHEN NEW.trade_held_at IS NOT NULL THEN 'merchant_unverified' END
    WHERE merchant_id = NEW.id;
  PERFORM pg_advisory_xact_lock(hashtext('refresh_listing_index'));
  PERFORM write_listing_index(ARRAY(SELECT id FROM products WHERE merchant_id = NEW.id));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER merchants_state_products AFTER UPDATE OF state, trade_held_at ON merchants
  FOR EACH ROW WHEN (OLD.state <> NEW.state OR (OLD.trade_held_at IS NULL) <> (NEW.trade_held_at IS NULL)) EXECUTE FUNCTION block_merchant_products();
