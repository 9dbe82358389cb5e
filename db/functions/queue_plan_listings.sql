-- Queues the products of changed plans for the listing index. The queue takes no lock on the product, so that concurrent
-- sales do not wait here.
CREATE OR REPLACE FUNCTION queue_plan_listings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_index_queue (product_id) SELECT DISTINCT product_id FROM written;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER plans_queue_listings_update AFTER UPDATE ON plans REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION queue_plan_listings();

CREATE OR REPLACE TRIGGER plans_queue_listings_insert AFTER INSERT ON plans REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION queue_plan_listings();

CREATE OR REPLACE TRIGGER plans_queue_listings_delete AFTER DELETE ON plans REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION queue_plan_listings();
