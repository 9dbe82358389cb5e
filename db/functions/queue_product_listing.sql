-- Queues a product for the listing index when its rank, category or vendor changes, or whether it is shown and sold.
CREATE OR REPLACE FUNCTION queue_product_listing() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_index_queue (product_id) VALUES (NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_queue_listing AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.sort_num, OLD.category, OLD.vendor, OLD.listed) IS DISTINCT FROM (NEW.sort_num, NEW.category, NEW.vendor, NEW.listed))
  EXECUTE FUNCTION queue_product_listing();
