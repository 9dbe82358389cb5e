-- Writes the listing index of a queued product at the commit of the transaction that queued it, so that reads need no
-- write. The advisory lock makes such commits wait for each other: the last one reads the changes of all. A product that
-- another transaction has locked stays in the queue, for that transaction or for the worker.
CREATE OR REPLACE FUNCTION settle_listing_index() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM listing_index_queue WHERE id = NEW.id) THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('refresh_listing_index'));
  PERFORM FROM products WHERE id = NEW.product_id FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND OR NOT EXISTS (SELECT FROM products WHERE id = NEW.product_id) THEN
    PERFORM write_listing_index(ARRAY[NEW.product_id]);
  END IF;
  RETURN NULL;
END $$;

-- CREATE OR REPLACE does not work for constraint triggers.
DROP TRIGGER IF EXISTS listing_index_queue_settle ON listing_index_queue;
CREATE CONSTRAINT TRIGGER listing_index_queue_settle AFTER INSERT ON listing_index_queue DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION settle_listing_index();
