-- Queues products for the listing index when a key with a redemption date is added, changed or deleted.
CREATE OR REPLACE FUNCTION queue_key_listing() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR (NEW.sell_by, NEW.plan_id) IS DISTINCT FROM (OLD.sell_by, OLD.plan_id) THEN
    INSERT INTO listing_index_queue (product_id) SELECT product_id FROM plans
    WHERE id IN ((coalesce(NEW, OLD)).plan_id, (coalesce(OLD, NEW)).plan_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER keys_queue_listing_update AFTER UPDATE OF redeem_by, sell_by, plan_id ON keys
  FOR EACH ROW EXECUTE FUNCTION queue_key_listing();

CREATE OR REPLACE TRIGGER keys_queue_listing_insert AFTER INSERT ON keys
  FOR EACH ROW WHEN (NEW.redeem_by IS NOT NULL) EXECUTE FUNCTION queue_key_listing();

CREATE OR REPLACE TRIGGER keys_queue_listing_delete AFTER DELETE ON keys
  FOR EACH ROW EXECUTE FUNCTION queue_key_listing();
